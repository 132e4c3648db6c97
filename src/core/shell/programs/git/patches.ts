import { claim } from '../../calls/claims';
import { each, type Manual } from '../../calls/manual';
import { flags, high, takes, values } from '../../calls/options';
import { judgePatchFiles } from '../shared/patches';
import { changes, type GitTheme, losesOrPublishes } from './kinds';

const apply: Manual = {
  level: 'medium',
  reason: 'Changes files.',
  judge: judgePatchFiles,
  operands: { rest: 'read' },
  options: [
    flags(`
      -R -3 -v --check --stat --numstat --summary --reverse --index --cached --3way --reject
      --verbose --recount
    `),
    values('-p --whitespace --include --exclude'),
    high(flags('--unsafe-paths'), values('--directory')),
  ],
};

const am: Manual = {
  ...changes,
  judge: judgePatchFiles,
  operands: { rest: 'read' },
  options: [flags('-3 --abort --continue --skip --3way -s --signoff'), values('-p')],
};

const formatPatch: Manual = {
  ...changes,
  operands: { rest: 'rev' },
  options: [flags('--stdout -n -1 -2 -3 -# --cover-letter --no-stat'), takes('write', '-o --output-directory')],
};

const archive: Manual = {
  level: 'medium',
  reason: 'Packs files.',
  operands: { rest: 'rev' },
  options: [
    flags('-l --list -v -9'),
    values('--format --prefix'),
    takes('write', '-o --output'),
    takes('read', '--add-file'),
    high(values('--exec --remote')),
  ],
};

/** Commits as files and mails: `git apply`, `git am`, `git format-patch`, `git archive`. */
export const patches: GitTheme = {
  verbs: {
    apply,
    am,
    'format-patch': formatPatch,
    archive,
    bundle: { level: 'high', verbs: { ...each('verify list-heads', { level: 'low', operands: ['read'] }) } },
    'send-email': losesOrPublishes,
  },
  claims: { 'send-email': () => claim('leaks', 'Sends commits by e-mail.') },
};
