import { claim, type Claim, optionValue, type Words } from '../../calls/claims';
import { eachNamed, type Judge, type Manual } from '../../calls/manual';
import { flags, high, optionalValues, takes, values } from '../../calls/options';
import { note, refuse } from '../../effects/scope';
import { changesRepository, type GitTheme, losesOrPublishes, readsOnly } from './kinds';

// git commit

const commit: Manual = {
  ...changesRepository,
  loose: true,
  operands: { rest: 'read' },
  options: [
    flags(`
      -a -q -v -s --all --quiet --verbose --signoff --allow-empty --allow-empty-message --dry-run
      --no-edit --no-gpg-sign -p --patch --no-status --status -o -i -e -z --only --include --edit --no-signoff
      --short --long --branch --porcelain --null --reset-author --no-post-rewrite --interactive
    `),
    values('-m -C -c --message --author --date --fixup --squash --trailer --cleanup --reuse-message --reedit-message'),
    optionalValues('-S -u --gpg-sign --untracked-files'),
    takes('read', '-F --file'),
    high(flags('-n --no-verify --amend'), values('--template -t')),
  ],
};

function claimCommit({ has }: Words): Claim | undefined {
  if (has(/^--amend$/)) return claim('unusual', 'Replaces the last commit.');
  return has(/^(-n|--no-verify)$/) ? claim('unusual', 'Commits without running the commit hooks.') : undefined;
}

// git cherry-pick, git revert

const applyCommits: Manual = {
  ...changesRepository,
  operands: { rest: 'text' },
  options: [
    flags(`
      -x -n -e -s --no-commit --commit --no-edit --edit --abort --continue --skip --quit --signoff --allow-empty
      --allow-empty-message --keep-redundant-commits --ff --rerere-autoupdate
      --no-rerere-autoupdate --no-gpg-sign --reference
    `),
    values('-m --mainline -X --strategy-option --cleanup --empty'),
    optionalValues('-S --gpg-sign'),
  ],
};

// git rebase

/**
 * Ending a rebase, or showing the patch that it stopped at, rewrites nothing. Continuing does what somebody agreed to
 * when it began.
 */
const judgeRebase: Judge = ({ words, scope, whole }) => {
  if (words.length !== 1 || !/^--(abort|quit|continue|show-current-patch)$/.test(words[0]!.text)) return undefined;
  if (words[0]!.text === '--continue') {
    note(scope, 'medium', whole, 'Continues a rebase in progress.');
    return 'done';
  }
  note(scope, words[0]!.text === '--show-current-patch' ? 'low' : 'medium', whole, 'Ends a rebase in progress.');
  return 'done';
};

function claimRebase({ all, plain, has }: Words): Claim {
  const line = optionValue(all, '--exec') ?? optionValue(all, '-x');
  const base = optionValue(all, '--onto');
  const [branch] = plain.filter(
    (word) =>
      word !== line &&
      !/^(?:-[XsC]|--strategy|--strategy-option|--onto|--whitespace|--empty)$/.test(all[all.indexOf(word) - 1] ?? ''),
  );
  const onto = base ?? branch;
  if (line !== undefined) return claim('unusual', `Rewrites the commits of this branch, and runs ${line} after each.`);
  if (has(/^(-i|--interactive)$/)) return claim('unusual', 'Rewrites the last commits of this branch.');
  return claim('unusual', `Rewrites the commits of this branch${onto ? ` on top of ${onto}` : ''}.`);
}

// git reflog

const reflog: Manual = {
  level: 'low',
  verbs: { ...eachNamed('show list exists', readsOnly) },
  bare: {
    ...readsOnly,
    operands: { rest: 'text' },
    judge: ({ words, scope, whole }) => {
      const first = words.find(({ text }) => !text.startsWith('-'));
      if (first && /^(expire|delete|drop|write)$/.test(first.text)) refuse(scope, whole, 'Discards history.');
      return undefined;
    },
    options: [flags('-# --all --oneline'), values('-n --date --max-count')],
  },
};

const claimReflog = ({ plain: [verb] }: Words): Claim | undefined =>
  verb === 'expire' || verb === 'delete' || verb === 'drop'
    ? claim('destroys', 'Deletes the record that helps to recover lost commits.')
    : undefined;

// git bisect, git notes

