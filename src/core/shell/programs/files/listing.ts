import { judgeByManual } from '../../calls/judgeByManual';
import { eachNamed, type Family, type Judge, type Manuals, type Prints } from '../../calls/manual';
import { flags, high, optionalValues, optionTable, readArguments, takes, values } from '../../calls/options';
import { refuse } from '../../effects/scope';
import { glob, literal } from '../../syntax/value';
import { takesText } from '../shared/kinds';
import { hasWord } from '../shared/printed';

/** Programs that print a part of the one path they are given. */
const ofOnePath =
  (part: (path: string) => string): Prints =>
  ({ words }) => {
    const [path, ...others] = words;
    const isAlone = path?.kind === 'literal' && !path.text.startsWith('-') && others.length === 0;
    return isAlone ? [literal(part(path.text))] : undefined;
  };

function folderOfPath(path: string): string {
  const bare = path.replace(/(?<!\/)\/*$/, '');
  const folder = bare.replace(/(^|\/)[^/]+$/, (name) => (name === path && name.startsWith('/') ? '/' : ''));
  return folder || '.';
}

/**
 * Patterns with an extension expand to file names, which are printed unchanged. Without words, it prints the folder's
 * content.
 */
const lsPrints: Prints = ({ words, scope }) => {
  const listed = words.filter(({ text }) => !text.startsWith('-'));
  if (listed.length > 0) {
    // `ls -d /*` prints its words.
    const areOutside = hasWord(words, /^-1?d1?$|^--directory$/) && listed.every(({ text }) => /^[/~]/.test(text));
    if (areOutside) return listed;
    const areFiles = listed.every(({ kind, text }) => kind === 'glob' && /\.\w+$/.test(text));
    return areFiles ? listed : undefined;
  }
  const showsHidden = hasWord(words, /^-[a-zA-Z]*[aA]/);
  const isKnown = scope.cwd === '.' || /^[/~]|^\.\.(?:\/|$)/.test(scope.cwd ?? '');
  return !showsHidden && isKnown ? [glob('*')] : undefined;
};

/** With `--fromfile`, it shows the lines of the files given to it. */
const judgeTree: Judge = ({ name, words, scope, flow, whole, manual }) => {
  if (!words.some(({ text }) => /^--from/.test(text))) return undefined;
  const { judge, ...plain } = manual;
  judgeByManual({ manual: { ...plain, operands: { rest: 'read' } }, name, words, scope, flow, whole });
  return 'done';
};

/** `--vcs` runs any command that lists files, unless it names a version control system. */
const judgeCloc: Judge = ({ words, scope, manual }) => {
  const { options } = readArguments(words, optionTable(manual.options ?? []), 'letters');
  for (const { option, value, culprit } of options)
    if (option?.name === '--vcs' && !(value?.kind === 'literal' && /^(?:auto|git|svn)$/.test(value.text)))
      refuse(scope, culprit, 'Runs a command to find files.');
  return undefined;
};

/** Programs that count lines of code. */
const countingPrograms: Manuals = {
  cloc: {
    level: 'low',
    operands: { rest: 'search' },
    judge: judgeCloc,
    others: 'high',
    options: [
      flags(`
        --by-file --by-file-by-lang --json --csv --xml --yaml --md --3 --quiet --hide-rate --sum-one
        --skip-uniqueness --unix --windows --show-os --unicode --autoconf --docstring-as-code --git
        --git-diff-rel --git-diff-all --diff --count-and-diff --ignore-whitespace --ignore-case
        --ignore-case-ext --no-recurse --read-binary-files --stat --strip-str-comments --sum-reports
        --fullpath --skip-win-hidden --print-filter-stages --verbose -v --version --help -h
      `),
      optionalValues('--show-ext --show-lang --no-autogen'),
      values(`
        --exclude-dir --include-lang --exclude-lang --include-ext --exclude-ext --match-d --not-match-d
        --match-f --not-match-f --exclude-content --include-content --max-file-size --timeout
        --diff-timeout --processes --by-percent --csv-delimiter --file-encoding --progress-rate
        --summary-cutoff --force-lang --lang-no-ext --script-lang --skip-leading --skip-archive
        --stdin-name --explain --sql-project --sql-style --vcs
      `),
      takes('write', '--out --report-file --sql --counted --found --ignored --categorized'),
      takes('read', '--exclude-list-file --list-file'),
    ],
  },
  tokei: {
    level: 'low',
    operands: { rest: 'search' },
    options: [
      flags(`
        -f --files -C --compact -l --languages -h --help -V --version --hidden --no-ignore
        --no-ignore-parent --no-ignore-dot --no-ignore-vcs -v --verbose
      `),
      values(
        '-e --exclude -t --type --types -s --sort -r --rsort -o --output -c --columns -n --num-format --streaming',
      ),
      takes('read', '-i --input'),
    ],
  },
  scc: {
    level: 'low',
    operands: { rest: 'search' },
    options: [
      flags(`
        --by-file -w --wide -c --no-complexity -d --no-duplicates --no-cocomo --no-size --no-min --no-gen
        --no-ignore --no-gitignore --no-scc-ignore --no-hborder -l --languages --ci --binary --debug -v
        --verbose -t --trace -z --min-gen --gen --min -p --percent -u --uloc -a --dryness -m --character
        --cocomo-project-type -h --help --version
      `),
      values(`
        -f --format -i --include-ext -x --exclude-ext -M --not-match -n --exclude-file --exclude-dir -s --sort
        --avg-wage --count-as --remap-all --remap-unknown --min-gen-line-length --large-byte-count
        --large-line-count --size-unit --eaf --overhead
      `),
      takes('write', '-o --output'),
    ],
  },
  loc: {
    level: 'low',
    operands: { rest: 'search' },
    options: [flags('--files -u --unrestricted -h --help -V --version'), values('--exclude --include --sort')],
  },
};

const listsNames = { level: 'low', operands: { rest: 'list' }, others: 'low' } as const;

export const listingFamily: Family = {
  programs: {
    dust: {
      level: 'low',
      operands: { rest: 'list' },
      options: [
        values(`
          -d --depth -n --number-of-lines -X --ignore-directory -v --invert-filter -e --filter -w
          --terminal_width --terminal-width -z --min-size -T --threads -o --output-format
        `),
        flags(`
          -r -s -b -c -p -L -x -i -f -t -P -D -F -B -R -j --reverse --apparent-size --no-percent-bars --no-colors
          --force-colors --full-paths --dereference-links --limit-filesystem --ignore_hidden
          --ignore-hidden --filecount --file_types --file-types --no-progress --print-errors --only-dir
          --only-file --bars-on-right --screen-reader --skip-total --output-json --version --help -h -V
        `),
      ],
    },
    ...eachNamed('duf dua pdu', {
      level: 'low',
      operands: { rest: 'list' },
      options: [
        values(`
          -d -n --depth --only --hide --sort --format --ignore-dirs --threads --max-depth --min-ratio
          --quantity --bytes-format --column-width --total-width --output --style --theme --width --only-fs
          --hide-fs --only-mp --hide-mp
        `),
        flags(`
          -r -s -b -i -f -a -A -l -x --all --json --apparent-size --count-hard-links --stay-on-filesystem
          --warnings --inodes --version --help -h -V
        `),
      ],
    }),
    ...eachNamed('ls dir vdir', {
      ...listsNames,
      options: [values('-I --ignore'), optionalValues('--color'), takes('list', '-w -T')],
    }),
    ...eachNamed('exa eza lsd', {
      ...listsNames,
      options: [values('-I --ignore-glob -L --level --sort'), optionalValues('--color'), takes('list', '-s -t')],
    }),
    tree: {
      ...listsNames,
      judge: judgeTree,
      options: [
        values('-L -I -P --filelimit --charset --timefmt --sort'),
        flags('--fromfile --fromtabfile'),
        high(flags('--info -R'), values('--infofile --gitfile'), takes('write', '-o --output')),
      ],
    },
    stat: {
      ...listsNames,
      options: [
        values('-c --format --printf'),
        takes('list', '-f -t'),
        high(flags('-C --compile -z --uncompress -Z --uncompress-noreport'), values('-m --magic-file --files-from')),
      ],
    },
    file: {
      ...listsNames,
      options: [
        flags('-z -Z --uncompress --uncompress-noreport'),
        values('-e -F -P --exclude --separator --parameter'),
        high(flags('-C --compile'), values('-m -f --magic-file --files-from')),
      ],
    },
    ...eachNamed('du df', {
      ...listsNames,
      options: [
        values('-d --max-depth --exclude -B --block-size'),
        takes('list', '-t -x'),
        high(values('--files0-from -X --exclude-from')),
      ],
    }),
    ...eachNamed('realpath readlink basename dirname pathchk', {
      ...takesText,
      options: [values('--relative-to --relative-base -s')],
    }),
    bc: {
      level: 'low',
      operands: { rest: 'read' },
      options: [
        flags('-l -q -s -w -i -h -v --mathlib --quiet --standard --warn --interactive --help --version'),
        values('-e --expression'),
        takes('read', '-f --file'),
      ],
    },
    ...countingPrograms,
  },
  prints: {
    ls: lsPrints,
    dirname: ofOnePath(folderOfPath),
    basename: ofOnePath((path) => path.replace(/(?<!\/)\/+$/, '').replace(/^.*\//, '') || '/'),
  },
};
