import { anyOf, exactlyOneOf } from '../../../text/alternatives';
import { judgeByManual } from '../../calls/judgeByManual';
import { eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import { flags, high, medium, optionalValues, type Options, takes, values } from '../../calls/options';
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
  const slashes = new SlashMeaning();
  let rest = '';
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
    } else if (letter === '"' || (letter === '/' && slashes.startExpression)) {
      const found = take(letter === '"' ? string : expression);
      if (found === undefined || (letter === '/' && endsInBrackets(found))) return undefined;
      rest += '""';
      slashes.afterText();
    } else {
      const found = take(word) ?? program[at++]!;
      rest += found;
      slashes.after(found);
    }
  }
  return rest;
}

/** Tells whether a slash begins a regular expression or divides, from what stands before it. */
class SlashMeaning {
  startExpression = true;
  /** For each open parenthesis, true if a statement starts after it closes. */
  private readonly conditions: boolean[] = [];
  private before = '';

  afterText(): void {
    this.startExpression = false;
  }

  after(found: string): void {
    if (/^[ \t\r\\]$/.test(found)) return;
    if (found === '(') this.conditions.push(beforeCondition.test(this.before));
    const closesCondition = found === ')' && this.conditions.pop() === true;
    const endsOperand = /^[\w)\]+-]/.test(found) && !/^[+-]$/.test(found) && !beforeOperand.test(found);
    this.startExpression = closesCondition || !endsOperand;
    this.before = found;
  }
}

