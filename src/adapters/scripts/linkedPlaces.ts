import type { Dirent } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { matches } from '../../core/shell/syntax/globs';

const MAX_ENTRIES = 20_000;

/** One way that a path goes: where it is by now, and whether a link brought it there. */
interface Way {
  readonly at: string;
  readonly linked: boolean;
}

/**
 * See `Scripts.leadsTo`. Goes part by part as a shell does: ".." behind a link is the folder above the place it leads
 * to.
 */
export async function leadsTo(folder: string, spelled: string, pattern: boolean): Promise<readonly string[]> {
  const root = await fs.realpath(folder);
  const parts = spelled.split('/').filter((part) => part !== '' && part !== '.');
  let ways: Way[] = [{ at: spelled.startsWith('/') ? '/' : root, linked: false }];
  let seen = 0;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const next: Way[] = [];
    for (const way of ways) {
      if (part === '..') next.push({ ...way, at: path.dirname(way.at) });
      else if (!pattern || !/[*?[{]/.test(part)) next.push(await step(way, part));
      else {
        const entries = await entriesOf(way.at);
        if ((seen += entries.length) > MAX_ENTRIES)
          throw new Error('A pattern finds more names than can be looked at.');
        const fitting = entries.filter(
          (entry) =>
            matches(part, entry.name) && (entry.isSymbolicLink() || way.linked || (!isLast && entry.isDirectory())),
        );
        for (const { name } of fitting) next.push(await step(way, name));
      }
    }
    ways = next;
  }
  return [...new Set(ways.filter(({ linked }) => linked).map(({ at }) => seenFrom(root, at)))];
}

/** A link to nothing leads there all the same: what is written through it is made. */
async function step({ at, linked }: Way, name: string): Promise<Way> {
  const next = path.join(at, name);
  const stat = await fs.lstat(next).catch(() => undefined);
  if (!stat?.isSymbolicLink()) return { at: next, linked };
  const real = await fs.realpath(next).catch(async () => path.resolve(at, await fs.readlink(next).catch(() => name)));
  return { at: real, linked: true };
}

const entriesOf = (folder: string): Promise<Dirent[]> => fs.readdir(folder, { withFileTypes: true }).catch(() => []);

const seenFrom = (root: string, absolute: string): string =>
  absolute === root ? '.' : absolute.startsWith(root + path.sep) ? absolute.slice(root.length + 1) : absolute;
