import { eachNamed, type Family, type Prints } from '../../calls/manual';
import { flags, high, optionalValues, type Options, takes, values } from '../../calls/options';
import { globWithDotFiles } from '../../syntax/value';
import { hasWord, printsInput, printsTracked } from '../shared/printed';
import { fdPattern, findPattern, judgeFd, judgeFind } from './find';
import { filesFound, judgeAck, judgeGrep, judgeRipgrep } from './search';

const grepOptions: Options = [
  flags('-U --binary'),
  optionalValues('--color --colour'),
  values(`
    -e -A -B -C -m -d -D --regexp --include --exclude --exclude-dir --max-count --context
    --after-context --before-context --binary-files --directories --label
  `),
  takes('read', '-f --file --exclude-from'),
];

const fdOptions: Options = [
  flags(`
    -g -i -s -a -p -l -0 -1 -F -H -I -u -L -q -h -V --glob --regex --full-path --hidden --no-hidden --no-ignore
    --ignore --no-ignore-vcs --ignore-vcs --no-ignore-parent --no-require-git --no-global-ignore-file
    --unrestricted --case-sensitive --ignore-case --fixed-strings --literal --absolute-path
    --relative-path --list-details --follow --no-follow --print0 --quiet --has-results --show-errors
    --one-file-system --mount --xdev --prune --help --version
  `),
  values(`
    -e -t -d -E -S -o -c -j --extension --type --max-depth --maxdepth --min-depth --exact-depth --exclude --size
    --changed-within --change-newer-than --newer --changed-after --changed-before
    --change-older-than --older --owner --color --threads --max-results --max-buffer-time
    --path-separator --batch-size --format --and
  `),
  optionalValues('--strip-cwd-prefix --hyperlink'),
  takes('search', '--base-directory --search-path -C'),
  takes('read', '--ignore-file'),
];

/** With `-l` prints file names, otherwise lines of its input. */
const grepPrints: Prints = ({ words, before, scope }) => {
  if (!hasWord(words, /^-[a-zA-Z]*l|^--files-with/)) return before.paths;
  return filesFound(words, grepOptions, scope) ?? before.paths ?? printsTracked([], scope);
};

const ripgrepPrints: Prints = ({ words, before, scope }) => {
  const looksEverywhere = hasWord(words, /^-[a-zA-Z]*[u.]|^--(hid|no-ig|unr)/);
  if (looksEverywhere) return [globWithDotFiles('**/*', 'rg')];
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
        values(`
          -f --filter -q --query --height --min-height --layout --margin --padding --prompt --pointer --marker
          --header --header-lines --tiebreak --with-nth --nth -n -d --delimiter --color --tabstop --algo
          --scheme --hscroll-off --scroll-off --jump-labels --preview-window --ellipsis --separator
          --scrollbar --info --preview-label --border-label
        `),
        optionalValues('-m --multi --border'),
        flags(`
          -e -i -x -1 -0 --exact --extended --no-extended --no-sort --select-1 --exit-0 --no-multi --reverse --ansi
          --cycle --tac --track --sync --literal --read0 --print0 --print-query --no-mouse --no-bold
          --no-unicode --no-hscroll --keep-right --filepath-word --header-first --no-info
          --no-separator --no-scrollbar --no-color --no-clear --version --help
        `),
        takes('write', '--history'),
        high(values('--preview --bind --with-shell --tmux'), optionalValues('--listen --listen-unsafe')),
      ],
    },
    ...eachNamed('grep egrep fgrep zgrep', {
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
      // `-g` takes the pattern itself, so that the operands are paths.
      insteadOfFirst: ['-g', '--list-file-types'],
      options: [
        flags(`
          -i -l -L -n -r -w -c -o -Q -F -s -S -v -0 -H -D -V -h --nocolor --color --js --ts --python --ignore-case
          --case-sensitive --smart-case --files-with-matches --files-without-matches --norecurse
          --recurse --word-regexp --count --only-matching --literal --fixed-strings --invert-match
          --null --print0 --heading --noheading --group --nogroup --break --nobreak --numbers --nonumbers
          --filename --nofilename --column --debug --ackmate --affinity --noaffinity --multiline
          --nomultiline --mmap --nommap --one-device --parallel --passthrough --passthru
          --print-long-lines --silent --stats --stats-only --vimgrep --list-file-types --nopager
          --version --help
        `),
        // A word that is no number is the pattern.
        optionalValues('-A -B -C --after --before --context'),
        values(`
          -g -G -m -W --file-search-regex --ignore --ignore-dir --type --max-count --depth --width --workers
          --color-line-number --color-match --color-path
        `),
        high(
          flags(`
            --hidden -u --unrestricted -U --skip-vcs-ignores -a --all-types -t --all-text -f --follow -z
            --search-zip --search-binary
          `),
          values('--pager -p --path-to-ignore'),
        ),
      ],
    },
    ack: {
      level: 'low',
      judge: judgeAck,
      operands: { first: ['text'], rest: 'search' },
      insteadOfFirst: ['-f', '-g'],
      options: [
        flags(`
          -i -I -l -L -n -r -R -w -c -o -Q -s -S -v -f -h -H -k -1 -P --nocolor --color --colour --js --ts --python
          --ignore-case --no-ignore-case --smart-case --no-smart-case --files-with-matches
          --files-without-matches --no-recurse --recurse --word-regexp --count --literal --invert-match
          --no-filename --with-filename --known-types --break --nobreak --group --nogroup --heading
          --noheading --column --nocolumn --flush --passthru --print0 --sort-files --show-types
          --underline --nounderline --filter --nofilter --nopager --noenv --ignore-ack-defaults --dump
          --help --help-types --help-colors --help-rgb-colors --version
        `),
        optionalValues('-C --context -p --proximate'),
        values(`
          -A -B -g -t -T -m --after-context --before-context --ignore --ignore-dir --ignore-directory
          --ignore-file --type --max-count --range-start --range-end --type-add --type-set --type-del
          --color-filename --color-match --color-colno --color-lineno
        `),
        // An old version evaluates `--output` as Perl.
        high(flags('--hidden --follow -x --create-ackrc'), values('--pager --output --ackrc --files-from --match')),
      ],
    },
    ...eachNamed('fd fdfind', {
      level: 'low',
      operands: { first: ['text'], rest: 'search' },
      judge: judgeFd,
      options: fdOptions,
    }),
    find: { level: 'low', judge: judgeFind },
    ...eachNamed('locate plocate mlocate', {
      level: 'low',
      operands: { rest: 'read' },
      options: [
        flags(`
          -i -c -b -e -w -A -0 -q -N -P -p -S -V -h --ignore-case --count --basename --existing --wholename --all --null
          --quiet --literal --nofollow --ignore-spaces --statistics --version --help
        `),
        values('-n -l -r --limit --regexp'),
      ],
    }),
  },
  prints: {
    find: ({ words }) => findPattern(words),
    ...eachNamed<Prints>('fd fdfind', ({ words }) => fdPattern(words, fdOptions)),
    grep: grepPrints,
    egrep: printsInput,
    rg: ripgrepPrints,
  },
};