/** The pattern that selects lines at the start of a program: `/system/ {print}`. */
const leadingPattern = /^\s*\/(?:\\.|[^/\\\n[])*\/(?=\s*\{)/;

/** Returns whether a program may run commands or write files. */
function doesMore(whole: string): boolean {
  const program = whole.replace(leadingPattern, '');
  const withoutStrings = program.replace(plainText, (found, end: string) => (end === '"' ? '""' : found));
  if (program.includes('/inet') || dangerous.test(withoutStrings)) return true;
  const rest = withoutText(program);
  return rest === undefined ? dangerousWherever.test(program) : dangerous.test(rest);
}

/** Options of awk that neither load code nor write files. */
const plainAwkOption = exactlyOneOf([
  '--version --posix --traditional --csv -k --help',
  /-[bcCPSnrsVh]/,
  /--(?:characters-as-bytes|sandbox|re-interval|bignum|(?:field-separator|assign)=.+)/,
]);

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
    else if (/^--(?:field-separator|assign)$/.test(text)) at++;
    else if (!plainAwkOption.test(text)) refuse(scope, text, 'Uses an option that makes "awk" do more than print.');
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
  if (/^(?:repl|regtest)$/.test(words[0]?.text ?? '')) refuse(scope, whole, 'Runs what "mlr" gets as input.');
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

/** What csvkit's programs have in common. `-r` takes a value, except of `csvsort`. */
const csvOptions: Options = [
  values(`
    -c -C -m -r -d -y -e -q -u -p -z -L -K --columns --not-columns --match --regex --delimiter --quotechar --quoting
    --escapechar --maxfieldsize --encoding --locale --skip-lines --snifflimit --date-format
    --datetime-format --max-rows --max-columns --max-column-width --max-precision --decimal-format
    --freq-count --key --indent --lat --lon --crs --groups --group-name
  `),
  flags(`
    -t -b -n -H -S -I -i -l -x -a -v -V -h --tabs --no-doublequote --skipinitialspace --no-header-row --verbose
    --linenumbers --zero --add-bom --blanks --names --delete-empty-rows --count --unique --mean --median
    --stdev --max --min --sum --len --nulls --non-nulls --freq --type --csv --json --no-inference
    --reverse --invert-match --any-match --left --right --outer --no-number-ellipsis
    --no-grouping-separator --stream --filenames --version --help
  `),
  takes('read', '-f --file'),
];

/** XPath can read other files, and XSLT can also write them. */
const judgeXPath: Judge = ({ words, scope }) => {
  for (const { kind, text, source } of words)
    if (kind === 'unknown') doubt(scope, source, 'Uses an argument that is only known when it runs.');
    else if (/\b(?:document|unparsed-text|doc|evaluate)\s*\(/i.test(text))
      refuse(scope, source, 'Uses an expression that can read other files.');
  return undefined;
};

/** `xml ed` prints what it changed, or changes the file with `-L`. */
const judgeXmlEdit: Judge = (call) => {
  judgeXPath(call);
  const { judge, ...plain } = call.manual;
  const inPlace = call.words.some(({ text }) => /^(?:-L|--inp\w*)$/.test(text));
  const manual: Manual = inPlace
    ? { ...plain, level: 'medium', reason: 'Changes files.', operands: { rest: 'write' } }
    : plain;
  judgeByManual({ ...call, manual });
  return 'done';
};

const xmlReading = (options: Options): Manual => ({
  level: 'low',
  others: 'high',
  operands: { rest: 'read' },
  judge: judgeXPath,
  options: [flags('--help -h'), ...options],
});

const xmlStarlet: Manual = {
  level: 'high',
  options: [flags('--version --help -q --quiet --doc-namespace --no-doc-namespace')],
  verbs: {
    ...eachNamed(
      'sel select',
      xmlReading([
        flags(`
          -Q -C -R -T -I -D -B -t -n -f -b --quiet --comp --root --text --indent --xml-decl --noblanks --template --nl
          --inp-name --break --else
        `),
        values(`
          -E -N -c -v -o -m -i -e -a -s --encode --copy-of --value-of --output --match --if --elif --elem --attr
          --sort --var
        `),
      ]),
    ),
    ...eachNamed('el elements', xmlReading([flags('-a -v -u'), optionalValues('-d')])),
    ...eachNamed(
      'val validate',
      xmlReading([
        flags(`
          -w -e -S -b -g -q --well-formed --err --stop --list-bad --list-good --quiet
        `),
        takes('read', '-d -s -r --dtd --xsd --relaxng'),
      ]),
    ),
    ...eachNamed(
      'fo format',
      xmlReading([
        flags(`
          -n -t -o -R -D -C -N -H -Q --noindent --indent-tab --omit-decl --recover --dropdtd --nocdata --nsclean --html
          --quiet
        `),
        values('-s -e --indent-spaces --encode'),
      ]),
    ),
    ...eachNamed('ed edit', {
      ...xmlReading([
        flags('-P -S -O -L --pf --ps --omit-decl --inplace'),
        values(`
          -N -d -i -a -s -t -n -v -m -r -u -x --delete --insert --append --subnode --type --name --value --move --rename
          --update --expr --var
        `),
      ]),
      judge: judgeXmlEdit,
    }),
    ...eachNamed(
      'c14n canonic',
      xmlReading([flags('--with-comments --without-comments --exc-with-comments --exc-without-comments')]),
    ),
    ...eachNamed('pyx xmln p2x depyx', xmlReading([])),
    ...eachNamed('esc escape unesc unescape', { ...xmlReading([]), operands: { rest: 'text' } }),
  },
};

export const textProgramsFamily: Family = {
  takesData: ['jq', 'yq'],
  programs: {
    ...eachNamed('csvstat csvcut csvgrep csvlook csvjson csvstack csvjoin', fileReadingManual(csvOptions)),
    csvsort: fileReadingManual([csvOptions.flat(), flags('-r')]),
    ...eachNamed('xsv qsv', {
      level: 'high',
      options: [flags('--version --help')],
      verbs: {
        ...eachNamed(
          `
          headers stats count frequency select slice search sort table sample flatten fmt join cat
          dedup schema sniff
        `,
          fileReadingManual([
            // A letter that takes a value for one verb only counts as none: the next word is read.
            flags(`
              --no-headers --just-names --ignore-case --invert-match --numeric --reverse --everything
              --cardinality --median --mode --nulls --asc --no-nulls --left --right --full --cross --pad --flag
              --quote-always --ascii --crlf -R -N -n -i -e -r -c -j -v -a -p -t -q -u
            `),
            values('-s -l -d --limit --select --delimiter --start --end --len --index --out-delimiter --separator'),
            takes('write', '-o --output'),
          ]),
        ),
      },
    }),
    dasel: {
      level: 'high',
      reason: 'Can change a file.',
      verbs: {
        ...eachNamed('put delete', { level: 'high', reason: 'Can change a file.' }),
        select: fileReadingManual(
          [flags('-m --plain'), values('-p -r -w -s --parser --read --write --selector'), takes('read', '-f --file')],
          ['text'],
        ),
      },
      options: [flags('--version')],
      bare: fileReadingManual(
        [
          values('-p -r -w -s --parser --read --write --selector'),
          takes('read', '-f --file'),
          takes('write', '-o --out'),
        ],
        ['text'],
      ),
    },
    ...eachNamed('tomlq xq', {
      level: 'low',
      operands: { first: ['text'], rest: 'read' },
      judge: judgeJq,
      options: [flags('-r -c -e -s -n -S -j --raw-output --version'), values('--arg')],
    }),
    ...eachNamed(
      'htmlq pup',
      fileReadingManual(
        [
          flags(`
            -t -p -c -w -B --text --pretty --color --plain --ignore-whitespace --detect-base -n --number -h --help
            --version
          `),
          values('-a -i -r -b -l --attribute --indent --remove-nodes --base --limit --charset'),
          takes('read', '-f --filename --file'),
          takes('write', '-o --output'),
        ],
        { rest: 'text' },
      ),
    ),
    gron: fileReadingManual(
      [flags('-u -s -j -v --ungron --stream --json --no-sort --values --monochrome -m -c')],
      ['read'],
    ),
    ...eachNamed(
      'glow mdcat',
      fileReadingManual(
        [
          flags(`
            --no-pager -p --pager --paginate -a --all -l --line-numbers -n --preserve-new-lines -t --tui -m --mouse
            --local --local-only --no-colour --ansi --fail -v -h --help --version
          `),
          values('-s -w --style --width --columns'),
        ],
        { rest: 'read' },
      ),
    ),
    ...eachNamed('xmlstarlet xml', xmlStarlet),
    mlr: {
      level: 'low',
      judge: judgeMiller,
      style: 'words',
      operands: { rest: 'text' },
      others: 'high',
      options: [
        flags(`
          --icsv --icsvlite --itsv --ijson --ijsonl --inidx --ixtab --ipprint --idkvp --imd --iusv --iasv
          --ocsv --ocsvlite --otsv --ojson --ojsonl --onidx --oxtab --opprint --opretty --odkvp --omd --ousv
          --oasv --csv --csvlite --tsv --json --jsonl --nidx --xtab --pprint --dkvp
          --c2t --c2d --c2n --c2j --c2l --c2p --c2b --c2x --c2m --t2c --t2d --t2n --t2j --t2l --t2p --t2b --t2x --t2m
          --j2c --j2t --j2d --j2n --j2l --j2p --j2b --j2x --j2m --l2c --l2t --l2j --l2p --x2c --x2j --p2c --p2j
          --jvstack --no-jvstack --jlistwrap --no-jlistwrap --jvquoteall --barred --right
          --implicit-csv-header --implicit-pprint-header --headerless-csv-output
          --headerless-csv-input --headerless-pprint-output --allow-ragged-csv-input --ragged --hi --ho
          --quote-all --quote-original --lazy-quotes --infer-none --infer-octal --infer-all -S -A -O
          --no-auto-flatten --no-auto-unflatten --no-color --always-color -C -M --key-color
          --records-per-batch --no-fflush --fflush --repifs --skip-comments --pass-comments --gzin --bz2in
          --zin --zstdin -n --version --help
        `),
        takes('read', '--from'),
        // Options of verbs: fields, counts and orders.
        values('-f -g -a -o -nr -nf -r -c -x'),
        values(`
          --ifs --ofs --fs --ips --ops --ps --irs --ors --rs --ofmt --fflatsep --oflatsep --flatsep
          --nr-progress-mod --seed --tz
        `),
        high(flags('-I'), values('--prepipe --prepipex --load --mload -s')),
      ],
    },
    ...eachNamed('awk gawk mawk nawk', { level: 'low', judge: judgeAwk }),
    ...eachNamed('sed gsed', { level: 'low', judge: judgeSed }),
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
          --join-output --ascii-output --unbuffered --stream --stream-errors --seq --raw-output0 --jsonargs
          --binary -b -h --help -V
        `),
        takes('script', '-f --from-file'),
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
        values('--xpath --encode --pretty --maxmem'),
        takes('write', '-o --output'),
        medium(flags('--valid')),
        // A file may name others, also on other machines, and these replace them by their content.
        high(flags('--noent --xinclude --loaddtd --dtdattr --postvalid --shell')),
        takes('read', '--schema --relaxng --schematron --dtdvalid'),
      ],
    },
    jc: { level: 'low', operands: [], style: 'words', others: 'low' },
  },
};
