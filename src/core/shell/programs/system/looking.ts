import { each, type Family, type Judge, type Prints } from '../../calls/manual';
import { flags, high, medium, optionalValues, takes, values } from '../../calls/options';
import { refuse, touch } from '../../effects/scope';
import { literal } from '../../syntax/value';
import { checksFiles, fileReadingManual, takesText } from '../shared/kinds';

/** `ps e` shows the environment of processes. */
const judgeProcesses: Judge = ({ words, scope, whole }) => {
  if (words.some(({ text }) => /^(?=[^eE]*[eE])[a-zA-Z]+$/.test(text) || /^-[a-zA-Z]*E/.test(text)))
    refuse(scope, whole, 'May show the environment of processes.');
  return undefined;
};

const datePrints: Prints = ({ words }) => {
  const said = words.map(({ text }) => text).join(' ');
  if (said === '+%s') return [literal('1')];
  return /^(?:-u )?\+(?:%[YmdHMSFTyjsN]|[-_.:T])+$/.test(said) ? [literal('20250101')] : undefined;
};

/** `date 11282026` sets the clock of the machine. */
const judgeClock: Judge = ({ words, scope, whole }) => {
  const isClock = words.some(
    ({ text }, at) => /^\d/.test(text) && !/^-[drv]$|^--(?:date|reference)$/.test(words[at - 1]?.text ?? ''),
  );
  if (isClock && !words.some(({ text }) => text === '-j')) refuse(scope, whole, 'Sets the clock of this machine.');
  return undefined;
};

/** A word with a slash or a leading dot is a file, which is shown like a page. */
const judgePages: Judge = ({ words, scope }) => {
  for (const word of words) if (/^\.|\//.test(word.text)) touch(scope, 'reads', word);
  return undefined;
};

export const lookingFamily: Family = {
  programs: {
    procs: fileReadingManual([flags('--tree -t'), values('--sorta --sortd')], { rest: 'text' }),
    last: {
      level: 'low',
      operands: { rest: 'text' },
      options: [flags('-# -a -x -F -w'), values('-n'), high(values('-f'))],
    },
    arp: { level: 'low', operands: [], options: [flags('-a -n -e -v')] },
    ...each('nvidia-smi rocm-smi', {
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
      judge: judgeClock,
      loose: true,
      operands: ['text'],
    },
    ...each('lsb_release dircolors', {
      level: 'low',
      operands: { rest: 'read' },
      options: [
        flags(`
          -a -s -d -i -r -c -p -b -e -w --all --short --description --id --release --codename
          --print-database --ignore-case --count --basename --existing --csh --sh
        `),
        values('-n -l --limit'),
      ],
    }),
    tldr: {
      level: 'low',
      operands: { rest: 'text' },
      options: [flags('-l --list -v --version'), values('-p --platform')],
    },
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
    ...each('lscpu lsblk lspci lsmod sensors getent_hosts', {
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
    man: { level: 'low', judge: judgePages, options: [flags('-k -f -w -a')], operands: { rest: 'text' } },
    info: { level: 'low', judge: judgePages, operands: { rest: 'text' } },
    ...each('apropos whatis help', { level: 'low', operands: { rest: 'text' } }),
    top: { level: 'low', options: [flags('-b'), values('-n -p -o -u -l')], operands: [] },
  },
  prints: { date: datePrints },
};
