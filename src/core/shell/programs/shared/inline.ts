import { judgeOneLiner } from '../../calls/inlineCode';
import { judgeByManual } from '../../calls/judgeByManual';
import type { Judge } from '../../calls/manual';
import { note, touch, type Scope } from '../../effects/scope';
import { judgeTests } from './projectCode';
import { type Value, splitWords } from '../../syntax/value';

const flag = /^(-e|-p|-pe|-ep|-c|-r|--eval|--print)$/;

/** Clustered options that end with the one for code: `perl -lane CODE`. */
const flags = /^-[a-zA-Z0-9]*[eE]$/;

/** Judges code in the command itself. Only constant one-liners are understood. */
export const judgeInline: Judge = (one) => {
  const { name, words, scope, whole, manual } = one;
  // In languages other than Python, -c only checks the program's syntax.
  const at = words.findIndex(
    (word) =>
      (flag.test(word.text) || (/^(perl|ruby)$/.test(name) && flags.test(word.text))) &&
      !(word.text === '-c' && /^(perl|ruby|node)$/.test(name)) &&
      !(word.text === '-r' && /^(node|ruby)$/.test(name)),
  );
  const before = at < 0 ? words : words.slice(0, at);
  if (name === 'node' && at < 0 && words[0]?.text === '--test') {
    judgeTests(one);
    judgeByManual({
      manual: {
        level: 'low',
        operands: { rest: 'search' },
        ...(manual.options !== undefined && { options: manual.options }),
      },
      name,
      words,
      scope,
      flow: one.flow,
      whole,
    });
    return 'done';
  }
  const check = words.findIndex(({ text }) => /^(-c|--check)$/.test(text));
  if (name === 'node' && at < 0 && check >= 0 && words.length === 2) {
    touch(scope, 'reads', words[1 - check]!);
    note(scope, 'low', whole);
    return 'done';
  }
  if (at < 0 || before.some((word) => !word.text.startsWith('-'))) return undefined;
  const code = words[at + 1];
  const files = words.slice(at + 2);
  if (name === 'perl' && judgeFilter({ options: words.slice(0, at + 1), program: code, files, scope, whole }))
    return 'done';
  judgeOneLiner({ language: name, options: before, code, files, scope, whole });
  return 'done';
};

/*
 * `perl -ne 'print if /x/'`: Perl as a text filter, like sed and awk. A program needs no approval if every word of it is
 * known to compute or print. Anything else makes it inline code.
 */

/** Words that compute, select and print. None opens a file, starts a program or loads code. */
const knownWords = new Set(
  splitWords(`
    print printf say if elsif else unless for foreach while until last next redo my and or not xor x eq ne lt gt
    le ge cmp length substr index rindex split join sort reverse keys values each scalar sprintf lc uc lcfirst
    ucfirst chomp chop push pop shift unshift splice map grep abs int sqrt hex oct ord chr defined undef exists
    delete pos eof BEGIN END sum sum0 min max first uniq floor ceil any all
  `),
);

/** Modules that only compute. */
const knownModule = /^-M(?:strict|warnings|utf8|List::Util|POSIX|Data::Dumper)(?:=[\w,]+)?$/;

const filterOption = /^-(?:[nplaw]*|[nplaw]*0\d{0,3}[nplaw]*|F.+|[nplaw]*i(?:\.\w+)?|[nplaw]*(?:i(?:\.\w+)?)?[eE])$/;

/** Sticky patterns for the tokens of a program. Each matches one whole token. */
const blank = /\s+/y;

const word = /[A-Za-z_]\w*/y;

const variable = /[$@%]#?(?:\{?(?!ENV\b|INC\b|ARGV\b|SIG\b)[A-Za-z]\w*\}?|\d+|[_.,;/\\&!])/y;

const numeral = /\d[\d_]*(?:\.\d+)?/y;

const singleQuoted = /'(?:\\.|[^'\\])*'/y;

/**
 * A variable inside a string or pattern. Its subscript would be evaluated, so only a number, a variable or a plain key
 * is allowed.
 */
