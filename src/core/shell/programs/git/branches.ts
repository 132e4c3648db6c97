import { isGuarded } from '../../../risk/pathRules';
import { claim, type Claim, joinNames, type Words } from '../../calls/claims';
import { eachNamed, type Judge, type Manual } from '../../calls/manual';
import { flags, high, medium, optionalValues, optionTable, readArguments, takes, values } from '../../calls/options';
import { note, refuse } from '../../effects/scope';
import { judgeInsideOnly } from '../files/changing';
import { changesRepository, type GitTheme, overwritten, readsOnly, restoreGuarded } from './kinds';

/** `git branch NAME` and `git tag NAME` create one. Without a name they list. */
const judgeCreation: Judge = ({ words, scope, whole }) => {
  const lists = words.some(({ text }) =>
    /^(-[arvl]+|--list|--contains|--merged|--no-merged|--points-at|--sort|--format)/.test(text),
  );
  if (!lists && words.some(({ text }) => !text.startsWith('-'))) note(scope, 'medium', whole, changesRepository.reason);
  return undefined;
};

// git branch

const branch: Manual = {
  level: 'low',
  operands: { rest: 'text' },
  judge: judgeCreation,
  options: [
    values('--contains --no-contains --sort --format --points-at'),
    flags(`
      -a -r -v -l -i -q --list --all --remotes --show-current --no-color -vv --verbose --quiet --ignore-case
      --no-abbrev --no-column --omit-empty --create-reflog
    `),
    optionalValues('--merged --no-merged --color --column --abbrev'),
    medium(
      flags('-d --delete -m --move -c --copy --unset-upstream -t --no-track'),
      values('-u --set-upstream-to'),
      optionalValues('--track'),
    ),
    high(flags('-D -M -C -f --force --edit-description')),
  ],
};

function claimBranch({ plain, has }: Words): Claim | undefined {
  const deletes = has(/^(-D|-d|--delete)$/);
  const insists = has(/^-D$/) || (deletes && has(/^(-f|--force)$/));
  if (insists)
    return claim('destroys', `Deletes the branch ${joinNames(plain, 'that it names')}, even if it is not merged.`);
  if (deletes) return claim('destroys', `Deletes the branch ${joinNames(plain, 'that it names')}, if it is merged.`);
  return has(/^(-M|-C|-f|--force)$/)
    ? claim('destroys', `Overwrites the branch ${plain.at(-1) ?? 'that it names'}.`)
    : undefined;
}

const claimMovedBranch = (plain: readonly string[]): Claim =>
  claim('destroys', `Moves the branch ${joinNames(plain.slice(0, 1), 'that it names')}, which may lose commits.`);

// git tag

const tag: Manual = {
  level: 'low',
  operands: { rest: 'text' },
  judge: judgeCreation,
  options: [
    flags('-l --list -i --ignore-case -v --verify --no-column --no-color --omit-empty --create-reflog --no-sign'),
    values('--sort --contains --no-contains --points-at --format --cleanup'),
    optionalValues('-n --merged --no-merged --column --color'),
    medium(flags('-a --annotate'), values('-m --message')),
    high(flags('-d --delete -f --force -s'), values('-u -F')),
  ],
};

function claimTag({ plain, has }: Words): Claim | undefined {
  if (has(/^(-d|--delete)$/)) return claim('unusual', `Deletes the tag ${joinNames(plain, 'that it names')}.`);
  return has(/^(-f|--force)$/)
    ? claim('unusual', `Moves the tag ${joinNames(plain.slice(0, 1), 'that it names')}.`)
    : undefined;
}

// git checkout

const checkout: Manual = {
  ...changesRepository,
  operands: { rest: 'text' },
  judge: ({ words, scope, whole }) => {
    const operands = words.filter(({ text }) => !/^-./.test(text));
    const creates = words.some(({ text }) => /^(-b|--orphan|--track|-t)$/.test(text));
    const [name] = operands;
    // A single plain name is a branch. Anything else may be files, whose changes are lost.
    const isBranch =
      operands.length === 1 &&
      name?.kind === 'literal' &&
      !isGuarded(name.text) &&
      /^(-|[\w][\w/@{}~^-]*(\.\d+)*)$/.test(name.text);
    const switches = creates ? operands.length <= 2 : isBranch;
    if (words.some(({ text }) => text === '--') || !switches) {
      refuse(scope, whole, 'Discards changes.');
      restoreGuarded(operands, scope, whole);
    }
    return undefined;
  },
  options: [
    flags('-q -t -d -l --track --quiet --detach --no-track --progress --no-progress --guess --no-guess --'),
    values('-b --orphan'),
    high(flags('-f -m --force --merge --ours --theirs -p --patch'), values('-B')),
  ],
};

