import { claim, listed, wordsOf, type Claim, type Claims, type Words } from '../../calls/claims';

/** Options of `git` itself that take the next word. */
const takesNext = /^(-C|-c|--git-dir|--work-tree|--namespace)$/;

/** What Git does beyond what it can take back. */
const git: Claims = ({ all, program }) => {
  let at = 0;
  while (at < all.length && all[at]!.startsWith('-')) at += takesNext.test(all[at]!) ? 2 : 1;
  const setting = all.slice(0, at).find((_, index) => all[index - 1] === '-c');
  if (
    setting &&
    /^(core\.(pager|editor|fsmonitor|hookspath|sshcommand)|alias\.|diff\.external|credential\.helper)/i.test(setting)
  ) {
    return claim('changes', `Makes Git run a program through the setting ${setting.split('=')[0]}.`);
  }
  const verb = all[at];
  const rest = all.slice(at + 1);
  return verb === undefined ? undefined : byVerb[verb]?.(given(program, rest));
};

function given(program: string, all: readonly string[]): Words {
  const end = all.indexOf('--');
  return wordsOf(program, all, end < 0 ? all.length : end);
}

const byVerb: Readonly<Record<string, ((words: Words) => Claim | undefined) | undefined>> = {
  push,
  reset: ({ plain: [target], has }) => {
    if (has(/^--hard$/))
      return claim(
        'destroys',
        target && target !== 'HEAD'
          ? `Throws away uncommitted changes and moves the branch to ${target}.`
          : 'Throws away all uncommitted changes.',
      );
    if (has(/^--(merge|keep)$/)) return claim('destroys', 'Throws away changes and moves the branch.');
    return target ? claim('unusual', `Moves the branch to ${target}.`) : undefined;
  },
  checkout: ({ all, plain, has }) => {
    const end = all.indexOf('--');
    const files = end < 0 ? plain : all.slice(end + 1);
    if (has(/^(-f|--force)$/))
      return claim(
        'destroys',
        `Throws away uncommitted changes and switches to ${listed(plain.slice(0, 1), 'another commit')}.`,
      );
    if (has(/^-B$/))
      return claim(
        'destroys',
        `Moves the branch ${listed(plain.slice(0, 1), 'that it names')}, which may lose commits.`,
      );
    if (has(/^(-m|--merge)$/)) return undefined;
    return claim('destroys', `Overwrites uncommitted changes in ${inPlace(files)}.`);
  },
  switch: ({ plain, has }) => {
    if (has(/^(-f|--force|--discard-changes)$/))
      return claim(
        'destroys',
        `Throws away uncommitted changes and switches to ${listed(plain.slice(0, 1), 'another branch')}.`,
      );
    return has(/^(-C|--force-create)/)
      ? claim('destroys', `Moves the branch ${listed(plain.slice(0, 1), 'that it names')}, which may lose commits.`)
      : undefined;
  },
  restore: ({ plain }) => claim('destroys', `Overwrites uncommitted changes in ${inPlace(plain)}.`),
  clean: ({ has }) =>
    claim('destroys', `Deletes ${has(/^-[xX]$/) ? 'untracked and ignored files' : 'untracked files'} for good.`),
  branch: ({ plain, has }) => {
    const deletes = has(/^(-D|-d|--delete)$/);
    const insists = has(/^-D$/) || (deletes && has(/^(-f|--force)$/));
    if (insists)
      return claim('destroys', `Deletes the branch ${listed(plain, 'that it names')}, even if it is not merged.`);
    if (deletes) return claim('destroys', `Deletes the branch ${listed(plain, 'that it names')}, if it is merged.`);
    return has(/^(-M|-C|-f|--force)$/)
      ? claim('destroys', `Overwrites the branch ${plain.at(-1) ?? 'that it names'}.`)
      : undefined;
  },
  tag: ({ plain, has }) => {
    if (has(/^(-d|--delete)$/)) return claim('unusual', `Deletes the tag ${listed(plain, 'that it names')}.`);
    return has(/^(-f|--force)$/)
      ? claim('unusual', `Moves the tag ${listed(plain.slice(0, 1), 'that it names')}.`)
      : undefined;
  },
  rebase: ({ plain: [onto], has }) =>
    claim(
      'unusual',
      has(/^(-i|--interactive)$/)
        ? 'Rewrites the last commits of this branch.'
        : `Rewrites the commits of this branch${onto ? ` on top of ${onto}` : ''}.`,
    ),
  'filter-branch': () => claim('destroys', 'Rewrites the whole history of the repository.'),
  'filter-repo': () => claim('destroys', 'Rewrites the whole history of the repository.'),
  stash: ({ plain: [verb, which] }) => {
    if (verb === 'drop') return claim('destroys', `Deletes the stashed changes ${which ?? 'saved last'}.`);
    return verb === 'clear' ? claim('destroys', 'Deletes all stashed changes.') : undefined;
  },
  commit: ({ has }) => {
    if (has(/^--amend$/)) return claim('unusual', 'Replaces the last commit.');
    return has(/^(-n|--no-verify)$/) ? claim('unusual', 'Commits without running the commit hooks.') : undefined;
  },
  reflog: ({ plain: [verb] }) =>
    verb === 'expire' || verb === 'delete' || verb === 'drop'
      ? claim('destroys', 'Deletes the record by which lost commits are recovered.')
      : undefined,
  gc: ({ has }) => (has(/^--prune/) ? claim('destroys', 'Deletes commits that nothing refers to.') : undefined),
  prune: () => claim('destroys', 'Deletes commits that nothing refers to.'),
  'update-ref': ({ plain: [ref], has }) =>
    claim(
      'destroys',
      has(/^-d$/) ? `Deletes the reference ${ref ?? ''}.` : `Moves the reference ${ref ?? ''}, which may lose commits.`,
    ),
  worktree: ({ plain: [verb, path] }) =>
    verb === 'remove' ? claim('destroys', `Deletes the working tree ${path ?? ''} with what is in it.`) : undefined,
  config: ({ plain, has }) => {
    const [name] = plain.filter((word) => !/^(set|unset|edit|add)$/.test(word));
    const whose = has(/^--global$/) ? ' for the whole account' : has(/^--system$/) ? ' for the whole machine' : '';
    const changes = plain.length > 1 || has(/^--(unset|add|replace-all|edit|remove-section)/);
    if (changes)
      return claim('changes', `Changes the Git setting ${name ?? ''}${whose}.`.replace('setting .', 'settings.'));
    return claim('leaks', 'Shows Git settings, which may hold secrets.');
  },
  remote: ({ plain: [verb, name, address] }) => {
    if (verb === 'set-url' || verb === 'add')
      return claim('changes', `Makes the remote ${name ?? ''} point at ${address ?? 'another address'}.`);
    return verb === 'remove' || verb === 'rm' ? claim('unusual', `Removes the remote ${name ?? ''}.`) : undefined;
  },
  clone: ({ plain: [address] }) => claim('unusual', `Downloads the repository ${address ?? ''}.`),
  submodule: ({ plain: [verb] }) =>
    verb === 'update' || verb === 'add' ? claim('unusual', 'Downloads other repositories into this one.') : undefined,
  'send-email': () => claim('leaks', 'Sends commits by e-mail.'),
};

