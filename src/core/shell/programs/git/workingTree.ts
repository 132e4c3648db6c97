import { claim, type Claim, type Words } from '../../calls/claims';
import { eachNamed, type Judge, type Manual } from '../../calls/manual';
import { flags, high, optionalValues, values } from '../../calls/options';
import { drop, note, refuse, touch } from '../../effects/scope';
import { touchBelow } from '../../effects/protectedBelow';
import { changesRepository, type GitTheme, overwritten, readsOnly, restoreGuarded } from './kinds';

// git add, git stage

const add: Manual = {
  ...changesRepository,
  operands: { rest: 'read' },
  options: [
    flags(`
      -A -u -v -n -N -p -i --all --no-all --ignore-removal --update --verbose --dry-run --intent-to-add --patch
      --interactive --renormalize --refresh --ignore-errors --ignore-missing --sparse
      --no-warn-embedded-repo
    `),
    values('--chmod'),
    high(flags('-f --force')),
  ],
};

const stage: Manual = { ...changesRepository, operands: { rest: 'read' }, options: [flags('-A -u')] };

// git mv, git rm

const judgeMove: Judge = ({ words, scope, whole }) => {
  for (const word of words.slice(0, -1))
    if (!word.text.startsWith('-')) touchBelow(scope, word, { verb: 'Moves', culprit: whole });
  return undefined;
};

const move: Manual = {
  ...changesRepository,
  judge: judgeMove,
  operands: { rest: 'write' },
  options: [flags('-v -n -k --verbose --dry-run --sparse'), high(flags('-f --force'))],
};

const judgeRemove: Judge = ({ words, scope, whole }) => {
  const onlyIndex = words.some(({ text }) => text === '--cached');
  const recursive = words.some(({ text }) => /^-[a-z]*r/.test(text));
  for (const { text, source } of words)
    if (/^-/.test(text) && !/^(--cached|-[rqn]|--quiet|--dry-run|--)$/.test(text))
      refuse(scope, source, 'Deletes files regardless of their content.');
  for (const word of words) {
    if (word.text.startsWith('-')) continue;
    // Git removes a single file only if its content is committed.
    if (onlyIndex) touch(scope, 'lists', word, whole);
    else if (!recursive) touch(scope, 'writes', word, whole);
    else {
      drop(scope, word, { recursive: true }, whole);
      touchBelow(scope, word, { verb: 'Deletes', culprit: whole });
    }
  }
  note(scope, 'medium', whole, changesRepository.reason);
  return 'done';
};

// git restore

/** Unstaging with `--staged` keeps the working tree. Every other form overwrites it. */
const judgeRestore: Judge = ({ words, scope, whole }) => {
  const optionTexts = words.filter(({ text }) => text.startsWith('-') && text !== '--').map(({ text }) => text);
  const onlyUnstages =
    optionTexts.length > 0 &&
    optionTexts.every((text) => /^(--staged|-S|-q|--quiet|--source=[\w.\/~^-]+)$/.test(text)) &&
    optionTexts.some((text) => /^(--staged|-S)$/.test(text));
  if (onlyUnstages) note(scope, 'medium', whole, 'Removes files from the index.');
  else {
    refuse(scope, whole, 'Discards changes.');
    const files = words.filter(({ text }) => !/^-./.test(text));
    restoreGuarded(files, scope, whole);
  }
  return 'done';
};

function claimRestore({ all, plain }: Words): Claim {
  const files = plain.filter((word) => !/^(?:-s|--source)$/.test(all[all.indexOf(word) - 1] ?? ''));
  return claim('destroys', `Overwrites ${overwritten(files)}: uncommitted changes there are lost.`);
}

// git reset