const bisect: Manual = {
  ...changesRepository,
  verbs: {
    ...eachNamed('log view terms', readsOnly),
    ...eachNamed('start good bad skip reset new old next', {
      ...changesRepository,
      options: [flags('--no-checkout --first-parent'), values('--term-old --term-good --term-new --term-bad')],
    }),
  },
};

const notes: Manual = {
  level: 'low',
  verbs: {
    ...eachNamed('list show', readsOnly),
    ...eachNamed('add append', {
      ...changesRepository,
      operands: ['text'],
      options: [
        values('-m -C -c --message --reuse-message --reedit-message'),
        flags('--allow-empty --stripspace --no-stripspace'),
        high(flags('-f --force'), values('-F --file')),
      ],
    }),
    copy: { ...changesRepository, operands: ['text', 'text'], options: [high(flags('-f --force --stdin'))] },
    remove: { ...changesRepository, options: [flags('--ignore-missing'), high(flags('--stdin'))] },
    'get-ref': readsOnly,
  },
};

// git gc, git prune

/** A dry run only lists what would be deleted. */
const judgePrune: Judge = ({ words, scope, whole }) => {
  const isDryRun = (text: string): boolean => text === '--dry-run' || (/^-[vn]+$/.test(text) && text.includes('n'));
  if (!words.some(({ kind, text }) => kind === 'literal' && isDryRun(text))) return undefined;
  if (!words.every(({ kind, text }) => kind === 'literal' && /^(?:-[vn]+|--dry-run|--verbose|--progress)$/.test(text)))
    return undefined;
  note(scope, 'low', whole);
  return 'done';
};

const claimDeletedCommits = (): Claim => claim('destroys', 'Deletes commits that nothing refers to.');

// git filter-branch, git filter-repo

const claimRewrittenHistory = (): Claim => claim('destroys', 'Rewrites the whole history of the repository.');

/** Commits and what becomes of them: `git commit`, `git rebase`, `git revert`, `git reflog`. */
export const history: GitTheme = {
  verbs: {
    commit,
    ...eachNamed('cherry-pick revert', applyCommits),
    rebase: { level: 'high', reason: 'Rewrites history.', judge: judgeRebase, operands: [] },
    reflog,
    bisect,
    notes,
    rerere: { level: 'high', verbs: { ...eachNamed('status diff remaining', readsOnly) } },
    gc: {
      ...changesRepository,
      operands: [],
      options: [
        flags('--auto --quiet -q --aggressive --no-prune --keep-largest-pack --cruft --no-cruft --no-detach --help'),
        values('--max-cruft-size'),
      ],
    },
    maintenance: {
      level: 'high',
      reason: 'Schedules work that Git does later.',
      verbs: {
        run: {
          ...changesRepository,
          operands: [],
          options: [flags('--auto --quiet --no-quiet'), values('--task --schedule')],
        },
      },
    },
    prune: {
      level: 'high',
      reason: 'Deletes commits that nothing refers to.',
      judge: judgePrune,
      options: [flags('-n -v --dry-run --verbose --progress'), values('--expire')],
    },
    repack: {
      ...changesRepository,
      operands: [],
      options: [
        flags(`
          -d -A -l -f -F -q -n -b -k --quiet --local --write-bitmap-index --no-write-bitmap-index --keep-unreachable
          --pack-kept-objects --cruft --write-midx
        `),
        values('--window --depth --threads --window-memory --max-pack-size --geometric'),
        // Objects that no reference needs are lost.
        high(flags('-a')),
      ],
    },
    'commit-graph': {
      level: 'high',
      verbs: {
        write: {
          ...changesRepository,
          operands: [],
          options: [
            flags(
              '--reachable --stdin-commits --stdin-packs --append --changed-paths --no-changed-paths --progress --no-progress',
            ),
            optionalValues('--split'),
          ],
        },
        verify: { level: 'low', operands: [], options: [flags('--shallow --progress --no-progress')] },
      },
    },
    ...eachNamed('filter-branch filter-repo', losesOrPublishes),
  },
  claims: {
    commit: claimCommit,
    rebase: claimRebase,
    reflog: claimReflog,
    gc: ({ has }) => (has(/^--prune/) ? claimDeletedCommits() : undefined),
    prune: claimDeletedCommits,
    'filter-branch': claimRewrittenHistory,
    'filter-repo': claimRewrittenHistory,
  },
};