const inserted = String.raw`\$(?:\d+(?!\d)|[&.]|[A-Za-z_]\w*(?!\w)(?:\[-?\d+\]|\[\$\w+\]|\{\w+\})?)(?![[{]|->)`;

const doubleQuoted = new RegExp(String.raw`"(?:\\.|[^"\\$@]|${inserted}|@(?![{[\w$]))*"`, 'y');

const pattern = new RegExp(String.raw`\/(?:\\.|[^/\\@$\n]|\$(?=[)|/])|${inserted})*\/[gimsxnco]*`, 'y');

const substitution = new RegExp(
  String.raw`(?:s|tr|y)([/|#,!])(?:\\.|(?!\1)[^\\@$\n]|\$(?=\1|[)|])|${inserted})*\1(?:\\.|(?!\1)[^\\@$\n]|${inserted})*\1[gimsxndcr]*(?!\w)`,
  'y',
);

const division = /\//y;

const operator = /<=>|\.\.|&&|\|\||=~|!~|==|!=|<=|>=|->|=>|\+\+|--|\*\*|[-+*/.]=|[-+*%.,;(){}[\]=<>?:!]/y;

/** After a token with one of these ends, a `/` is a division, not a pattern. */
const beforeDivision = /[\w)\]}]$/;

/** After one of these words, it is a pattern. */
const beforePattern = /\b(?:if|unless|and|or|not|split|grep|while)$/;

/** Returns whether every piece of a Perl program is known to only compute and print. */
function onlyFilters(program: string): boolean {
  // Code inside a pattern, and text that runs as a command.
  if (/\(\?\??\{|`|<\s*[A-Z$]|<<|>>|\bqx\b/.test(program)) return false;
  let at = 0;
  let lastToken = '';
  const take = (piece: RegExp): string | undefined => {
    piece.lastIndex = at;
    const found = piece.exec(program)?.[0];
    if (found === undefined) return undefined;
    at += found.length;
    if (piece !== blank) lastToken = found;
    return found;
  };
  while (at < program.length) {
    const mayDivide = beforeDivision.test(lastToken) && !beforePattern.test(lastToken);
    if (
      take(blank) ??
      take(variable) ??
      take(numeral) ??
      take(singleQuoted) ??
      take(doubleQuoted) ??
      take(substitution)
    )
      continue;
    if (!mayDivide && take(pattern)) continue;
    if (mayDivide && take(division)) continue;
    const name = take(word);
    if (name !== undefined) {
      if (!knownWords.has(name)) return false;
      continue;
    }
    if (take(operator) === undefined) return false;
  }
  // Printing is allowed only to stdout, not to a file or program.
  return !/\b(?:print|printf|say)\b\s*(?:\{|[A-Z]+\s+[^,;]|\$\w+\s+["'$])/.test(program);
}

interface Filter {
  /** Words before the program. */
  readonly options: readonly Value[];
  readonly program: Value | undefined;
  readonly files: readonly Value[];
  readonly scope: Scope;
  readonly whole: string;
}

/** Judges Perl as a filter. Returns false for other code. */
function judgeFilter({ options, program, files, scope, whole }: Filter): boolean {
  const optionTexts = options.map(({ text }) => text);
  const areKnown =
    options.every(({ kind }) => kind === 'literal') &&
    optionTexts.every((text) => filterOption.test(text) || knownModule.test(text));
  const filters = optionTexts.some((text) => /^-[a-zA-Z0-9]*[np]/.test(text));
  if (!areKnown || !filters || program?.kind !== 'literal' || program.computed || !onlyFilters(program.text))
    return false;
  // Perl treats a file name that starts or ends with a shell character as a command. A pattern may match such a name.
  if (files.some(({ kind, text }) => kind !== 'literal' || /[|<>]|^\s|\s$/.test(text))) return false;
  const changes = optionTexts.some((text) => /^-[a-zA-Z0-9]*i/.test(text) && !/^-[MF]/.test(text));
  for (const file of files) touch(scope, changes ? 'writes' : 'reads', file);
  note(scope, changes ? 'medium' : 'low', whole, changes ? 'Changes files of the workspace.' : undefined);
  return true;
}