/** Unstaging is harmless. Every other form moves the branch or discards changes. */
const judgeReset: Judge = ({ words, scope, whole }) => {
  const [first, second] = words.filter(({ text }) => text !== '-q' && text !== '--quiet' && text !== '--mixed');
  // With a second word, at least one is a file, and Git changes only the index.
  const areFiles =
    second !== undefined && words.every(({ kind, text }) => kind === 'literal' && /^(?!-)|^(?:-q|--quiet)$/.test(text));
  if (areFiles) note(scope, 'medium', whole, 'Removes files from the index.');
  else if (first && !/^(HEAD|--)$/.test(first.text)) refuse(scope, whole, 'Moves the branch or discards changes.');
  else note(scope, 'medium', whole, 'Removes files from the index.');
  return 'done';
};

function claimReset({ plain: [target], has }: Words): Claim | undefined {
  if (has(/^--hard$/)) {
    const says =
      target && target !== 'HEAD'
        ? `Discards uncommitted changes and moves the branch to ${target}.`
        : 'Discards all uncommitted changes.';
    return claim('destroys', says);
  }
  if (has(/^--(merge|keep)$/)) return claim('destroys', 'Discards changes and moves the branch.');
  return target ? claim('unusual', `Moves the branch to ${target}.`) : undefined;
}

// git clean

/** A dry run only lists what would be deleted. */
const judgeClean: Judge = ({ words, scope, whole }) => {
  const isDryRun = words.some(({ text }) => /^(-[dxXq]*n[dxXq]*|--dry-run)$/.test(text));
  const deletes = words.some(({ text }) => /^-[a-zA-Z]*[fi]|^--(f|i)/.test(text));
  if (isDryRun && !deletes) note(scope, 'low', whole);
  else refuse(scope, whole, 'Deletes files that no build creates again.');
  return 'done';
};

const claimClean = ({ has }: Words): Claim =>
  claim('destroys', `Deletes ${has(/^-[xX]$/) ? 'untracked and ignored files' : 'untracked files'} for good.`);

// git stash

const stash: Manual = {
  ...changesRepository,
  options: [
    flags(
      '-u -k -q -a -p -S --include-untracked --no-include-untracked --keep-index --no-keep-index --quiet --all --patch --staged',
    ),
    values('-m --message'),
  ],
  verbs: {
    ...eachNamed('list show', readsOnly),
    create: { ...changesRepository, operands: { rest: 'text' } },
    ...eachNamed('push save', {
      ...changesRepository,
      operands: { rest: 'text' },
      options: [
        flags('-u -k -q -a -S -p --include-untracked --keep-index --quiet --all --staged --patch'),
        values('-m --message'),
      ],
    }),
    ...eachNamed('pop apply branch', { ...changesRepository, options: [flags('-q --index --quiet')] }),
  },
  bare: {
    ...changesRepository,
    operands: [],
    options: [
      flags(
        '-u -k -q -a -p -S --include-untracked --no-include-untracked --keep-index --no-keep-index --quiet --all --patch --staged',
      ),
      values('-m --message'),
    ],
  },
};

function claimStash({ plain: [verb, which] }: Words): Claim | undefined {
  if (verb === 'drop') return claim('destroys', `Deletes the stashed changes ${which ?? 'saved last'}.`);
  return verb === 'clear' ? claim('destroys', 'Deletes all stashed changes.') : undefined;
}

/** Files and the index: `git add`, `git restore`, `git reset`, `git clean`, `git stash`. */
export const workingTree: GitTheme = {
  verbs: {
    init: {
      ...changesRepository,
      operands: ['write'],
      options: [
        flags('-q --quiet --bare'),
        values('-b --initial-branch --object-format --ref-format'),
        // A template brings hooks and settings.
        high(values('--template --separate-git-dir'), optionalValues('--shared')),
      ],
    },
    add,
    stage,
    mv: move,
    rm: { ...changesRepository, judge: judgeRemove },
    restore: { level: 'high', reason: 'Discards changes.', judge: judgeRestore },
    reset: { level: 'medium', judge: judgeReset },
    clean: { level: 'high', reason: 'Deletes files that no build creates again.', judge: judgeClean },
    stash,
    'sparse-checkout': { level: 'high', verbs: { list: readsOnly } },
  },
  claims: { restore: claimRestore, reset: claimReset, clean: claimClean, stash: claimStash },
};
