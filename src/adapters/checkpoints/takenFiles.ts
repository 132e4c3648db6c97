import os from 'node:os';
import path from 'node:path';
import type { FileDelta } from '../../core/changes/snapshot';
import { reachedStat } from './foundEntries';

/** Maximum number of words of a command to look up. */
const maxWords = 100;

/** Only commands with such a word are looked at: others delete what they take away, such as temporary files. */
const moves = /\bmv\b|move|rename/i;

/**
 * Finds out whether a command takes files away that have no copies, as `mv ../notes.txt .; sed -i … notes.txt` does.
 * What it writes under the same name, or under another name in the command, may be the user's. Only what the command
 * names is looked up: what a script moves and then rewrites is not found.
 */
export class TakenFiles {
  private readonly words: ReadonlySet<string>;
  private readonly there: readonly string[];
  private goneNames: ReadonlySet<string> | undefined;

  /** Call before the command runs. `hasCopy`: returns whether a path has a copy. */
  constructor(command: string, folder: string, hasCopy: (absolute: string) => boolean) {
    const words = moves.test(command) ? command.split(/[\s"'`;|&<>()=,]+/, maxWords) : [];
    this.words = new Set(pathsNamed(words, folder));
    this.there = [...this.words].filter((absolute) => !hasCopy(absolute) && reachedStat(absolute) !== undefined);
  }

  /** Call after the command has run. Returns whether a changed file may be one that it took. */
  mayBe({ path: changed }: FileDelta): boolean {
    if (this.there.length === 0) return false;
    this.goneNames ??= new Set(
      this.there.filter((absolute) => reachedStat(absolute) === undefined).map((absolute) => path.basename(absolute)),
    );
    return this.goneNames.size > 0 && (this.goneNames.has(path.basename(changed)) || this.words.has(changed));
  }
}

const home = /^(?:~|\$HOME|\$\{HOME\})(?=\/)/;

/** Returns the paths that words of a command may mean, in the folder itself and in the one that it changed to. */
function pathsNamed(words: readonly string[], folder: string): string[] {
  let current = folder;
  return words.flatMap((word, at) => {
    if (word === '' || word.startsWith('-')) return [];
    const spelled = word.replace(home, os.homedir());
    const absolute = path.resolve(current, spelled);
    if (words[at - 1] === 'cd') current = absolute;
    return [absolute, path.resolve(folder, spelled)];
  });
}
