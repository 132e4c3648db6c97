import { claim, type Claims, joinNames } from '../../calls/claims';
import { eachNamed, type Family, type Judge, type Prints } from '../../calls/manual';
import { flags, high, medium, optionalValues, takes, values } from '../../calls/options';
import { doubt, refuse, touch } from '../../effects/scope';
import { literal } from '../../syntax/value';
import { checksFiles, fileReadingManual, takesText } from '../shared/kinds';

/** Options of `ps` that take the next word: `ps --sort size`. */
const takesFormat = /^(?:-[oO]|[koO]|--(?:sort|format|user|User|group|Group|pid|ppid|sid|tty|cols|columns|width))$/;

/** `ps e` shows the environment of processes. */
const judgeProcesses: Judge = ({ words, scope, whole }) => {
  const isValue = (at: number): boolean => at > 0 && takesFormat.test(words[at - 1]!.text);
  const shows = words.some(
    ({ text }, at) => !isValue(at) && (/^(?=[^eE]*[eE])[a-zA-Z]+$/.test(text) || /^-[a-zA-Z]*E/.test(text)),
  );
  if (shows) refuse(scope, whole, 'May show the environment of processes.');
  return undefined;
};

const datePrints: Prints = ({ words }) => {
  const typedWords = words.map(({ text }) => text).join(' ');
  if (typedWords === '+%s') return [literal('1')];
  return /^(?:-u )?\+(?:%[YmdHMSFTyjsN]|[-_.:T])+$/.test(typedWords) ? [literal('20250101')] : undefined;
};

/** `date 11282026` sets the clock of the machine. */
const judgeClock: Judge = ({ words, scope, whole }) => {
  const isClock = words.some(
    ({ text }, at) => /^\d/.test(text) && !/^-[drv]$|^--(?:date|reference)$/.test(words[at - 1]?.text ?? ''),
  );
  if (isClock && !words.some(({ text }) => text === '-j')) refuse(scope, whole, 'Sets the clock of this machine.');
  return undefined;
};

