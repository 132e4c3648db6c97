import { claim, type Claim, type Words } from '../../calls/claims';
import { eachNamed } from '../../calls/manual';
import { flags, high, optionalValues, takes, values } from '../../calls/options';
import { changesRepository, type GitTheme, losesOrPublishes } from './kinds';

function claimUpdateRef({ all, plain, has }: Words): Claim {
  const name = plain.find((word) => all[all.indexOf(word) - 1] !== '-m') ?? '';
  return claim(
    'destroys',
    has(/^-d$/) ? `Deletes the reference ${name}.` : `Moves the reference ${name}, which may lose commits.`,
  );
}

/** What other verbs and scripts are built from: `git symbolic-ref`, `git update-ref`, `git interpret-trailers`. */
export const plumbing: GitTheme = {
  verbs: {
    'symbolic-ref': {
      level: 'low',
      operands: ['text'],
      options: [flags('--short -q --quiet'), high(flags('-d --delete'), values('-m'))],
    },
    'update-ref': losesOrPublishes,
    'update-index': {
      ...changesRepository,
      operands: { rest: 'read' },
      options: [
        flags(
          '--refresh --really-refresh -q --add --again -g --verbose --ignore-missing --no-skip-worktree --no-assume-unchanged',
        ),
        values('--chmod'),
        high(flags('--assume-unchanged --skip-worktree --force-remove --remove')),
      ],
    },
    ...eachNamed('stripspace column', {
      level: 'low',
      operands: [],
      options: [
        flags('-s -c --strip-comments --comment-lines'),
        values('--mode --width --padding --indent --nl --command'),
      ],
    }),
    'commit-tree': {
      ...changesRepository,
      operands: ['rev'],
      options: [values('-p -m'), optionalValues('-S --gpg-sign'), flags('--no-gpg-sign'), takes('read', '-F')],
    },
    mktree: { ...changesRepository, operands: [], options: [flags('-z --missing --batch')] },
    'write-tree': { ...changesRepository, operands: [], options: [flags('--missing-ok'), values('--prefix')] },
    'pack-refs': { ...changesRepository, operands: [], options: [flags('--all --prune --no-prune --auto')] },
    'update-server-info': { ...changesRepository, operands: [], options: [flags('-f --force')] },
    'checkout-index': {
      ...changesRepository,
      operands: { rest: 'write' },
      options: [
        flags('-a -q -n -u -z --all --quiet --no-create --index --stdin'),
        takes('write', '--prefix'),
        // Overwrites uncommitted changes.
        high(flags('-f --force --temp'), values('--stage')),
      ],
    },
    'interpret-trailers': {
      level: 'low',
      operands: { rest: 'read' },
      options: [
        flags('--parse --only-trailers --only-input --unfold --trim-empty --no-divider'),
        values('--trailer --where --if-exists --if-missing'),
        high(flags('--in-place')),
      ],
    },
  },
  claims: { 'update-ref': claimUpdateRef },
};
