import { doubt, note, refuse, touch } from '../../effects/scope';
import type { Judge } from '../../calls/manual';

const plainText = /"(?:[^"\\]|\\[^])*("|\\?$)/g;
const dangerous =
  /\b(system|getline|close|fflush|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARGV|ARGC|extension|nextfile)\b|@|(^|[^|])\|([^|]|$)|\b(?:print|printf)\b(?:(?!\bprintf?\b)[^;}\n])*>|[^=!<>]>>/;
/** What must not even be named where it is unclear what is text: awks differ in where some regular expressions end. */
const dangerousWherever =
  /system|getline|close|fflush|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARGV|ARGC|extension|nextfile|[@|>]/;

/** Words behind which an operand stands, so that a slash begins a regular expression. */
const beforeOperand = /^(?:print|printf|return|case|else|do|exit|in)$/;
const beforeCondition = /^(?:if|while|for|switch)$/;

const string = /"(?:[^"\\]|\\[^])*"/y;
const comment = /#[^\n]*/y;
const word = /[A-Za-z_]\w*|\d[\w.]*|\+\+|--/y;
const expression = /\/(?:[^/\\\n]|\\[^\n])*\//y;

/** Whether it ends inside brackets: for some awks a slash there is the end, and for others it is not. */
function endsInBrackets(found: string): boolean {
  const plain = found.replace(/\\./g, 'x').replace(/\[[:.=]\w*[:.=]\]/g, 'x');
  const last = plain.lastIndexOf('[');
  const inBrackets = plain.slice(last).replace(/^\[\^?\]?/, '');
  return last >= 0 && !inBrackets.includes(']');
}

/** The program without its strings, regular expressions and comments; undefined where it is unclear where one of them ends. */
function withoutText(program: string): string | undefined {
  /** For each open parenthesis, whether a statement begins behind its end. */
  const conditions: boolean[] = [];
  let rest = '';
  let before = '';
  let operandExpected = true;
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(program)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  while (at < program.length) {
    const letter = program[at]!;
    if (letter === '#') {
      if (take(comment)!.endsWith('\\')) return undefined;
    } else if (letter === '"') {
      if (take(string) === undefined) return undefined;
      rest += '""';
      operandExpected = false;
    } else if (letter === '/' && operandExpected) {
      const found = take(expression);
      if (found === undefined || endsInBrackets(found)) return undefined;
      rest += '""';
      operandExpected = false;
    } else {
      const found = take(word) ?? program[at++]!;
      rest += found;
      if (/^[ \t\r\\]$/.test(found)) continue;
      if (found === '(') conditions.push(beforeCondition.test(before));
      const closesCondition = found === ')' && conditions.pop() === true;
      const endsOperand = /^[\w)\]+-]/.test(found) && !/^[+-]$/.test(found) && !beforeOperand.test(found);
      operandExpected = closesCondition || !endsOperand;
      before = found;
    }
  }
  return rest;
}

/** Whether it may run commands or write files. */
function doesMore(program: string): boolean {
  const withoutStrings = program.replace(plainText, (found, end: string) => (end === '"' ? '""' : found));
  if (program.includes('/inet') || dangerous.test(withoutStrings)) return true;
  const rest = withoutText(program);
  return rest === undefined ? dangerousWherever.test(program) : dangerous.test(rest);
}

/** Programs that only compute and print. */
export const judgeAwk: Judge = ({ words, scope, whole }) => {
  note(scope, 'low', whole);
  let at = 0;
  for (; at < words.length; at++) {
    const { text, kind } = words[at]!;
    if (kind === 'unknown' && text === '') break;
    if (text === '--') {
      at++;
      break;
    }
    if (!/^-./.test(text)) break;
    if (/^-F.|^-v.+/.test(text)) continue;
    if (/^(-F|-v)$/.test(text)) at++;
    else if (!/^(--version|--posix|--traditional|--csv|-k)$/.test(text))
      refuse(scope, text, 'This option makes "awk" do more than print.');
  }
  const [program, ...files] = words.slice(at);
  if (!program) return 'done';
  if (program.kind !== 'literal') doubt(scope, program.source, 'The program is only known when it runs.');
  else if (doesMore(program.text)) refuse(scope, program.source, 'The program can run commands or write files.');
  for (const file of files) if (!/^[A-Za-z_]\w*=/.test(file.text)) touch(scope, 'reads', file);
  return 'done';
};
