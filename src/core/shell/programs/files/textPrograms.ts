import { anyOf } from '../../../text/alternatives';
import { each, type Family, type Judge } from '../../calls/manual';
import { flags, high, medium, takes, values } from '../../calls/options';
import { doubt, note, refuse, touch } from '../../effects/scope';
import { fileReadingManual } from '../shared/kinds';
import { judgeJq } from './search';
import { judgeSed } from './sed';

const plainText = /"(?:[^"\\]|\\[^])*("|\\?$)/g;

const dangerous = anyOf([
  /\b(system|getline|close|fflush|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARGV|ARGC|extension|nextfile)\b/,
  '@',
  /(^|[^|])\|([^|]|$)/,
  /\b(?:print|printf)\b(?:(?!\bprintf?\b)[^;}\n])*>/,
  /[^=!<>]>>/,
]);

/**
 * Constructs that must not occur at all if it is unclear what is a string: awk implementations differ in where some
 * regular expressions end.
 */
const dangerousWherever =
  /system|getline|close|fflush|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARGV|ARGC|extension|nextfile|[@|>]/;

/** Words followed by an operand, so that a slash starts a regular expression. */
const beforeOperand = /^(?:print|printf|return|case|else|do|exit|in)$/;

const beforeCondition = /^(?:if|while|for|switch)$/;

const string = /"(?:[^"\\]|\\[^])*"/y;

const comment = /#[^\n]*/y;

const word = /[A-Za-z_]\w*|\d[\w.]*|\+\+|--/y;

const expression = /\/(?:[^/\\\n]|\\[^\n])*\//y;

/** Returns whether it ends inside brackets. In some awks, a slash there ends the expression; in others, it does not. */
function endsInBrackets(found: string): boolean {
  const plain = found.replace(/\\./g, 'x').replace(/\[[:.=]\w*[:.=]\]/g, 'x');
  const last = plain.lastIndexOf('[');
  const inBrackets = plain.slice(last).replace(/^\[\^?\]?/, '');
  return last >= 0 && !inBrackets.includes(']');
}

/**
 * Returns the program without strings, regular expressions and comments. Undefined if it is unclear where one of them
 * ends.
 */
function withoutText(program: string): string | undefined {
  /** For each open parenthesis, true if a statement starts after it closes. */
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

/** Returns whether a program may run commands or write files. */
function doesMore(program: string): boolean {
  const withoutStrings = program.replace(plainText, (found, end: string) => (end === '"' ? '""' : found));
  if (program.includes('/inet') || dangerous.test(withoutStrings)) return true;
  const rest = withoutText(program);
  return rest === undefined ? dangerousWherever.test(program) : dangerous.test(rest);
}

/** Allows programs that only compute and print. */
const judgeAwk: Judge = ({ words, scope, whole }) => {
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
      refuse(scope, text, 'Uses an option that makes "awk" do more than print.');
  }
  const [program, ...files] = words.slice(at);
  if (!program) return 'done';
  if (program.kind !== 'literal') doubt(scope, program.source, 'Runs an awk program that is only known when it runs.');
  else if (doesMore(program.text))
    refuse(scope, program.source, 'Runs an awk program that can run commands or write files.');
  for (const file of files) if (!/^[A-Za-z_]\w*=/.test(file.text)) touch(scope, 'reads', file);
  return 'done';
};

/** Verbs of Miller whose words are a program, or that write files. */
const millerVerb = /^(?:put|filter|tee|split|case|exec)$/;
const millerDanger = /\b(?:system|exec|os_type|hostname|tee|emit\w*|dump|edump|printn?|eprintn?|ENV)\b/;

