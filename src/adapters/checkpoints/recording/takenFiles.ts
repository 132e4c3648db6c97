import os from 'node:os';
import path from 'node:path';
import type { FileDelta } from '../../../core/changes/snapshot';
import { reachedStat } from '../folderIndex/foundEntries';

/** Maximum number of words of a command to look up. */
const maxWords = 100;

/** Only such parts of a command are looked at: others delete what they take away, such as temporary files. */
const moves = /\bmv\b|move|rename/i;

/** What a variable or a program that reads names stands for may be any word of the command. */
const takesAnyWord = /[$`]|\b(?:xargs|parallel)\b/;

/** Something that holds paths, such as a folder. */
interface Holder {
  holds(absolute: string): boolean;
}

/**
 * Finds out whether a command takes files away that have no copies, as `mv ../notes.txt .; sed -i … notes.txt` does.
 * What it writes under the same name, or under a name in the same part of the command, may be the user's. Only what the
 * command names is looked up: what a script moves and then rewrites is not found.
 */
export class TakenFiles {
  /** The paths that each part that moves something may name. */
  private readonly moves: readonly ReadonlySet<string>[];
  private readonly there: readonly string[];
  private gone: readonly string[] | undefined;

  /** Call before the command runs. `hasCopy`: returns whether a path has a copy. */
  constructor(command: string, folder: string, hasCopy: (absolute: string) => boolean) {
    const parts = moves.test(command) ? partsOf(command, folder) : [];
    const named = new Set(parts.flatMap(({ paths }) => [...paths]));
    this.moves = parts
      .filter(({ text }) => moves.test(text))
      .map(({ text, paths }) => (takesAnyWord.test(text) ? named : paths));
    this.there = [...named].filter((absolute) => !hasCopy(absolute) && reachedStat(absolute) !== undefined);
  }

  /**
   * Call after the command has run. Returns whether a changed file may be one that it took. `onlyFrom`: the only places
   * from which it could take anything; if absent, it could from everywhere.
   */
  mayBe(
    { path: changed }: FileDelta,
    { onlyFrom }: { readonly onlyFrom?: readonly Holder[] | undefined } = {},
  ): boolean {
    if (this.there.length === 0) return false;
    this.gone ??= this.there.filter((absolute) => reachedStat(absolute) === undefined);
    const gone = this.gone.filter((absolute) => onlyFrom?.some((place) => place.holds(absolute)) ?? true);
    return gone.some((from) => path.basename(from) === path.basename(changed) || this.mayLead(from, changed));
  }

  /** Returns whether a path may be moved to another one, perhaps in several moves. */
  private mayLead(from: string, to: string): boolean {
    const reached = new Set([from]);
    for (const paths of this.moves)
      if ([...paths].some((each) => reached.has(each))) for (const each of paths) reached.add(each);
    return reached.has(to);
  }
}

/** A simple command, with the paths that its words may mean: in the first folder, and in the one it changed to. */
interface CommandPart {
  readonly text: string;
  readonly paths: ReadonlySet<string>;
}

function partsOf(command: string, folder: string): CommandPart[] {
  let current = folder;
  let left = maxWords;
  return command.split(/[;|&\n]+/).map((text) => {
    const words = text.split(/[\s"'`<>()=,]+/, left).filter((word) => word !== '' && !word.startsWith('-'));
    left = Math.max(0, left - words.length);
    const spelled = words.map((word) => word.replace(home, os.homedir()));
    const into = spelled[spelled.indexOf('cd') + 1];
    if (into !== undefined && spelled.includes('cd')) current = path.resolve(current, into);
    return {
      text,
      paths: new Set(spelled.flatMap((word) => [path.resolve(current, word), path.resolve(folder, word)])),
    };
  });
}

const home = /^(?:~|\$HOME|\$\{HOME\})(?=\/)/;
