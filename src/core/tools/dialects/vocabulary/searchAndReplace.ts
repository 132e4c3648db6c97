import type { CallArguments } from '../callArguments';

/** Blocks of "<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE", as Cline, Roo Code and Aider write them, as edits. */
export function searchAndReplace(diff: string, args: CallArguments): Record<string, unknown>[] {
  const edits: Record<string, unknown>[] = [];
  let part: 'outside' | 'search' | 'replace' = 'outside';
  let [searched, replaced] = [[] as string[], [] as string[]];
  for (const line of diff.split('\n')) {
    if (part === 'outside') {
      if (opens.test(line)) [part, searched, replaced] = ['search', [], []];
      else if (line.trim() !== '') return notUnderstood(args);
    } else if (part === 'search' && divides.test(line)) part = 'replace';
    else if (part === 'replace' && closes.test(line)) {
      edits.push({ old_text: withoutHint(searched).join('\n'), new_text: replaced.join('\n') });
      part = 'outside';
    } else (part === 'search' ? searched : replaced).push(line);
  }
  return part !== 'outside' || edits.length === 0 ? notUnderstood(args) : edits;
}

const opens = /^(?:<{5,}|-{5,}) ?SEARCH>?\s*$/;
const divides = /^={5,}\s*$/;
const closes = /^(?:>{5,}|\+{5,}) ?REPLACE>?\s*$/;

/** Roo Code says before the text where it begins: ":start_line:10", "-------". The text itself is what counts. */
function withoutHint(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => /^-{5,}\s*$/.test(line));
  const isHint = end > 0 && lines.slice(0, end).every((line) => /^:(?:start|end)_line: ?\d+\s*$/.test(line));
  return isHint ? lines.slice(end + 1) : lines;
}

function notUnderstood(args: CallArguments): [] {
  args.refuse('diff holds no whole blocks of SEARCH and REPLACE');
  return [];
}
