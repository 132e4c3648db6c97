import { claim, type Claim, joinNames, type Words } from '../../calls/claims';
import { eachNamed, type Judge, type Manual } from '../../calls/manual';
import { flags, high, optionalValues, values } from '../../calls/options';
import { note, refuse, type Scope } from '../../effects/scope';
import { anyOf, sequence } from '../../../text/alternatives';
import type { Value } from '../../syntax/value';
import { changesRepository, type GitTheme, losesOrPublishes, readsOnly } from './kinds';

// git fetch, git pull, git ls-remote

/** Only remotes that the repository already knows by name are trusted. */
function refuseAddresses(words: readonly Value[], scope: Scope, reason: string): void {
  for (const { kind, text, source } of words)
    if (kind !== 'literal' || /[:\\]|^[./~]|\.\./.test(text) || /^\+/.test(text)) refuse(scope, source, reason);
}

const judgeFetch: Judge = ({ words, scope, whole }) => {
  refuseAddresses(words, scope, 'Fetches from an address or overwrites branches.');
  note(scope, 'medium', whole, 'Fetches from the remote repository.');
  return undefined;
};

const fetch: Manual = {
  level: 'medium',
  judge: judgeFetch,
  options: [
    flags(`
      -a -p -q -v -t -n -k -4 -6 --all --prune --no-prune --tags --no-tags --quiet --verbose --dry-run --unshallow
      --ff-only --no-rebase --no-edit --edit --autostash --no-autostash --ff --no-ff --commit
      --no-commit --squash --no-squash --stat --no-stat --signoff --allow-unrelated-histories --progress
      --no-progress --multiple --prune-tags --append --atomic --keep --porcelain --refetch
      --update-shallow --write-fetch-head --no-write-fetch-head --no-auto-gc --no-auto-maintenance
      --no-recurse-submodules --ipv4 --ipv6 --set-upstream
    `),
    values('-j -X --jobs --depth --deepen --shallow-since --shallow-exclude --filter --strategy-option'),
    optionalValues('-r --rebase --recurse-submodules'),
    high(values('--upload-pack'), flags('-f --force --update-head-ok')),
  ],
};

const lsRemote: Manual = {
  level: 'medium',
  reason: 'Queries the remote repository.',
  judge: judgeFetch,
  options: [
    values('--sort'),
    flags('--heads --branches --tags --refs -h -b -t -q --quiet --symref --get-url --exit-code'),
  ],
};

// git push

/** The remote that `git remote add` or `git remote set-url` changes. `words` are those after `git`. */
function remoteChanged(words: readonly string[]): string | undefined {
  const [verb, does, name] = words.filter((word) => !/^-./.test(word));
  return verb === 'remote' && /^(?:add|set-url)$/.test(does ?? '') ? name : undefined;
}

/** Pushing to a remote that the same command adds or changes sends the code to an address nobody agreed to. */
const judgePush: Judge = ({ words, scope, whole }) => {
  const changed = scope.effects.flatMap(({ by }) =>
    by?.name === 'git' ? (remoteChanged(by.words.map(({ text }) => text)) ?? []) : [],
  );
  const remote = words.find(({ text }) => changed.includes(text));
  if (remote)
    scope.effects.push({
      kind: 'other',
      level: 'high',
      culprit: whole,
      part: whole,
      reason: losesOrPublishes.reason,
      says: `Pushes to ${remote.text}, a remote that this same command adds or changes.`,
      harm: 'sends',
    });
  return undefined;
};

function claimPush({ plain: [remote, ...refs], has }: Words): Claim {
  const on = remote ?? 'the remote';
  const deleted = refs.filter((ref) => ref.startsWith(':')).map((ref) => ref.slice(1));
  if (has(/^(-d|--delete)$/)) return claim('destroys', `Deletes ${joinNames(refs, 'branches')} on ${on}.`);
  if (deleted.length > 0) return claim('destroys', `Deletes ${joinNames(deleted, 'branches')} on ${on}.`);
  if (has(/^--mirror$/))
    return claim('destroys', `Overwrites all branches on ${on}, and deletes those that are missing here.`);
  if (has(/^--prune$/)) return claim('destroys', `Deletes branches on ${on} that are missing here.`);
  if (has(/^(-f|--force|--force-with-lease(=.*)?|--force-if-includes)$/) || refs.some((ref) => ref.startsWith('+')))
    return claim('destroys', `Overwrites the history of ${pushedTo(remote, refs)} on the server.`);
  const isAddress = /:\/\/|^[\w.-]+@[\w.-]+:/.test(on);
  if (isAddress) return claim('sends', `Pushes ${joinNames(refs, 'commits')} to the address ${on}.`);
  if (has(/^--tags$/)) return claim('unusual', `Pushes all tags to ${on}.`);
  return claim('unusual', refs.length > 0 ? `Pushes ${joinNames(refs, '')} to ${on}.` : `Pushes commits to ${on}.`);
}

