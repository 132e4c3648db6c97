import { claim, type Claim, type Words } from '../../calls/claims';
import { each } from '../../calls/manual';
import { flags, high, values } from '../../calls/options';
import { changes, type GitTheme, losesOrPublishes } from './kinds';

function claimUpdateRef({ plain: [ref], has }: Words): Claim {
  const name = ref ?? '';
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
      ...changes,
      operands: { rest: 'read' },
      options: [flags('--refresh --really-refresh -q'), values('--chmod'), high(flags('--assume-unchanged'))],
    },
    ...each('stripspace column mailinfo', {
      level: 'low',
      operands: [],
      options: [flags('-s -c --strip-comments'), values('--mode --width --padding')],
    }),
    'interpret-trailers': {
      level: 'low',
      operands: { rest: 'read' },
      options: [flags('--parse --only-trailers --only-input --unfold'), values('--trailer')],
    },
  },
  claims: { 'update-ref': claimUpdateRef },
};
