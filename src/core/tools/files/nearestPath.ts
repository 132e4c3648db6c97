import { distance } from 'fastest-levenshtein';
import { FileProblem, type DirectoryEntry, type Files } from '../../ports/files';
import { shownName } from '../../text/shownName';

const maxListed = 400;
const maxSearched = 3000;
const maxDepth = 12;
const maxNamed = 10;
const maxSuggested = 3;
/**
 * Maximum edit distance between names: two, enough for two swapped letters; more for long names, one for short ones.
 */
const wrongLetters = (name: string): number => (name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 4)));

/** Adds the nearest existing path to the error if `path` does not exist. Other errors are returned unchanged. */
export async function withNearest(thrown: unknown, path: string, files: Files): Promise<unknown> {
  if (!(thrown instanceof FileProblem) || thrown.code !== 'missing') return thrown;
  try {
    const hint = await nearestInWords(path, files);
    return hint === undefined ? thrown : new FileProblem('missing', `${thrown.message} ${hint}`);
  } catch {
    return thrown; // for example, the path is outside the workspace
  }
}

async function nearestInWords(path: string, files: Files): Promise<string | undefined> {
  // Models write "\\" for Windows, and sometimes elsewhere.
  const parts = path.split(/[\\/]/).filter((part, index) => part !== '.' && (part !== '' || index === 0));
  const found = await deepestFolder(parts, files);
  if (!found) return undefined;
  const { folder, entries, missingAt } = found;
  const [only] = entries;
  // A file was used as a folder; the error says so already.
  if (entries.length === 1 && only!.kind === 'file' && only!.path === folder) return undefined;
  // It is listed, but is a broken link; the error says so already.
  if (entries.some((entry) => entry.path === path)) return undefined;
  if (entries.some((entry) => shownName(entry.path) === path))
    return 'A file has the name that this quoted JSON text shows: call again with the decoded name, with a real line break for "\\n".';
  const close = closeNames(parts[missingAt]!, entries);
  const elsewhere = await sameName(parts.at(-1)!, files);
  const near = [...new Set([...elsewhere, ...close])].slice(0, maxSuggested);
  if (near.length > 0) return `Similar: ${near.map(shownName).join(', ')}.`;
  const shown = entries
    .slice(0, maxNamed)
    .map((entry) => shownName(baseName(entry.path)) + (entry.kind === 'folder' ? '/' : ''));
  const display = shownName(only === undefined ? folder : parentFolder(only.path));
  const where = display === '' ? 'The workspace folder' : display;
  if (shown.length === 0) return `${where} is empty, or everything in it is ignored.`;
  const more = entries.length > shown.length ? `, and ${entries.length - shown.length} more` : '';
  return `${where} contains: ${shown.join(', ')}${more}.`;
}

/** Returns the deepest existing folder of a path. `missingAt` is the index of the first missing part. */
async function deepestFolder(
  parts: readonly string[],
  files: Files,
): Promise<
  { readonly folder: string; readonly entries: readonly DirectoryEntry[]; readonly missingAt: number } | undefined
> {
  for (let missingAt = parts.length - 1; missingAt >= 0; missingAt--) {
    const folder = parts.slice(0, missingAt).join('/');
    try {
      const { entries } = await files.list(folder || '.', { depth: 1, limit: maxListed });
      return { folder, entries, missingAt };
    } catch (thrown) {
      if (!(thrown instanceof FileProblem) || thrown.code !== 'missing') throw thrown;
    }
  }
  return undefined;
}

/** Returns entries whose names differ by case, extension or a few letters. */
function closeNames(name: string, entries: readonly DirectoryEntry[]): string[] {
  const wanted = name.toLowerCase();
  const room = wrongLetters(wanted);
  const rated = entries.map(({ path }) => {
    const own = baseName(path).toLowerCase();
    const away = stem(own) === stem(wanted) && stem(own) !== '' ? 0 : distance(own, wanted);
    return { path, away };
  });
  return rated
    .filter(({ away }) => away <= room)
    .sort((a, b) => a.away - b.away)
    .map(({ path }) => path);
}

/** Finds files of this name elsewhere in the workspace. */
async function sameName(name: string, files: Files): Promise<string[]> {
  const { entries } = await files.list('.', { depth: maxDepth, limit: maxSearched });
  return entries.map(({ path }) => path).filter((path) => baseName(path).toLowerCase() === name.toLowerCase());
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const parentFolder = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const stem = (name: string): string => name.replace(/\.[^.]*$/, '');
