/** Twos, multiplied: how many ways a name may be looked through. Tools have names of at most 64 signs. */
const most = 26;

/**
 * Whether a matcher may keep the process busy for long: one that repeats a group, or that has very many ways to be read. It comes from a
 * repository, and is looked at before anybody agreed to it.
 */
export function isSlowMatcher(matcher: string): boolean {
  const plain = matcher.replace(/\\[^]/g, 'x').replace(/\[[^\]]*\]?/g, 'x');
  if (/\)[*+{]/.test(plain)) return true;
  const alternatives = plain.includes('(') ? [plain] : plain.split('|');
  return alternatives.some((words) => {
    const count = (pattern: RegExp): number => words.match(pattern)?.length ?? 0;
    const [repeated, optional, groups, bars] = [
      count(/[*+]|\{\d/g),
      count(/(?<![(*+?}])\?/g),
      count(/\(/g),
      count(/\|/g),
    ];
    return repeated * 6 + optional + groups * Math.log2(bars / Math.max(1, groups) + 1) > most;
  });
}
