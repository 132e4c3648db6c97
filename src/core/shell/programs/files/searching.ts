import { each, type Family, type Prints } from '../../calls/manual';
import { flags, high, optionalValues, type Options, takes, values } from '../../calls/options';
import { glob } from '../../syntax/value';
import { hasWord, printsInput, printsTracked } from '../shared/printed';
import { fdPattern, findPattern, judgeFd, judgeFind } from './find';
import { filesFound, judgeAck, judgeGrep, judgeRipgrep } from './search';

const grepOptions: Options = [
  optionalValues('--color --colour'),
  values(`
    -e -A -B -C -m -d -D --regexp --include --exclude --exclude-dir --max-count --context
    --after-context --before-context --binary-files --directories --label
  `),
  takes('read', '-f --file --exclude-from'),
];

const fdOptions: Options = [
  flags('-g -i -s -a -p -l -0 -1 -F -H --glob --full-path --hidden'),
  values('-e -t -d -E --extension --type --max-depth --exclude --color'),
  takes('search', '--base-directory'),
  high(flags('-I -u')),
];

/** With `-l` prints file names, otherwise lines of its input. */
const grepPrints: Prints = ({ words, before, scope }) => {
  if (!hasWord(words, /^-[a-zA-Z]*l|^--files-with/)) return before.paths;
  return filesFound(words, grepOptions, scope) ?? before.paths ?? printsTracked([], scope);
};

const ripgrepPrints: Prints = ({ words, before, scope }) => {
  const looksEverywhere = hasWord(words, /^-[a-zA-Z]*[u.]|^--(hid|no-ig|unr)/);
  if (looksEverywhere) return [glob('**/*', 'rg', true)];
  const printsNames = hasWord(words, /^--files(-with-matches|-without-match)?$|^-[a-zA-Z]*l/);
  return printsNames ? printsTracked([], scope) : before.paths;
};

export const searchingFamily: Family = {
  takesData: ['grep', 'egrep', 'rg'],
  programs: {
    fzf: {
      level: 'low',
      operands: [],
      others: 'high',
      options: [
        values('-f --filter -q --query --height'),
        flags(`
          -e -i --exact --no-sort -1 -0 -m --select-1 --exit-0 --multi --reverse --version --help
        `),
      ],
    },
    ...each('grep egrep fgrep zgrep', {
      level: 'low',
      operands: { first: ['text'], rest: 'search' },
      others: 'low',
      insteadOfFirst: ['-e', '-f', '--regexp', '--file'],
      judge: judgeGrep,
      loose: true,
      options: grepOptions,
    }),
    rg: {
      level: 'low',
      judge: judgeRipgrep,
      operands: { first: ['text'], rest: 'search' },
      insteadOfFirst: ['-e', '-f', '--files', '--type-list', '--regexp'],
      options: [
        flags(`
          -n -N -i -s -S -w -x -l -c -o -v -F -U -P -H -I -p -q -0 -u -. --hidden --no-ignore
          --no-ignore-vcs --unrestricted --files --type-list --count --count-matches
          --files-with-matches --files-without-match --line-number --no-line-number --column --heading
          --no-heading --json --multiline --multiline-dotall --pcre2 --fixed-strings --ignore-case
          --smart-case --case-sensitive --word-regexp --only-matching --invert-match --stats --trim
          --vimgrep --no-messages --version --help --passthru --crlf --null --no-filename
          --with-filename --pretty --quiet --line-regexp --debug
        `),
        values(`
          -e -A -B -C -m -g -t -T -r -j -d -M -E --regexp --glob --iglob --type --type-not --type-add
          --color --colors --max-count --max-depth --context --after-context --before-context
          --replace --sort --sortr --max-columns --threads --max-filesize --engine --encoding
        `),
        takes('read', '-f'),
        high(flags('-a -L -z --search-zip --follow'), values('--pre --pre-glob --hostname-bin --config --ignore-file')),
      ],
    },
    ag: {
      level: 'low',
      operands: { first: ['text'], rest: 'search' },
      options: [
        flags('-i -l -n -w -c -Q -s -v --nocolor --color --js --ts --python'),
        values('-A -B -C -g -G --ignore --type'),
        high(flags('--hidden -u --unrestricted -U --skip-vcs-ignores -a --all-types'), values('--pager')),
      ],
    },
    ack: {
      level: 'low',
      judge: judgeAck,
      operands: { first: ['text'], rest: 'search' },
      options: [
        flags('-i -l -n -w -c -Q -s -v --nocolor --color --js --ts --python'),
        values('-A -B -C -g -G --ignore --type'),
        high(flags('--hidden'), values('--pager')),
      ],
    },
    ...each('fd fdfind', {
      level: 'low',
      operands: { first: ['text'], rest: 'search' },
      judge: judgeFd,
      options: fdOptions,
    }),
    find: { level: 'low', judge: judgeFind },
    ...each('locate plocate mlocate', {
      level: 'low',
      operands: { rest: 'read' },
      options: [flags('-i -c -b -e -w --ignore-case --count --basename --existing'), values('-n -l -r --limit')],
    }),
  },
  prints: {
    find: ({ words }) => findPattern(words),
    ...each<Prints>('fd fdfind', ({ words }) => fdPattern(words, fdOptions)),
    grep: grepPrints,
    egrep: printsInput,
    rg: ripgrepPrints,
  },
};
