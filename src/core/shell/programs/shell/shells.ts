import { claim, type Claims } from '../../calls/claims';
import { eachNamed, type Family } from '../../calls/manual';
import { alwaysNeedsApproval } from '../shared/kinds';
import { judgeShell } from '../shared/scripts';
import { judgeExec, judgeSource, shells } from './builtins';

const nested: Claims = ({ all }) => {
  if (all.some((word) => /^-e(nc?|ncodedcommand)?$/i.test(word)))
    return claim('runs', 'Runs hidden code: the command is encoded.');
  return claim('unusual', 'Runs another shell with its own command.');
};

export const shellsFamily: Family = {
  programs: {
    ...eachNamed('bash sh zsh dash ksh ash', { level: 'high', judge: judgeShell, startsPrograms: true }),
    eval: alwaysNeedsApproval('Runs text as a command.'),
    ...eachNamed('source .', { level: 'high', judge: judgeSource }),
    exec: { ...alwaysNeedsApproval('Replaces the shell.'), judge: judgeExec },
    deactivate: { level: 'medium', reason: 'Leaves the Python environment of the project.', operands: [] },
  },
  claims: {
    ...eachNamed('powershell pwsh cmd', nested),
    exec: shells,
  },
};
