import path from 'node:path';
import { shownName } from '../../core/tools/shownName';
import { obeyed } from './guardedPlaces';
import { GuardedTree } from './guardedTree';

/** What other programs obey in the folders of a workspace, at every depth. */
export class GuardedTrees {
  readonly #trees: ReadonlyMap<string, GuardedTree>;
  /** What stood at the top when it was told last, and when that was. */
  #last: { readonly atTop: ReadonlySet<string>; readonly at: number } | undefined;

  constructor(private readonly folders: readonly string[]) {
    this.#trees = new Map(folders.map(folder => [folder, new GuardedTree(folder)]));
  }

  /** Reads the folders; before a sandbox starts in them. */
  async begin(): Promise<void> {
    await Promise.all([...this.#trees.values()].map(tree => tree.begin()));
  }

  /** What stands below the top of a folder; relative. */
  below(folder: string): string[] { return this.#trees.get(folder)!.places(); }

  /** The answer tells what came since, or with `sinceLast` since the last answer: absolute paths. `made`: what was made for the sandbox itself. */
  watch(made: ReadonlySet<string>, sinceLast: boolean): () => string[] {
    const before = (sinceLast && this.#last) || { atTop: new Set(this.#atTop()), at: Date.now() };
    return () => {
      const now = this.#atTop();
      this.#last = { atTop: new Set(now), at: Date.now() };
      const atTop = now.filter(place => !before.atTop.has(place));
      const below = [...this.#trees].flatMap(([folder, tree]) => tree.news(before.at).map(place => path.join(folder, place)));
      return [...new Set([...atTop, ...below])].filter(place => !made.has(place));
    };
  }

  #atTop(): string[] { return this.folders.flatMap(obeyed); }
}

const mostNamed = 20;

/** What is said of files that came and that other programs obey; empty where none came. `leftBehind`: they may have come before the command. */
export function plantedWords(places: readonly string[], leftBehind: boolean): string {
  if (places.length === 0) return '';
  const more = places.length > mostNamed ? ` and ${places.length - mostNamed} more` : '';
  // The command chose the names, and these words count as Waymark's.
  const names = `${places.slice(0, mostNamed).map(shownName).join(', ')}${more}`;
  const since = leftBehind ? 'Since the command before it' : 'While it ran';
  return `${since} ${names} came into being, which other programs obey. Nothing but this note keeps them from it: say why it is there.`;
}
