import { claim, type Claims } from '../../calls/claims';
import { eachNamed, type Family } from '../../calls/manual';
import { flags, high, optionalValues, takes, values } from '../../calls/options';
import { alwaysNeedsApproval } from '../shared/kinds';
import { secretValues } from './builtins';
import { judgeEnv, judgeShellLines, judgeWrapper, judgeXargs } from './wrapping';
import { truncate } from '../../../../protocol/plain/truncate';

/** Options of `sudo` and similar programs that take a value. */
const takesWord = /^(-[ugpCrtUDRThcs]|--(user|group|prompt|chdir|chroot|host|role|type|other-user))$/;

/** Runs another command with other privileges, which makes its effects worse. */
const asAnother: Claims = ({ all }, claimOf) => {
  let at = 0;
  let user = 'root';
  for (; at < all.length && (all[at]!.startsWith('-') || /^\w+=/.test(all[at]!)); at++) {
    if (/^(-u|--user)$/.test(all[at]!)) user = all[at + 1] ?? user;
    if (takesWord.test(all[at]!)) at++;
  }
  const command = all.slice(at);
  if (command.length === 0) return claim('machine', `Opens a shell with the rights of ${user}.`);
  const inner = claimOf(command);
  const written = command.join(' ');
  const shown = truncate(written, 80);
  return claim(inner?.harm === 'leaks' ? 'leaks' : 'destroys', `Runs "${shown}" with the rights of ${user}.`);
};

/** `su - root -c 'ls'`: the first word is the user, and the command is the value of an option. */
const asOther: Claims = (words) => {
  const { all } = words;
  const at = all.findIndex((word) => /^(-c|--command)$/.test(word));
  const command = at < 0 ? undefined : all[at + 1];
  const [user = 'root'] = all.filter((word, index) => !word.startsWith('-') && !takesWord.test(all[index - 1] ?? ''));
  if (command === undefined) return claim('machine', `Opens a shell with the rights of ${user}.`);
  const shown = truncate(command, 80);
  return claim('destroys', `Runs "${shown}" with the rights of ${user}.`);
};

export const wrappersFamily: Family = {
  takesData: ['xargs'],
  programs: {
    ...eachNamed('watchexec entr', { level: 'high', reason: 'Runs a command whenever files change.' }),
    xargs: { level: 'low', judge: judgeXargs, startsPrograms: true },
    env: { level: 'high', judge: judgeEnv, startsPrograms: true },
    ...eachNamed('nohup setsid', {
      level: 'low',
      judge: judgeWrapper,
      startsPrograms: true,
      options: [flags('-w --wait'), high(flags('-f -c --fork --ctty'))],
    }),
    builtin: { level: 'low', judge: judgeWrapper, startsPrograms: true },
    noglob: { level: 'low', judge: judgeWrapper, startsPrograms: true },
    nocorrect: { level: 'low', judge: judgeWrapper, startsPrograms: true },
    command: { level: 'low', judge: judgeWrapper, startsPrograms: true, options: [flags('-v -V -p')] },
    time: {
      level: 'low',
      judge: judgeWrapper,
      startsPrograms: true,
      options: [
        flags('-p -v -a -q --append --portability --quiet --verbose'),
        values('-f --format'),
        takes('write', '-o --output'),
      ],
    },
    nice: {
      level: 'low',
      judge: judgeWrapper,
      startsPrograms: true,
      options: [flags('-#'), values('-n --adjustment')],
    },
    ionice: {
      level: 'low',
      judge: judgeWrapper,
      startsPrograms: true,
      options: [flags('-t --ignore'), values('-c -n --class --classdata')],
    },
    ...eachNamed('timeout gtimeout', {
      level: 'low',
      judge: judgeWrapper,
      startsPrograms: true,
      operands: ['text'],
      options: [flags('-v -p -f --preserve-status --foreground --verbose'), values('-s -k --signal --kill-after')],
    }),
    stdbuf: {
      level: 'low',
      judge: judgeWrapper,
      startsPrograms: true,
      options: [values('-o -i -e --output --input --error')],
    },
    chronic: { level: 'low', judge: judgeWrapper, startsPrograms: true, options: [flags('-v -e')] },
    winpty: { level: 'low', judge: judgeWrapper, startsPrograms: true },
    caffeinate: { level: 'low', judge: judgeWrapper, startsPrograms: true, options: [flags('-i -s -d -u')] },
    ...eachNamed('dotenv dotenvx cross-env', {
      level: 'high',
      judge: judgeEnv,
      startsPrograms: true,
      declared: true,
    }),
    watch: {
      level: 'low',
      judge: judgeShellLines,
      options: [
        flags(`
          -t -b -e -g -c -p -w -r -C --no-title --beep --errexit --chgexit --color --no-color --precise --no-rerun
          --no-wrap --no-linewrap --help --version
        `),
        values('-n -q --interval --equexit'),
        optionalValues('-d --differences'),
      ],
    },
    hyperfine: {
      level: 'medium',
      reason: 'Runs commands many times.',
      judge: judgeShellLines,
      options: [
        values('-w -r -m -M -u --warmup --runs --min-runs --max-runs --style --sort --time-unit -n --command-name'),
        flags('-i -N --ignore-failure --show-output --help --version'),
        takes('run', '-p --prepare -s --setup -c --cleanup -C --conclude'),
        takes('write', '--export-json --export-csv --export-markdown --export-asciidoc --export-orgmode'),
        high(values('-S --shell --input --output --reference'), flags('-P -L --parameter-scan --parameter-list')),
      ],
    },
    concurrently: {
      level: 'medium',
      reason: 'Runs several scripts.',
      declared: true,
      judge: judgeShellLines,
      options: [
        values('-n -c --names --prefix-colors --prefix --success -s -m --max-processes --hide'),
        flags('-k -r --kill-others --kill-others-on-fail --raw -g --group --no-color'),
      ],
    },
    ...eachNamed('sudo su doas pkexec runuser', alwaysNeedsApproval('Runs with the rights of another user.')),
    arch: { level: 'low', judge: judgeWrapper, startsPrograms: true, options: [flags('-x86_64 -arm64 -arm64e -i386')] },
    unbuffer: { level: 'low', judge: judgeWrapper, startsPrograms: true },
  },
  claims: {
    env: (words, claimOf) =>
      words.plain.every((word) => word.includes('=')) ? secretValues(words, claimOf) : undefined,
    ...eachNamed('sudo doas pkexec runuser', asAnother),
    su: asOther,
  },
};
