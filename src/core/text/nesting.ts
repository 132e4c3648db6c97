/**
 * Returns whether YAML or JSON nests brackets, or lists in one line, more than `most` levels deep. To be asked before a
 * parser reads what others wrote: it calls itself for each level and takes minutes for thousands. If the stack is full
 * when a regular expression is compiled, V8 ends the whole process. Brackets in texts count, too: only the parser knows
 * what is a text.
 */
export function nestsDeeper(yaml: string, most: number): boolean {
  if (new RegExp(`^[ \\t]*(?:[-?:][ \\t]+){${most + 1}}`, 'm').test(yaml)) return true;
  let depth = 0;
  for (const [bracket] of yaml.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + ('[{'.includes(bracket) ? 1 : -1));
    if (depth > most) return true;
  }
  return false;
}
