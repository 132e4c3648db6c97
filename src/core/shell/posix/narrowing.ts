import type { Statement } from 'unbash';
import { fitsAnything } from '../syntax/globs';

type Node = Statement['command'];

/** Parts of the names of variables that hold secrets, and of programs and services that need some. */
const secretive =
  /tok|key|secret|pass|pwd|cred|auth|api|aws|azure|gcp|google|git|gh_|npm|db|database|sql|redis|mongo|dsn|ur[li]|jwt|cookie|session|private|hook|slack|stripe|ai|claude|anthropic|smtp|mail|docker|kube|vault|ssh|gpg|cert|sign|salt|hash|sentry/i;
/** Programs that leave the lines as they are, or fewer of them. */
const passesOn = /^(sort|uniq|head|tail|cat)$/;

/**
 * Whether the commands behind one that shows every variable let through only their names, or those with a name that
 * is asked for.
 */
export function showsLittle(stages: readonly Node[]): boolean {
  for (const node of stages) {
    if (node.type !== 'Command' || !node.name) return false;
    const words = node.args.map((argument) => (argument.type === 'Word' ? argument.value : argument.text));
    const program = node.name.text;
    if (passesOn.test(program)) continue;
    if (program === 'wc') return true;
    if (program === 'cut') return /^-d ?'?=?'? ?-f ?1$/.test(words.join(' ').replaceAll('"', ''));
    if (program === 'awk') return /^-F ?= \{ ?print \$1 ?\}$/.test(words.join(' '));
    if (program === 'sed') return words.length === 1 && /^s\/=\.\*\/\/$/.test(words[0]!);
    return /^(grep|egrep|rg)$/.test(program) && asksForNames(words);
  }
  return false;
}

function asksForNames(words: readonly string[]): boolean {
  const options = words.filter((word) => word.startsWith('-'));
  const [pattern, ...more] = words.filter((word) => !word.startsWith('-'));
  if (pattern === undefined || more.length > 0 || options.some((option) => !/^-[EicnowqF]+$/.test(option)))
    return false;
  const names = pattern.split(/\\?\|/).map((part) => part.replace(/[\^$=().*\\]/g, ''));
  return !fitsAnything(pattern) && names.every((name) => /^\w{3,}$/.test(name) && !secretive.test(name));
}