/** A word with a slash or a leading dot is a file, which is shown like a page. With `-l`, every word is. */
const judgePages: Judge = ({ words, scope, whole }) => {
  const areFiles = words.some(({ text }) => /^-[a-zA-Z0-9]*l|^--local/.test(text));
  if (areFiles && words.some(({ kind }) => kind === 'unknown'))
    doubt(scope, whole, 'Uses an argument that is only known when it runs.');
  for (const word of words)
    if (/^\.|\//.test(word.text) || (areFiles && !word.text.startsWith('-'))) touch(scope, 'reads', word);
  return undefined;
};

const endsUsers: Claims = ({ all, plain, has }) =>
  has(/^-k$|^--ki/) && all.length > 0
    ? claim('changes', `Ends the processes that use ${joinNames(plain, 'a file')}.`)
    : undefined;

export const lookingFamily: Family = {
  programs: {
    procs: fileReadingManual([flags('--tree -t'), values('--sorta --sortd')], { rest: 'text' }),
    last: {
      level: 'low',
      operands: { rest: 'text' },
      options: [
        flags(`
          -# -a -d -i -x -F -R -w -h -V --hostlast --dns --ip --system --fulltimes --nohostname --fullnames --help
          --version
        `),
        values('-n -s -t -p --limit --since --until --present --time-format'),
        high(values('-f --file')),
      ],
    },
    arp: { level: 'low', operands: [], options: [flags('-a -n -e -v')] },
    ...eachNamed('nvidia-smi rocm-smi', {
      level: 'low',
      operands: [],
      others: 'high',
      options: [flags('-L -q --list-gpus --version'), values('-l --query-gpu --format -i')],
    }),
    envinfo: {
      ...checksFiles([
        flags('--system --binaries --browsers --languages --markdown'),
        values('--npmPackages --preset'),
      ]),
      operands: [],
    },
    yes: takesText,
    ...eachNamed('hostname domainname', {
      level: 'low',
      operands: [],
      options: [
        flags(`
          -f -s -i -I -d -a -A -y -V -h --fqdn --long --short --ip-address --all-ip-addresses --alias --all-fqdns
          --domain --yp --nis --help --version
        `),
      ],
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
      judge: judgeClock,
      loose: true,
      operands: ['text'],
    },
    ...eachNamed('lsb_release dircolors', {
      level: 'low',
      operands: { rest: 'read' },
      options: [
        flags(`
          -a -s -d -i -r -c -p -b -e -w --all --short --description --id --release --codename
          --print-database --ignore-case --count --basename --existing --csh --sh --bourne-shell
          --c-shell --print-ls-colors --help --version
        `),
        values('-n -l --limit'),
      ],
    }),
    tldr: {
      level: 'low',
      operands: { rest: 'text' },
      options: [
        flags(`
          -l -v -V -h -a -q -i -C -R --list --list-all --list_all --version --help --short-options --long-options
          --list-platforms --list-languages --info --quiet --no-color --raw --show-paths
        `),
        values('-p -L --platform --language --color'),
        takes('read', '-f --render'),
        medium(flags('-u --update')),
      ],
    },
    dmesg: {
      level: 'low',
      operands: [],
      options: [
        flags(`
          -T -H -k -x -t -d -e -J -r -u -P -p -L -h -V --human --ctime --kernel --show-delta --reltime --json --raw
          --userspace --nopager --force-prefix --decode --notime
        `),
        values('-l --level -f --facility --since --until --time-format'),
        medium(flags('--follow -w')),
        high(flags('--clear --console-on --console-off'), values('--console-level')),
      ],
    },
    lspci: {
      level: 'low',
      options: [
        flags('-v -k -n -t -x -b -D -P -m --version'),
        values('-s -d'),
        // `-q` and `-Q` ask a server, and the others read from files.
        high(flags('-q -Q -G'), values('-i -p -F -O -H -A')),
      ],
    },
    ...eachNamed('lscpu sensors', { level: 'low', others: 'low', options: [high(values('-s'))] }),
    ...eachNamed('lsblk lsmod getent_hosts', { level: 'low', others: 'low' }),
    ...eachNamed('uptime who w free vmstat cal', { level: 'low', others: 'low' }),
    ...eachNamed('pmap pidstat mpstat', {
      level: 'low',
      operands: { rest: 'text' },
      others: 'high',
      options: [flags('-x -X -d -q -r -u -s -t -w -h -H -l -I -p -n -N -A -V -R -v'), values('-P -C -G -U')],
    }),
    ethtool: {
      level: 'low',
      operands: ['name'],
      others: 'high',
      options: [flags('-i -S -k -g -a -c -T -m -h --version')],
    },
    loginctl: {
      level: 'high',
      reason: 'Changes sessions of users.',
      verbs: {
        ...eachNamed('list-sessions list-users list-seats session-status user-status seat-status', {
          level: 'low',
          operands: { rest: 'text' },
          options: [flags('--no-pager --no-legend -l --full'), values('-o -n --lines')],
        }),
      },
    },
    sar: {
      level: 'low',
      operands: { rest: 'text' },
      options: [
        flags('-u -r -b -B -d -q -A -S -W -w -H -h -p -t -V -y --human'),
        values('-n -P -I -s -e -i -m --dev --iface'),
        takes('read', '-f'),
        takes('write', '-o'),
      ],
    },
    ps: {
      level: 'low',
      judge: judgeProcesses,
      others: 'low',
      operands: { rest: 'text' },
      options: [flags('-e'), values('-o -p -u -C')],
    },
    pgrep: { level: 'low', others: 'low', operands: { rest: 'text' } },
    pstree: {
      level: 'low',
      operands: { rest: 'text' },
      options: [
        flags(`
          -p -a -u -n -l -s -h -c -A -G -U -g -t -T -Z -V --arguments --ascii --compact-not --show-parents
          --show-pids --show-pgids --hide-threads --thread-names --numeric-sort --long --unicode
          --uid-changes --vt100 --help --version
        `),
        values('-H --highlight-pid'),
      ],
    },
    shuf: {
      level: 'low',
      operands: ['read'],
      options: [
        flags('-e -r -z --echo --repeat --zero-terminated --help --version'),
        values('-n -i --head-count --input-range'),
        takes('write', '-o --output'),
        high(values('--random-source')),
      ],
    },
    lsof: {
      level: 'low',
      options: [
        flags('-n -P -t -l -a -r -b -C -E -L -N -O -R -U -v -V -w -h'),
        values('-p -u -c -d -g'),
        optionalValues('-i -s -F -S -T -o'),
        high(flags('-K -D -k -m -A')),
      ],
      operands: { rest: 'list' },
    },
    ss: {
      level: 'low',
      others: 'high',
      options: [
        flags(`
          -n -r -a -l -B -o -e -m -p -T -i -t -u -d -w -x -S -M -4 -6 -0 -b -s -O -H -Q -z -Z -h -V --numeric --resolve --all
          --listening --bound-inactive --options --extended --memory --processes --threads --info
          --tos --cgroup --tcp --udp --dccp --raw --unix --sctp --vsock --tipc --tipcinfo --xdp --mptcp
          --inet-sockopt --ipv4 --ipv6 --packet --bpf --context --contexts --summary --oneline
          --no-header --no-queues --help --version
        `),
        values('-f -A --family --query --socket'),
        takes('read', '-F --filter'),
        takes('write', '-D --diag'),
        medium(flags('-E --events')),
        high(flags('-K --kill'), values('-N --net')),
      ],
      operands: { rest: 'text' },
    },
    netstat: {
      level: 'low',
      options: [
        flags(`
          -n -P -t -l -u -a -r -T -x -4 -6 -o -p -c -e -g -v -W -N -b -q -s -i -F -C --numeric --numeric-hosts
          --numeric-ports --numeric-users --tcp --udp --udplite --sctp --raw --unix --all --listening
          --program --route --groups --interfaces --statistics --extend --timers --verbose --wide
          --symbolic --continuous --inet --inet6
        `),
        values('-f -A'),
        high(flags('-K -D')),
      ],
      operands: { rest: 'text' },
    },
    pidof: { level: 'low', options: [flags('-s -x -c -q -w -m -z -h -V -t'), values('-o -S')] },
    fuser: {
      level: 'low',
      others: 'high',
      options: [
        flags(`
          -v -a -c -f -l -m -M -s -u -I -4 -6 -V --all --list-signals --mount --ismountpoint --silent --user --verbose
          --inode --ipv4 --ipv6 --version --help
        `),
        values('-n --namespace'),
        high(flags('-k --kill -i --interactive -w --writeonly')),
      ],
      operands: { rest: 'text' },
    },
    man: {
      level: 'low',
      judge: judgePages,
      others: 'high',
      options: [
        flags(`
          -k -f -w -W -a -d -D -K -l -i -I -u -c -7 -h -V -? --path --where --location --where-cat --whatis --apropos --all
          --debug --default --global-apropos --local-file --ignore-case --match-case --regex --wildcard
          --names-only --no-subpages --no-hyphenation --no-justification --ascii --update --catman --usage
          --help --version
        `),
        values('-L -m -s -S -e -E -r -R --locale --systems --sections --extension --encoding --prompt --recode'),
        takes('list', '-M --manpath'),
        high(values('-P --pager -C --config-file -p --preprocessor'), optionalValues('-H --html -T -t -X -Z')),
      ],
      operands: { rest: 'text' },
    },
    info: { level: 'low', judge: judgePages, operands: { rest: 'text' } },
    ...eachNamed('apropos whatis', {
      level: 'low',
      operands: { rest: 'text' },
      options: [
        flags(`
          -a -d -e -w -r -l -v -h -V -? --and --debug --exact --wildcard --regex --long --verbose --help --version --usage
        `),
        values('-L -m -s -S --locale --systems --sections --section'),
        takes('list', '-M --manpath'),
        high(values('-C --config-file')),
      ],
    }),
    help: { level: 'low', operands: { rest: 'text' }, options: [flags('-d -m -s')] },
    top: {
      level: 'low',
      loose: true,
      options: [
        flags(`
          -b -i -H -c -S -1 -h -V -v -s -B --batch-mode --idle-toggle --cmdline-toggle --threads-show
          --accum-time-toggle --secure-mode --single-cpu-toggle --list-fields --help --version
        `),
        values(`
          -n -p -o -u -U -l -d -e -E --iterations --pid --delay --filter-any-user --filter-only-euser
          --sort-override --scale-task-mem --scale-summary-mem
        `),
        optionalValues('-w --width'),
      ],
      operands: [],
    },
  },
  claims: { fuser: endsUsers },
  prints: { date: datePrints },
};