function push({ plain: [remote, ...refs], has }: Words): Claim {
  const to =
    remote === undefined
      ? 'the remote branch'
      : refs.length > 0
        ? refs.map((ref) => `${remote}/${ref.replace(/^\+/, '').replace(/^.*:(?=.)/, '')}`).join(' and ')
        : `the branch on ${remote}`;
  const on = remote ?? 'the remote';
  const deleted = refs.filter((ref) => ref.startsWith(':')).map((ref) => ref.slice(1));
  if (has(/^(-d|--delete)$/)) return claim('destroys', `Deletes ${listed(refs, 'branches')} on ${on}.`);
  if (deleted.length > 0) return claim('destroys', `Deletes ${listed(deleted, 'branches')} on ${on}.`);
  if (has(/^--mirror$/))
    return claim('destroys', `Overwrites all branches on ${on}, and deletes those that are missing here.`);
  if (has(/^--prune$/)) return claim('destroys', `Deletes branches on ${on} that are missing here.`);
  if (has(/^(-f|--force|--force-with-lease(=.*)?|--force-if-includes)$/) || refs.some((ref) => ref.startsWith('+')))
    return claim('destroys', `Overwrites the history of ${to} on the server.`);
  const isAddress = /:\/\/|^[\w.-]+@[\w.-]+:/.test(on);
  if (isAddress) return claim('sends', `Pushes ${listed(refs, 'commits')} to the address ${on}.`);
  if (has(/^--tags$/)) return claim('unusual', `Pushes all tags to ${on}.`);
  return claim('unusual', refs.length > 0 ? `Pushes ${listed(refs, '')} to ${on}.` : `Pushes commits to ${on}.`);
}

const inPlace = (files: readonly string[]): string =>
  files.length === 0 || files.includes('.') ? 'the whole folder' : listed(files, '');

export const gitClaims: Readonly<Record<string, Claims>> = { git };
