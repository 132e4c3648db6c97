import type { ParameterOperation } from 'unbash';
import { matchesGlob } from '../../syntax/globs';
import { folderAbove, withoutTilde } from './printedText';
import { wordText } from './plainWords';

/** Maximum length of a text of which patterns cut off a part. */
const maxCut = 300;

/** Returns what `${name…}` may stand for; undefined if that is not known. */
export function changedValues(
  operation: ParameterOperation,
  values: readonly string[][] | undefined,
): readonly string[][] | undefined {
  if (operation.type === 'Default') {
    const fallback = operation.operator.includes('?') ? undefined : wordText(operation.operand);
    const others = fallback === undefined ? [] : [[fallback]];
    return operation.operator.includes('+') ? others : [...(values ?? []), ...others];
  }
  const change = changeOf(operation);
  return change && values?.map((words) => words.map((text) => change(withoutTilde(text))));
}

function changeOf(operation: ParameterOperation): ((text: string) => string) | undefined {
  switch (operation.type) {
    case 'Remove': {
      const pattern = wordText(operation.operand);
      return pattern === undefined ? undefined : (text) => withoutMatch(text, operation.operator, pattern);
    }
    case 'Replace': {
      const [pattern, replacement] = [wordText(operation.pattern), wordText(operation.replacement)];
      if (!pattern || replacement === undefined) return undefined;
      return (text) =>
        operation.operator === '//'
          ? text.replaceAll(pattern, () => replacement)
          : text.replace(pattern, () => replacement);
    }
    case 'Slice': {
      // In zsh, `${path:h}` is the folder above.
      if (operation.offset.text === 'h') return folderAbove;
      const [start, length] = [operation.offset.text.trim(), operation.length?.text.trim()];
      if (![start, length ?? '0'].every((number) => /^-?\d+$/.test(number))) return undefined;
      return (text) => sliced(text, Number(start), length === undefined ? undefined : Number(length));
    }
    case 'CaseModification':
      return (text) => cased(text, operation.operator);
    default:
      return (text) => text;
  }
}

function sliced(text: string, start: number, length: number | undefined): string {
  const from = start < 0 ? Math.max(text.length + start, 0) : start;
  if (length === undefined) return text.slice(from);
  return length < 0 ? text.slice(from, length) : text.slice(from, from + length);
}

function cased(text: string, operator: string): string {
  const change = (part: string): string => (operator.startsWith('^') ? part.toUpperCase() : part.toLowerCase());
  return operator.length > 1 ? change(text) : change(text.slice(0, 1)) + text.slice(1);
}

/** Cuts off the shortest or longest part at the start or the end that matches. */
function withoutMatch(text: string, operator: string, pattern: string): string {
  if (text.length > maxCut) return text;
  const lengths = Array.from({ length: text.length + 1 }, (_, length) => length);
  const fromStart = operator.startsWith('#');
  const partOf = (length: number): string => (fromStart ? text.slice(0, length) : text.slice(text.length - length));
  const order = operator.length > 1 ? lengths.reverse() : lengths;
  const length = order.find((each) => matchesGlob(pattern, partOf(each)));
  if (length === undefined) return text;
  return fromStart ? text.slice(length) : text.slice(0, text.length - length);
}