/** Any word may be a file, and those after `put` a program, which can run others. */
const judgeMiller: Judge = ({ words, scope, whole }) => {
  const isProgram = words.some(({ text }) => millerVerb.test(text));
  if (
    isProgram &&
    words.some(
      ({ kind, text }) => kind !== 'literal' || millerDanger.test(text) || /^(?:tee|split|exec|-f|-s|-e)$/.test(text),
    )
  )
    refuse(scope, whole, 'Runs a program of Miller that may write files or run others.');
  for (const word of words) if (/^[^-+{$]/.test(word.text)) touch(scope, 'reads', word);
  return undefined;
};

export const textProgramsFamily: Family = {
  takesData: ['jq', 'yq'],
  programs: {
    ...each(
      'csvstat csvcut csvgrep csvlook csvjson csvsort csvstack csvjoin',
      fileReadingManual([
        values('-c -m -r -d -y -e --columns --match --regex --delimiter'),
        flags(`
        -t -n -H -S -I -i -l --names --count --unique --mean --max --min --sum --nulls --freq --type
        --no-inference --reverse
      `),
      ]),
    ),
    ...each('xsv qsv', {
      level: 'high',
      options: [flags('--version --help')],
      verbs: {
        ...each(
          `
          headers stats count frequency select slice search sort table sample flatten fmt join cat
          dedup schema sniff
        `,
          fileReadingManual([
            flags('--no-headers --just-names -R -N'),
            values('-s -n -i -l -d -e -r -c --limit --select --delimiter'),
            takes('write', '-o --output'),
          ]),
        ),
      },
    }),
    dasel: {
      level: 'high',
      reason: 'Can change a file.',
      verbs: {
        ...each('put delete', { level: 'high', reason: 'Can change a file.' }),
        select: fileReadingManual(
          [flags('-m --plain'), values('-p -r -w -s --parser --read --write --selector'), takes('read', '-f --file')],
          ['text'],
        ),
      },
      options: [flags('--version')],
    },
    ...each('tomlq xq', {
      level: 'low',
      operands: { first: ['text'], rest: 'read' },
      judge: judgeJq,
      options: [flags('-r -c -e -s -n -S -j --raw-output --version'), values('--arg')],
    }),
    ...each(
      'htmlq pup',
      fileReadingManual(
        [
          flags('-t -p -c --text --pretty --color -n --number'),
          values('-a -i --attribute'),
          takes('read', '-f --filename'),
        ],
        { rest: 'text' },
      ),
    ),
    gron: fileReadingManual(
      [flags('-u -s -j -v --ungron --stream --json --no-sort --values --monochrome -m -c')],
      ['read'],
    ),
    ...each(
      'glow mdcat',
      fileReadingManual([flags('--no-pager'), values('-s -w --style --width --columns')], { rest: 'read' }),
    ),
    ...each('xmlstarlet xml', {
      level: 'high',
      options: [flags('--version')],
      verbs: {
        ...each(
          'sel el val fo elements format select validate',
          fileReadingManual(
            [flags('-t -n -q -e -u -a -T -w --well-formed --noout'), values('-v -m -c -o -N --xpath -s')],
            {
              rest: 'text',
            },
          ),
        ),
      },
    }),
    mlr: {
      level: 'low',
      judge: judgeMiller,
      style: 'words',
      operands: { rest: 'text' },
      others: 'high',
      options: [
        flags(`
          --icsv --ojson --opretty --ocsv --ijson --c2p --c2j --j2c --json --csv --tsv -n --version
        `),
        takes('read', '--from'),
        // Options of verbs: fields, counts and orders.
        values('-f -g -a -o -nr -nf -r -c -x'),
        high(flags('-I')),
      ],
    },
    ...each('awk gawk mawk nawk', { level: 'low', judge: judgeAwk }),
    ...each('sed gsed', { level: 'low', judge: judgeSed }),
    jq: {
      level: 'low',
      operands: { first: ['text'], rest: 'read' },
      judge: judgeJq,
      insteadOfFirst: ['-f', '--from-file'],
      options: [
        values('--indent --arg --argjson'),
        flags(`
          -r -c -n -e -s -S -R -a -j -C -M --raw-output --compact-output --null-input --exit-status
          --slurp --sort-keys --raw-input --tab --args --color-output --monochrome-output --version
          --join-output
        `),
        takes('read', '-f --from-file'),
        high(values('-L --slurpfile --rawfile')),
      ],
    },
    yq: {
      level: 'low',
      operands: { first: ['text'], rest: 'search' },
      judge: judgeJq,
      options: [
        flags('-r -P -e -j -n -M -C -N --no-doc --prettyPrint --version --unwrapScalar'),
        values('-o -p --output-format --input-format'),
        medium(flags('-i --inplace')),
        high(values('--from-file --split-exp')),
      ],
    },
    xmllint: {
      level: 'low',
      operands: { rest: 'read' },
      options: [
        flags('--noout --format --nonet --version'),
        values('--xpath'),
        medium(flags('--valid')),
        // A file may name others, also on other machines, and these replace them by their content.
        high(flags('--noent --xinclude --loaddtd --dtdattr --postvalid --shell')),
        takes('read', '--schema --relaxng'),
      ],
    },
    jc: { level: 'low', operands: [], style: 'words', others: 'low' },
  },
};