function pushedTo(remote: string | undefined, refs: readonly string[]): string {
  if (remote === undefined) return 'the remote branch';
  if (refs.length === 0) return `the branch on ${remote}`;
  return refs.map((ref) => `${remote}/${ref.replace(/^\+/, '').replace(/^.*:(?=.)/, '')}`).join(' and ');
}

// git remote

/** `git remote show NAME` asks the server, except with `-n`. */
const judgeShow: Judge = ({ words, scope, whole }) => {
  const isLocal = words.length === 0 || words.some(({ text }) => text === '-n');
  refuseAddresses(words, scope, 'Connects to an address.');
  note(scope, isLocal ? 'low' : 'medium', whole, isLocal ? undefined : 'Queries the remote repository.');
  return undefined;
};

const show: Manual = { level: 'low', judge: judgeShow, operands: { rest: 'text' }, options: [flags('-n')] };

const remote: Manual = {
  level: 'low',
  verbs: {
    show,
    'get-url': { level: 'low', operands: ['text'], options: [flags('--all --push')] },
    ...eachNamed('-v --verbose', { level: 'low', operands: [], verbs: { show } }),
    prune: { ...changesRepository, operands: ['text'], options: [flags('-n --dry-run')] },
    update: { level: 'medium', judge: judgeFetch, options: [flags('-p --prune -v --verbose')] },
  },
  options: [flags('-v --verbose')],
};

function claimRemote({ plain: [verb, name, address] }: Words): Claim | undefined {
  if (verb === 'set-url' || verb === 'add')
    return claim('changes', `Makes the remote ${name ?? ''} point at ${address ?? 'another address'}.`);
  return verb === 'remove' || verb === 'rm' ? claim('unusual', `Removes the remote ${name ?? ''}.`) : undefined;
}

// git clone, git submodule

/** Options of `git clone` that take the next word. */
const takesNext = sequence([
  /^/,
  anyOf([
    /-[bcojtu]/,
    sequence([
      /--/,
      anyOf([
        'branch config origin jobs depth filter reference reference-if-able template separate-git-dir upload-pack',
        'shallow-since shallow-exclude server-option bundle-uri revision ref-format',
      ]),
    ]),
  ]),
  /$/,
]);

function claimClone({ all, plain }: Words): Claim {
  const address = plain.find((word) => !takesNext.test(all[all.indexOf(word) - 1] ?? ''));
  return claim('unusual', `Downloads the repository ${address ?? ''}.`);
}

const submodule: Manual = {
  level: 'low',
  verbs: {
    ...eachNamed('status summary', {
      level: 'low',
      operands: { rest: 'read' },
      options: [flags('--recursive --cached --files --quiet -q'), values('-n --summary-limit')],
    }),
    init: { ...changesRepository, operands: { rest: 'text' }, options: [flags('--quiet -q')] },
  },
};

const claimSubmodule = ({ plain: [verb] }: Words): Claim | undefined =>
  verb === 'update' || verb === 'add' ? claim('unusual', 'Downloads other repositories into this one.') : undefined;

/** Without a pattern, it lists those that exist. */
const judgeTracked: Judge = ({ words, scope, whole }) => {
  if (words.length > 0) return undefined;
  note(scope, 'low', whole);
  return 'done';
};

/** Other repositories: `git fetch`, `git pull`, `git push`, `git remote`, `git clone`. */
export const remotes: GitTheme = {
  verbs: {
    ...eachNamed('fetch pull', fetch),
    'ls-remote': lsRemote,
    push: { ...losesOrPublishes, judge: judgePush },
    remote,
    clone: { level: 'high', reason: 'Downloads a repository.' },
    submodule,
    lfs: {
      level: 'high',
      verbs: { ...eachNamed('ls-files status version', readsOnly), track: { level: 'high', judge: judgeTracked } },
    },
  },
  claims: { push: claimPush, remote: claimRemote, clone: claimClone, submodule: claimSubmodule },
};
