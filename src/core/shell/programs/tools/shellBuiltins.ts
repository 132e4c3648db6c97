import type { Spec, Tools } from '../spec';

/** Built in, and changes the shell: asked about unless its special says that no later command can run something else. */
const changesShell: Spec = { level: 'high', reason: 'It changes the shell for later commands.', ownShell: true };

/** What is built into shells. Those that only print are in `text.ts`; those that run other commands in `system.ts`. */
export const builtinTools: Tools = {
  export: { ...changesShell, special: 'exported' },
  'declare typeset local readonly': { ...changesShell, special: 'declared' },
  'mapfile readarray': { ...changesShell, special: 'mapfile' },
  alias: { ...changesShell, special: 'alias' },
  'unalias enable setopt unsetopt autoload bind let getopts': changesShell,
  trap: { ...changesShell, special: 'trap' },
  shopt: { ...changesShell, special: 'shopt' },
  umask: { ...changesShell, special: 'umask' },
  ulimit: { ...changesShell, special: 'ulimit' },
  unset: { level: 'medium', special: 'unset' },
  read: { level: 'medium', special: 'read', reason: 'It sets a variable of the shell.' },
  jobs: { level: 'low', options: '-l -n -p -r -s -x!', operands: 'text…', loose: true },
  'wait fg bg disown': { level: 'low', options: '-n -f -p= -a -r -h', operands: 'text…', loose: true },
  kill: { level: 'high', reason: 'It ends processes.', special: 'ownJobs' },
};
