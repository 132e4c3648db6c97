import fs from 'node:fs/promises';
import path from 'node:path';
import { matchesGlob } from '../../core/shell/syntax/globs';
import { relativeTo } from '../../core/text/relativeTo';
import { listFolder } from '../storage/listFolder';

const MAX_ENTRIES = 20_000;

/** One possible resolution of a path: where it has got to, and whether a link led there. */
interface Way {
  readonly at: string;
  readonly linked: boolean;
  /** Names after a missing one: none of them can be a link, so they are not checked. */
  readonly missingNames: string[];
}

/**
 * See `Scripts.linkTargets`. Resolves part by part as a shell does: ".." after a link is the parent of the link's target.
 */
export async function linkTargets(folder: string, spelled: string, pattern: boolean): Promise<readonly string[]> {
  const root = await fs.realpath(folder);
  const parts = spelled.split('/').filter((part) => part !== '' && part !== '.');
  let ways: Way[] = [{ at: spelled.startsWith('/') ? '/' : root, linked: false, missingNames: [] }];
  let namesRead = 0;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const next: Way[] = [];
    for (const way of ways) {
      if (part === '..') next.push(above(way));
      else if (way.missingNames.length > 0 && !(pattern && /[*?[{]/.test(part))) next.push(further(way, part));
      else if (way.missingNames.length > 0) continue;
      else if (!pattern || !/[*?[{]/.test(part)) next.push(await step(way, part));
      else {
        const entries = await listFolder(way.at);
        if ((namesRead += entries.length) > MAX_ENTRIES)
          throw new Error('A pattern matches more names than can be checked.');
        const fitting = entries.filter(
          (entry) =>
            matchesGlob(part, entry.name) && (entry.isSymbolicLink() || way.linked || (!isLast && entry.isDirectory())),
        );
        for (const { name } of fitting) next.push(await step(way, name));
      }
    }
    ways = next;
  }
  return [
    ...new Set(
      ways.filter(({ linked }) => linked).map((way) => relativeTo(root, path.join(way.at, way.missingNames.join('/')))),
    ),
  ];
}

function above(way: Way): Way {
  if (way.missingNames.length === 0) return { ...way, at: path.dirname(way.at) };
  way.missingNames.pop();
  return way;
}

function further(way: Way, name: string): Way {
  way.missingNames.push(name);
  return way;
}

/** A dangling link counts, too: writing through it creates its target. */
async function step({ at, linked }: Way, name: string): Promise<Way> {
  const next = path.join(at, name);
  const stat = await fs.lstat(next).catch(() => undefined);
  if (!stat) return { at, linked, missingNames: [name] };
  if (!stat.isSymbolicLink()) return { at: next, linked, missingNames: [] };
  const real = await fs.realpath(next).catch(async () => path.resolve(at, await fs.readlink(next).catch(() => name)));
  return { at: real, linked: true, missingNames: [] };
}
