import type { Scripts } from '../../ports/scripts';
import { folderAfterCd } from '../../shell/syntax/place';
import { folderOfScript } from './pins';

/**
 * Returns the folders of the packages that a package manager's filter selects: a name (`web`, `@acme/web`, `@acme/*`),
 * a folder (`./packages/web`) or `*` for all except the root. Only looks where projects usually keep packages; empty if
 * none is found.
 */
export async function packageFolders(filter: string, from: string, scripts: Scripts): Promise<string[]> {
  const manifests = (await scripts.usualPlaces()).filter(
    (path) => path.endsWith('/package.json') && path.startsWith('/') === from.startsWith('/'),
  );
  const folders: string[] = [];
  // `web...` and `...web` also select related packages, which are not resolved here.
  const wanted = /^[!^]|\.\.\.|\[/.test(filter) ? undefined : filter;
  if (wanted === undefined) return [];
  for (const path of manifests) {
    const folder = folderOfScript(path);
    const own = folderAfterCd(from, wanted.replace(/^\{|\}$/g, ''));
    if (wanted === '*' || folder === own || matchesPackage(wanted, nameIn(await scripts.read(path))))
      folders.push(folder);
  }
  return folders;
}

function matchesPackage(wanted: string, name: string | undefined): boolean {
  if (name === undefined) return false;
  return fitsStars(wanted, name) || (!wanted.includes('/') && fitsStars(wanted, name.replace(/^@[^/]+\//, '')));
}

/** Returns whether a name matches a pattern in which "*" matches any text. */
function fitsStars(pattern: string, name: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at + last.length <= name.length;
}

function nameIn(text: string | undefined): string | undefined {
  try {
    const { name } = JSON.parse(text ?? '') as { name?: unknown };
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}
