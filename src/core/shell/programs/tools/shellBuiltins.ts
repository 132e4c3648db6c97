import { flags, high, values } from '../../calls/options';
import { each } from '../../calls/manual';
import type { Manual, Manuals } from '../../calls/manual';
import {
  judgeAlias,
  judgeDeclared,
  judgeExported,
  judgeMapfile,
  judgeOwnJobs,
  judgeRead,
  judgeShopt,
  judgeTrap,
  judgeUlimit,
  judgeUmask,
  judgeUnset,
} from '../special/shellState';

/** Built in, and changes the shell: asked about unless its special says that no later command can run something else. */
const changesShell: Manual = { level: 'high', reason: 'It changes the shell for later commands.', ownShell: true };

/** What is built into shells. Those that only print are in `text.ts`; those that run other commands in `system.ts`. */
export const builtinTools: Manuals = {
  export: { ...changesShell, judge: judgeExported },
  ...each('declare typeset local readonly', { ...changesShell, judge: judgeDeclared }),
  ...each('mapfile readarray', { ...changesShell, judge: judgeMapfile }),
  alias: { ...changesShell, judge: judgeAlias },
  ...each('unalias enable setopt unsetopt autoload bind let getopts', changesShell),
  trap: { ...changesShell, judge: judgeTrap },
  shopt: { ...changesShell, judge: judgeShopt },
  umask: { ...changesShell, judge: judgeUmask },
  ulimit: { ...changesShell, judge: judgeUlimit },
  unset: { level: 'medium', judge: judgeUnset },
  read: { level: 'medium', judge: judgeRead, reason: 'It sets a variable of the shell.' },
  jobs: {
    level: 'low',
    options: [flags('-l -n -p -r -s'), high(flags('-x'))],
    operands: { rest: 'text' },
    loose: true,
  },
  ...each('wait fg bg disown', {
    level: 'low',
    options: [flags('-n -f -a -r -h'), values('-p')],
    operands: { rest: 'text' },
    loose: true,
  }),
  kill: { level: 'high', reason: 'It ends processes.', judge: judgeOwnJobs },
};