function claimCheckout({ all, plain, has }: Words): Claim | undefined {
  const end = all.indexOf('--');
  const files = end < 0 ? plain : all.slice(end + 1);
  if (has(/^(-f|--force)$/))
    return claim(
      'destroys',
      `Discards uncommitted changes and switches to ${joinNames(plain.slice(0, 1), 'another commit')}.`,
    );
  if (has(/^-B$/)) return claimMovedBranch(plain);
  if (has(/^(-m|--merge)$/)) return undefined;
  return claim('destroys', `Overwrites ${overwritten(files)}: uncommitted changes there are lost.`);
}

// git switch

const switchBranch: Manual = {
  ...changesRepository,
  operands: { rest: 'text' },
  options: [
    flags('-q -t --track --detach -d --guess --no-guess --no-track --quiet --progress --no-progress'),
    optionalValues('--recurse-submodules --no-recurse-submodules'),
    values('-c --create --orphan'),
    high(flags('-f -m --force --discard-changes --merge'), values('-C --force-create')),
  ],
};

function claimSwitch({ plain, has }: Words): Claim | undefined {
  if (has(/^(-f|--force|--discard-changes)$/))
    return claim(
      'destroys',
      `Discards uncommitted changes and switches to ${joinNames(plain.slice(0, 1), 'another branch')}.`,
    );
  return has(/^(-C|--force-create)/) ? claimMovedBranch(plain) : undefined;
}

// git merge

/** Git looks for a program with the name of a strategy that it does not know. */
const judgeStrategy: Judge = ({ words, scope, whole, manual }) => {
  const { options } = readArguments(words, optionTable(manual.options ?? []), 'letters');
  for (const { option, value } of options)
    if (
      option &&
      /^(?:-s|--strategy)$/.test(option.name) &&
      !/^(?:ort|recursive|resolve|octopus|ours|subtree)$/.test(value?.text ?? '')
    )
      refuse(scope, whole, 'Merges with a program of its own.');
  return undefined;
};

const merge: Manual = {
  ...changesRepository,
  operands: { rest: 'text' },
  judge: judgeStrategy,
  options: [
    flags(`
      -q -v -n -e --no-ff --ff-only --ff --squash --no-squash --commit --no-commit --abort --continue --quit
      --no-edit --edit --stat --no-stat --allow-unrelated-histories --signoff --no-signoff --quiet
      --verbose --progress --no-progress --autostash --no-autostash --rerere-autoupdate
      --no-rerere-autoupdate --verify-signatures --no-verify-signatures --no-log --compact-summary
    `),
    values('-m -X -s --strategy --strategy-option --into-name --cleanup'),
    optionalValues('--log'),
    takes('read', '-F --file'),
    high(flags('--no-verify')),
  ],
};

// git worktree

const worktree: Manual = {
  level: 'high',
  verbs: {
    list: readsOnly,
    prune: { ...changesRepository, options: [flags('-n -v --dry-run')] },
    add: {
      ...changesRepository,
      judge: judgeInsideOnly,
      operands: ['write', 'text'],
      options: [
        flags(`
          -d -q --detach --checkout --no-checkout --track --no-track --guess-remote --no-guess-remote --lock --quiet
          --orphan
        `),
        values('-b --reason'),
        high(flags('-f --force'), values('-B')),
      ],
    },
    ...eachNamed('lock unlock', { ...changesRepository, operands: ['text'], options: [values('--reason')] }),
  },
};

const claimWorktree = ({ plain: [verb, path] }: Words): Claim | undefined =>
  verb === 'remove' ? claim('destroys', `Deletes the working tree ${path ?? ''} and everything in it.`) : undefined;

/** Branches, tags and other working trees: `git branch`, `git checkout`, `git switch`, `git merge`. */
export const branches: GitTheme = {
  verbs: { branch, tag, checkout, switch: switchBranch, merge, worktree },
  claims: {
    branch: claimBranch,
    tag: claimTag,
    checkout: claimCheckout,
    switch: claimSwitch,
    worktree: claimWorktree,
  },
};
