import type { Judge } from '../../calls/manual';
import { flags, high, optionalValues, optionTable, readArguments, takes, values } from '../../calls/options';
import { note, refuse, touch } from '../../effects/scope';
import { literal } from '../../syntax/value';

const table = optionTable([
  flags(`
      -n -E -r -s -u -z -b --quiet --silent --regexp-extended --separate --unbuffered --null-data
      --posix --debug --version --help
    `),
  values('-l -e --expression --line-length'),
  optionalValues('-i --in-place'),
  high(flags('--follow-symlinks'), takes('read', '-f --file')),
]);

/** Allows scripts in which every command is known to change only the text passing through. */
export const judgeSed: Judge = ({ words, scope, whole }) => {
  const { options, operands } = readArguments(words, table, 'letters');
  note(scope, 'low', whole);
  const scripts = options
    .filter(({ option }) => option && /^(-e|--expression)$/.test(option.name))
    .flatMap(({ value }) => (value ? [value] : []));
  for (const { option, culprit } of options)
    if (!option || option.level === 'high')
      refuse(scope, culprit, 'Uses an option that makes "sed" do more than usual.');
  const files =
    scripts.length > 0 || options.some(({ option }) => option?.role === 'read') ? [...operands] : operands.slice(1);
  if (scripts.length === 0 && operands[0]) scripts.push(operands[0]);
  for (const script of scripts) {
    const inserted = script.kind === 'literal' ? filesOfHarmlessScript(script.text) : undefined;
    if (inserted === undefined) refuse(scope, script.source, 'Runs a sed script that can run commands or write files.');
    for (const file of inserted ?? []) touch(scope, 'reads', literal(file, script.source));
  }
  const places = options.find(({ option }) => option && /^(-i|--in-place)$/.test(option.name));
  if (places?.value && (places.value.kind !== 'literal' || !/^\.?[\w~]*$/.test(places.value.text)))
    refuse(scope, places.culprit, 'Keeps copies in a place that is not written out.');
  for (const file of files) touch(scope, places ? 'writes' : 'reads', file);
  return 'done';
};

/**
 * Parses a script command by command. Returns the files whose text it inserts, or undefined if anything in it is not
 * known to be harmless.
 */
function filesOfHarmlessScript(script: string): string[] | undefined {
  const inserted: string[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(script);
    if (found) at = pattern.lastIndex;
    return found;
  };
  /** Skips past the next unescaped `delimiter` of a text. */
  const skipText = (delimiter: string): boolean => {
    for (; at < script.length; at++) {
      const letter = script[at]!;
      if (letter === '\\') at++;
      else if (letter === '\n') return false;
      else if (letter === delimiter) {
        at++;
        return true;
      }
    }
    return false;
  };
  /**
   * Skips past the next unescaped `delimiter` of an expression. Inside of brackets it is an ordinary character; a sed
   * that ends the expression there reports it as invalid.
   */
  const skipExpression = (delimiter: string): boolean => {
    while (at < script.length && script[at] !== '\n') {
      if (match(/\[\^?\]?(?:\[([:.=])[^\]\n]*\1\]|\\[^\]\\/|,#:@!%~_\n]|[^\]\\[\n]|\[(?![:.=]))*\]/y)) continue;
      const letter = script[at]!;
      if (letter === '[') return false;
      at += letter === '\\' ? 2 : 1;
      if (letter === delimiter) return true;
    }
    return false;
  };
  const address = (): boolean => {
    if (match(/(\d+(~\d+)?|\$)\s*/y)) return true;
    if (!match(/\//y) || !skipExpression('/')) return false;
    match(/[IM]*\s*/y);
    return true;
  };
  while (at < script.length) {
    if (match(/[\s;]+/y) || match(/#[^\n]*/y)) continue;
    if (/[\d$/]/.test(script[at]!)) {
      if (!address()) return undefined;
      if (match(/,\s*/y) && !match(/[+~]\d+\s*/y) && !address()) return undefined;
    }
    match(/\s*(?:!+\s*)?/y);
    if (
      match(/[pdDPgGhHnNxz=F]\s*(?=[;}\n]|$)/y) ||
      match(/[{}]/y) ||
      match(/[qQ][ \t]*(?:\d+[ \t]*)?(?=[;}\n]|$)/y) ||
      match(/[btT:][ \t]*(?:\w+[ \t]*)?(?=[;}\n]|$)/y)
    )
      continue;
    // After a backslash and a newline, a backslash at the end of a line continues the text. Otherwise the text is the rest
    // of the line; whether a backslash at its end continues it depends on the version.
    if (match(/[aic][ \t]*\\\n(?:\\[\s\S]|[^\n\\])*/y) || match(/[aic][^\n]*/y)) continue;
    const file = match(/r[ \t]*([^\n]+)/y);
    if (file) {
      inserted.push(file[1]!);
      continue;
    }
    const kind = match(/([sy])([/|#,:@!%~_])/y);
    const skipFirst = kind?.[1] === 's' ? skipExpression : skipText;
    if (!kind || !skipFirst(kind[2]!) || !skipText(kind[2]!)) return undefined;
    if (kind[1] === 's') match(/[gpiIM0-9]*/y);
    if (!match(/\s*(?=[;}\n]|$)/y)) return undefined;
  }
  return inserted;
}
