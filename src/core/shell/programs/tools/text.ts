import { flags, high, medium, optionalValues, takes, values } from '../../calls/options';
import { each } from '../../calls/manual';
import type { Manuals } from '../../calls/manual';
import { judgeAwk } from '../special/awk';
import { judgeProcesses } from '../special/building';
import { judgeCd, judgePrintf, judgeShellOptions, judgeTest } from '../special/builtins';
import { judgeFd, judgeFind } from '../special/find';
import { judgeAck, judgeCompare, judgeGrep, judgeJq, judgePager, judgeRipgrep } from '../special/search';
import { judgeSed } from '../special/sed';
import { judgeWrapper } from '../special/wrappers';

const show = { level: 'low', operands: { rest: 'read' }, others: 'low' } as const;
const names = { level: 'low', operands: { rest: 'list' }, others: 'low' } as const;
const words = { level: 'low', others: 'low', loose: true } as const;

/** Tools that read files or text and print. Their dangerous options are marked; the others only change what is printed. */
export const textTools: Manuals = {
  ...each(
    `
      cat tac nl rev head fold expand unexpand fmt paste comm cut hexdump xxd od strings column pr
      zcat bzcat xzcat gzcat zless iconv colrm look bat batcat cmp asa
    `,
    {
      ...show,
      options: [
        takes('read', '-n -c -d -f -b -w -s -e -t -l -F'),
        high(flags('-r --pager -p'), values('--config-file -R'), takes('write', '--output -o')),
      ],
    },
  ),
  ...each('cut paste comm', { ...show, options: [values('-d -f -c -b --delimiter --fields --output-delimiter')] }),
  iconv: {
    ...show,
    options: [flags('-c -s -l'), values('-f -t --from-code --to-code'), takes('write', '-o --output')],
  },
  cmp: {
    ...show,
    options: [flags('-l -s -b --verbose --silent --print-bytes'), values('-n -i --bytes --ignore-initial')],
  },
  column: { ...show, options: [flags('-t -n -J -x --table'), values('-s -o -c -N -R --separator')] },
  pr: { ...show, options: [flags('-t -n -m'), values('-l -w -h -o')] },
  head: { ...show, options: [flags('-#'), values('-n -c --lines --bytes')] },
  ...each('cat tac nl rev', { ...show, options: [high(values('--files0-from'))] }),
  ...each('od hexdump strings', {
    ...show,
    options: [flags('-C -c -v'), values('-t -A -j -N -n -e -s'), optionalValues('-w'), high(values('-f'))],
  }),
  ...each('bat batcat', {
    ...show,
    others: 'high',
    options: [flags('-p -n -A --plain --number'), values('-l -r --line-range --language --color --style --paging')],
  }),
  xxd: {
    level: 'low',
    operands: ['read'],
    others: 'high',
    options: [flags('-b -p -i -u -a -e'), values('-l -s -c -g')],
  },
  tail: {
    ...show,
    options: [
      flags('-#'),
      values('-n -c --lines --bytes'),
      medium(flags('-f -F --retry'), values('--pid'), optionalValues('--follow')),
    ],
  },
  wc: { level: 'low', operands: { rest: 'search' }, others: 'low', options: [high(values('--files0-from'))] },
  ...each(
    `
      sha256sum sha1sum sha512sum sha224sum sha384sum md5sum cksum b2sum sum shasum md5
    `,
    {
      level: 'low',
      operands: { rest: 'search' },
      others: 'low',
      options: [values('-a --algorithm'), takes('read', '-c --check')],
    },
  ),
  ...each('base64 base32', {
    level: 'low',
    operands: { rest: 'read' },
    options: [
      flags('-d -D --decode --ignore-garbage'),
      values('-w --wrap'),
      takes('read', '-i'),
      high(values('-o --output')),
    ],
  }),
  ...each('grep egrep fgrep zgrep', {
    level: 'low',
    operands: { first: ['text'], rest: 'search' },
    others: 'low',
    insteadOfFirst: ['-e', '-f', '--regexp', '--file'],
    judge: judgeGrep,
    loose: true,
    options: [
      optionalValues('--color --colour'),
      values(`
          -e -A -B -C -m -d -D --regexp --include --exclude --exclude-dir --max-count --context
          --after-context --before-context --binary-files --directories --label
        `),
      takes('read', '-f --file --exclude-from'),
    ],
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
    options: [
      flags('-g -i -s -a -p -l -0 -1 -F -H --glob --full-path --hidden'),
      values('-e -t -d -E --extension --type --max-depth --exclude --color'),
      takes('search', '--base-directory'),
      high(flags('-I -u')),
    ],
  }),
  sort: {
    ...show,
    options: [
      values('-k -t --batch-size --buffer-size --key --field-separator --parallel --sort'),
      optionalValues('--check'),
      high(
        values('-S --compress-program --files0-from --random-source'),
        takes('write', '-o -T --output --temporary-directory'),
      ),
    ],
  },
  uniq: {
    level: 'low',
    operands: ['read'],
    options: [
      flags('-c -d -D -u -i -z --count --repeated --unique --ignore-case'),
      values('-f -s -w --skip-fields --skip-chars --check-chars'),
      optionalValues('--all-repeated --group'),
    ],
  },
  join: { level: 'low', operands: ['read', 'read'], others: 'low', options: [values('-t -1 -2 -j -a -e -o -v')] },
  tr: { ...words },
  tsort: show,
  diff: {
    ...show,
    judge: judgeCompare,
    options: [
      flags('-u'),
      values('-U -C -x -I -W -L --exclude --label --width'),
      optionalValues('--unified --color'),
      takes('read', '-X --from-file --to-file --exclude-from'),
      high(values('--output')),
    ],
  },
  colordiff: {
    ...show,
    judge: judgeCompare,
    options: [flags('-u -r -q -w -b -i -l -s'), high(values('-o --output --diff-program'))],
  },
  ...each('sdiff diff3', {
    level: 'low',
    operands: { rest: 'read' },
    options: [flags('-u -r -q -w -b -i -l -s'), high(values('-o --output --diff-program'))],
  }),
  less: {
    level: 'low',
    operands: { rest: 'read' },
    judge: judgePager,
    others: 'high',
    options: [flags('-R -S -N -F -X -i -n -E -e -M -m -s -r -K')],
  },
  more: {
    level: 'low',
    operands: { rest: 'read' },
    judge: judgePager,
    others: 'high',
    options: [flags('-d -f -l -p -c -s -u')],
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
    options: [flags('--noout --format --valid --nonet --version'), values('--xpath')],
  },
  ...each('ls dir vdir', {
    ...names,
    options: [values('-I --ignore'), optionalValues('--color'), takes('list', '-w -T')],
  }),
  ...each('exa eza lsd', {
    ...names,
    options: [values('-I --ignore-glob -L --level --sort'), optionalValues('--color'), takes('list', '-s -t')],
  }),
  tree: {
    ...names,
    options: [values('-L -I -P'), high(flags('--fromfile --infofile -R'), values('-o --output --gitfile'))],
  },
  ...each('stat file', {
    ...names,
    options: [
      values('-c --format --printf'),
      takes('list', '-f -t'),
      high(flags('-C --compile -z --uncompress -Z --uncompress-noreport'), values('-m --magic-file --files-from')),
    ],
  }),
  file: {
    ...names,
    options: [high(flags('-C -z -Z --compile --uncompress'), values('-m -f --magic-file --files-from'))],
  },
  ...each('du df', {
    ...names,
    options: [
      values('-d --max-depth --exclude -B --block-size'),
      takes('list', '-t -x'),
      high(values('--files0-from -X --exclude-from')),
    ],
  }),
  ...each('realpath readlink basename dirname pathchk', {
    ...words,
    options: [values('--relative-to --relative-base -s')],
  }),
  find: { level: 'low', judge: judgeFind },
  ...each(
    `
      echo true false : pwd seq yes sleep which type whereis uname whoami id groups nproc cal tty
      users logname expr factor numfmt locale getconf hash tput clear uptime w who free vmstat
      iostat sw_vers
    `,
    words,
  ),
  arch: { level: 'low', judge: judgeWrapper, startsPrograms: true, options: [flags('-x86_64 -arm64 -arm64e -i386')] },
  yes: words,
  hash: { level: 'low', operands: [], options: [] },
  ...each('hostname domainname', {
    level: 'low',
    operands: [],
    options: [flags('-f -s -i -I -d --fqdn --short --version')],
  }),
  tput: { level: 'low', operands: { rest: 'text' }, options: [values('-T')] },
  date: {
    level: 'low',
    options: [
      values('-d --date --rfc-3339 -v'),
      flags('-u -R --utc --rfc-email -j'),
      optionalValues('-I --iso-8601'),
      takes('list', '-r --reference'),
      high(values('-f -s --set --file')),
    ],
    loose: true,
    operands: ['text'],
  },
  ...each('locate plocate mlocate', {
    level: 'low',
    operands: { rest: 'read' },
    options: [flags('-i -c -b -e -w --ignore-case --count --basename --existing'), values('-n -l -r --limit')],
  }),
  ...each('lsb_release dircolors', {
    level: 'low',
    operands: { rest: 'text' },
    options: [
      flags(`
          -a -s -d -i -r -c -p -b -e -w --all --short --description --id --release --codename
          --print-database --ignore-case --count --basename --existing --csh --sh
        `),
      values('-n -l --limit'),
    ],
  }),
  otool: { level: 'low', operands: { rest: 'read' }, options: [flags('-L -l -h -t -v -V -f -D')], style: 'words' },
  tldr: {
    level: 'low',
    operands: { rest: 'text' },
    options: [flags('-l --list -v --version'), values('-p --platform')],
  },
  jc: { level: 'low', operands: [], style: 'words', others: 'low' },
  dmesg: {
    level: 'low',
    operands: [],
    options: [
      flags('-T -H -k -x -t --human --ctime --kernel'),
      values('-l --level'),
      medium(flags('--follow -w')),
      high(flags('--clear --console-on --console-off'), values('--console-level')),
    ],
  },
  ...each('lscpu lsblk lsusb lspci lsmod sensors getent_hosts', {
    level: 'low',
    others: 'low',
    options: [high(values('-s'))],
  }),
  ...each('uptime who w free vmstat cal', { level: 'low', others: 'low' }),
  ps: {
    level: 'low',
    judge: judgeProcesses,
    others: 'low',
    operands: { rest: 'text' },
    options: [flags('-e'), values('-o -p -u -C')],
  },
  pgrep: { level: 'low', others: 'low', operands: { rest: 'text' } },
  pstree: { level: 'low', operands: { rest: 'text' }, options: [flags('-p -a -u -n -l -s -h -c')] },
  shuf: {
    level: 'low',
    operands: ['read'],
    options: [
      flags('-e -r -z --echo --repeat'),
      values('-n -i --head-count --input-range'),
      high(values('--random-source'), takes('write', '-o --output')),
    ],
  },
  lsof: {
    level: 'low',
    options: [flags('-n -P -t -l -a -r -T'), values('-p -u -c'), optionalValues('-i -s -F'), high(flags('-K -D'))],
    operands: { rest: 'list' },
  },
  ...each('ss netstat', {
    level: 'low',
    options: [
      flags('-n -P -t -l -u -a -r -T -x -4 -6 -o'),
      values('-p -c'),
      optionalValues('-i -s -F'),
      high(flags('-K -D')),
    ],
    operands: { rest: 'text' },
  }),
  pidof: { level: 'low' },
  fuser: { level: 'low', options: [flags('-v -a'), values('-n')], operands: { rest: 'text' } },
  printf: { level: 'low', judge: judgePrintf, loose: true, others: 'low' },
  ...each('test [', { level: 'low', judge: judgeTest }),
  ...each('exit return break continue shift', { level: 'low', loose: true, operands: { rest: 'text' } }),
  ...each('cd pushd chdir', { level: 'low', judge: judgeCd }),
  popd: { level: 'medium', reason: 'It goes to another folder.' },
  man: { level: 'low', options: [flags('-k -f -w -a')], operands: { rest: 'text' } },
  ...each('info apropos whatis help', { level: 'low', operands: { rest: 'text' } }),
  set: {
    level: 'low',
    judge: judgeShellOptions,
    options: [flags('-e -u -x -v -f'), values('-o')],
    operands: [],
    reason: 'It changes how the shell behaves.',
  },
  top: { level: 'low', options: [flags('-b'), values('-n -p -o -u -l')], operands: [] },
  bc: { level: 'low', operands: { rest: 'read' }, options: [flags('-l -q -s -w')] },
  ...each('cloc tokei scc loc', {
    level: 'low',
    operands: { rest: 'search' },
    options: [
      flags('--by-file --json --csv --quiet -f -w'),
      values('--exclude-dir --include-lang -s --sort -e -t --exclude --vcs'),
    ],
  }),
  unbuffer: { level: 'low', judge: judgeWrapper, startsPrograms: true },
};
