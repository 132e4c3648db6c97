import { matchingRules, secretReads } from '../risk/pathRules';

/**
 * Returns a Git diff with the usual prefixes, without files that usually contain secrets and files for which
 * `isLeftOut` returns true. Parts whose file name cannot be parsed are left out.
 */
export const withoutSecretFiles = (text: string, isLeftOut: (path: string) => boolean = () => false): string =>
  text
    .split(/^(?=diff --)/m)
    .map((part) => {
      if (!part.startsWith('diff --')) return part;
      const names = fileNamesInHeader(part);
      if (names.length === 0) return '[The changes to a file were omitted: its name could not be read.]\n';
      return names.some((name) => isLeftOut(name) || matchingRules(name, secretReads).length > 0)
        ? `[The changes to ${names.at(-1)} were omitted: it usually contains secrets, or .agentignore lists it.]\n`
        : part;
    })
    .join('');

/** File names in the header of a part. */
function fileNamesInHeader(part: string): string[] {
  const head = part.split(/^@@/m, 1)[0]!;
  const [, before, after] = /^diff --git "?a\/(.+?)"? "?b\/(.+?)"?$/m.exec(head) ?? [];
  const [, merged] = /^diff --(?:cc|combined) "?(.+?)"?$/m.exec(head) ?? [];
  const sides = [...head.matchAll(/^(?:--- "?a|\+\+\+ "?b)\/(.+?)"?\t?$/gm)].map((match) => match[1]!);
  return [before, merged, ...sides, after].filter((name) => name !== undefined);
}
