import { isGuarded } from '../../risk/pathRules';
import { anyOf, sequence } from '../../text/alternatives';
import { claim, type Claim, type Claims, listed, type Words, wordsOf } from '../calls/claims';
import { each, type Family, type Judge, type Manuals, type Prints } from '../calls/manual';
import { flags, high, medium, optionalValues, optionTable, readArguments, takes, values } from '../calls/options';
import { drop, note, refuse, type Scope, touch } from '../effects/scope';
import { placeOf } from '../syntax/place';
import { glob, literal, type Value } from '../syntax/value';
import { judgeInsideOnly } from './files/changing';
import { judgeCompare, judgeGitGrep } from './files/search';
import { judgePatchFiles } from './shared/patches';
import { hasWord, printsTracked } from './shared/printed';

const harmlessSetting = sequence([
  /^/,
  anyOf([
    /color\.[\w.]+/,
    /core\.quote[pP]ath/,
    /advice\.\w+/,
    /diff\.(noprefix|mnemonicPrefix|algorithm)/,
    /log\.(date|showSignature)/,
    /core\.(pager|editor)/,
    /core\.(fsmonitor|hooksPath)/,
    /user\.(name|email)/,
    'init.defaultBranch commit.gpgsign',
  ]),
  /=/,
]);

const harmlessValue = /^(true|false|auto|always|never|cat|\/dev\/null|[\w@. -]*)$/;

/** Whether Git may start what a setting names for this verb. Nothing else than these is read for one verb only. */
function mayStart(setting: string, verb: string): boolean {
  if (/^(?:|version|config|rev-parse|init)$/.test(verb)) return false;
  if (setting.startsWith('man.')) return verb === 'help';
  if (setting.startsWith('trailer.')) return /^(?:interpret-trailers|commit)$/.test(verb);
  return true;
}

/** `-c` may only set what runs nothing. */
const judgeGit: Judge = ({ words, scope, whole, manual }) => {
  const { options } = readArguments(words, optionTable(manual.options ?? []), 'letters', true);
  for (const { name, value, culprit } of options) {
    if (name !== '-c') continue;
    const setting = value?.text ?? '';
    const set = setting.slice(setting.indexOf('=') + 1);
    const pointsAtProgram =
      /^core\.(pager|editor|fsmonitor|hooksPath)=/i.test(setting) && !/^(cat|true|:|false|\/dev\/null|)$/.test(set);
    if (value?.kind !== 'literal' || !harmlessSetting.test(setting) || !harmlessValue.test(set) || pointsAtProgram)
      refuse(scope, `${culprit} ${setting}`, 'Git settings can run programs.');
  }
  if (scope.context.gitConfigurationChanged)
    refuse(scope, whole, 'The settings of the repository changed, and they can run programs.');
  const verb = readArguments(words, optionTable(manual.options ?? []), 'letters', true).rest[0]?.text ?? '';
  const started = (scope.context.gitPrograms ?? []).find((setting) => mayStart(setting, verb));
  if (started !== undefined)
    note(scope, 'medium', whole, `It may run a program that the setting ${started} of the repository names.`);
  return undefined;
};

/** One plain name is a branch; anything else throws changes away. */
const judgeGitCheckout: Judge = ({ words, scope, whole }) => {
  const operands = words.filter(({ text }) => !/^-./.test(text));
  const creates = words.some(({ text }) => /^(-b|--orphan|--track|-t)$/.test(text));
  const name = operands[0];
  const branch =
    operands.length === 1 &&
    name?.kind === 'literal' &&
    !isGuarded(name.text) &&
    /^(-|[\w][\w/@{}~^-]*(\.\d+)*)$/.test(name.text);
  if (words.some(({ text }) => text === '--') || !(creates ? operands.length <= 2 : branch)) {
    refuse(scope, whole, 'It throws changes away.');
    bringBack(operands, scope, whole);
  }
  return undefined;
};

/** Takes files out of the index; anything more moves the branch or throws changes away. */
const judgeGitReset: Judge = ({ words, scope, whole }) => {
  const [first] = words.filter(({ text }) => text !== '-q' && text !== '--quiet' && text !== '--mixed');
  if (first && !/^(HEAD|--)$/.test(first.text)) refuse(scope, whole, 'It moves the branch or throws changes away.');
  else note(scope, 'medium', whole, 'It takes files out of the index.');
  return 'done';
};

/** Reading one setting. */
const judgeGitConfig: Judge = ({ words, scope, whole }) => {
  const texts = words
    .map(({ text }) => text)
    .filter((text) => !/^--(local|global|system|show-origin|show-scope|null|name-only|worktree)$|^-z$/.test(text));
  const reads =
    (texts.length <= 2 && /^(--get|--get-all|get)$/.test(texts[0] ?? '')) ||
    (texts.length === 1 && /^(--list|-l|list|[a-z]+\.[\w.-]+)$/i.test(texts[0]!)) ||
    (texts.length === 2 &&
      texts[0] === '--get-regexp' &&
      /^\^?(branch|user|color|init|pull|push|merge|diff|log|submodule|core|rebase|fetch)\b/.test(texts[1]!));
  if (!reads || texts.some((text) => /credential|token|extraheader|password|secret|\.insteadof|sendemail/i.test(text)))
    refuse(scope, whole, 'Git settings can run programs or hold secrets.');
  else
    note(
      scope,
      texts.some((text) => /^(--list|-l|list)$/.test(text)) ? 'medium' : 'low',
      whole,
      'It shows every setting of Git.',
    );
  return 'done';
};

/** Only from remotes that the repository already names. */
const judgeGitFetch: Judge = ({ words, scope, whole }) => {
  for (const { kind, text, source } of words) {
    if (kind !== 'literal' || /[:\\]|^[./~]|\.\./.test(text) || /^\+/.test(text))
      refuse(scope, source, 'It fetches from an address or overwrites branches.');
  }
  note(scope, 'medium', whole, 'It fetches from the remote repository.');
  return undefined;
};

/** The remote that a command of Git adds, or points elsewhere, with `git remote`. */
function remoteChanged(all: readonly string[]): string | undefined {
  const [verb, does, name] = all.filter((word) => !/^-./.test(word));
  return verb === 'remote' && /^(?:add|set-url)$/.test(does ?? '') ? name : undefined;
}

/** Data sent to a remote that was unknown before this line is the worst of the line. */
const judgeGitPush: Judge = ({ words, scope, whole }) => {
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
      reason: 'It publishes, rewrites history or throws work away.',
      says: `Pushes to ${remote.text}, a remote that this same command adds or changes.`,
      harm: 'sends',
    });
  return undefined;
};

/** `git branch NAME` makes one; without a name it lists. */
const judgeGitName: Judge = ({ words, scope, whole }) => {
  const lists = words.some(({ text }) =>
    /^(-[arvl]+|--list|--contains|--merged|--no-merged|--points-at|--sort|--format)/.test(text),
  );
  if (!lists && words.some(({ text }) => !text.startsWith('-')))
    note(scope, 'medium', whole, 'It changes the repository; Git can undo it.');
  return undefined;
};

/** Only taking files out of the index keeps them. */
const judgeGitRestore: Judge = ({ words, scope, whole }) => {
  const flags = words.filter(({ text }) => text.startsWith('-') && text !== '--').map(({ text }) => text);
  const keeps =
    flags.length > 0 &&
    flags.every((text) => /^(--staged|-S|-q|--quiet)$/.test(text)) &&
    flags.some((text) => /^(--staged|-S)$/.test(text));
  if (keeps) note(scope, 'medium', whole, 'It takes files out of the index.');
  else {
    refuse(scope, whole, 'It throws changes away.');
    bringBack(
      words.filter(({ text }) => !/^-./.test(text)),
      scope,
      whole,
    );
  }
  return 'done';
};

/** Files that others go by are changed by an older text of them too. */
function bringBack(words: readonly Value[], scope: Scope, whole: string): void {
  for (const word of words)
    if (isGuarded(placeOf(word, scope.cwd, scope.context.workspace).path)) touch(scope, 'writes', word, whole);
}

/** Aborting a rebase, or showing its state. */
const judgeGitRebase: Judge = ({ words, scope, whole }) => {
  if (words.length !== 1 || !/^--(abort|quit|show-current-patch)$/.test(words[0]!.text)) return undefined;
  note(scope, words[0]!.text === '--show-current-patch' ? 'low' : 'medium', whole, 'It ends a rebase under way.');
  return 'done';
};

/** Listing what would go is harmless. */
const judgeGitClean: Judge = ({ words, scope, whole }) => {
  if (
    words.some(({ text }) => /^(-[dxXq]*n[dxXq]*|--dry-run)$/.test(text)) &&
    !words.some(({ text }) => /^-[a-zA-Z]*[fi]|^--(f|i)/.test(text))
  )
    note(scope, 'low', whole);
  else refuse(scope, whole, 'It deletes files that no build makes again.');
  return 'done';
};

const judgeGitRemove: Judge = ({ words, scope, whole }) => {
  const onlyIndex = words.some(({ text }) => text === '--cached');
  const recursive = words.some(({ text }) => text === '-r');
  for (const { text, source } of words)
    if (/^-/.test(text) && !/^(--cached|-[rqn]|--quiet|--dry-run|--)$/.test(text))
      refuse(scope, source, 'It deletes files whatever is in them.');
  for (const word of words) {
    if (word.text.startsWith('-')) continue;
    // Git removes a single file only if it has the same content committed.
    if (onlyIndex || !recursive) touch(scope, 'writes', word, whole);
    else drop(scope, word, true, whole);
  }
  note(scope, 'medium', whole, 'It changes the repository; Git can undo it.');
  return 'done';
};

const judgeNoVerb: Judge = ({ words, scope, whole }) => {
  const first = words.find(({ text }) => !text.startsWith('-'));
  if (first && /^(expire|delete|drop|write)$/.test(first.text)) refuse(scope, whole, 'It throws history away.');
  return undefined;
};

const readsOnly = {
  level: 'low',
  operands: { rest: 'rev' },
  others: 'low',
  options: [
    values(`
        -L -n -S -G --format --author --grep --since --until --after --before --max-count --skip
        --date --diff-filter --sort --points-at --committer --ignore-rev --unified -U --src-prefix
        --dst-prefix --line-prefix -x --exclude --diff-algorithm --match
      `),
    flags('--no-index --follow --not --all --exclude-standard'),
    optionalValues(`
        --pretty --stat --word-diff --color --contains --abbrev --abbrev-ref --relative -C -M -B
        --dirstat --submodule --ignore-submodules --untracked-files --porcelain --column
      `),
    takes('read', '--ignore-revs-file --exclude-from -X'),
    high(
      flags('--ext-diff --textconv --show-signature'),
      values(`
        --output --exec --upload-pack --contents --output-directory -O --pathspec-from-file
      `),
      optionalValues('--open-files-in-pager'),
    ),
  ],
} as const;

const change = { level: 'medium', reason: 'It changes the repository; Git can undo it.' } as const;

const never = { level: 'high', reason: 'It publishes, rewrites history or throws work away.' } as const;

const verbs: Manuals = {
  diff: { ...readsOnly, judge: judgeCompare },
  ...each(
    `
      status log show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree
      name-rev merge-base show-ref for-each-ref count-objects whatchanged cherry range-diff
      diff-tree diff-index diff-files check-ignore check-attr show-branch verify-commit var
      version merge-tree check-ref-format hash
    `,
    readsOnly,
  ),
  'cat-file': {
    ...readsOnly,
    options: [
      flags('-p -t -s -e --batch --batch-check --batch-all-objects'),
      values('--path'),
      high(flags('--textconv --filters')),
    ],
  },
  grep: {
    level: 'low',
    judge: judgeGitGrep,
    operands: { first: ['text'], rest: 'rev' },
    others: 'high',
    insteadOfFirst: ['-e'],
    options: [
      flags(`
          -n -i -l -L -c -w -E -F -P -G -o -v -h -H -q -p -W -z -a -I --line-number --ignore-case
          --files-with-matches --name-only --count --word-regexp --extended-regexp --fixed-strings
          --perl-regexp --untracked --cached --heading --break --show-function --function-context
          --column --all-match --and --or --not --no-color --recurse-submodules --only-matching
        `),
      values('-e -A -B -C -m --max-depth --threads'),
      optionalValues('--color'),
    ],
  },
  fsck: { level: 'low', operands: [], options: [flags('--full --no-dangling --unreachable --strict --no-progress')] },
  reflog: {
    level: 'low',
    verbs: { ...each('show list exists', readsOnly) },
    bare: {
      ...readsOnly,
      operands: { rest: 'text' },
      judge: judgeNoVerb,
      options: [flags('-# --all --oneline'), values('-n --date --max-count')],
    },
  },
  branch: {
    level: 'low',
    operands: { rest: 'text' },
    judge: judgeGitName,
    options: [
      values('--contains --no-contains --sort --format --points-at'),
      flags('-a -r -v -l -i --list --all --remotes --show-current --no-color -vv --verbose'),
      optionalValues('--merged --no-merged --color --column'),
      medium(
        flags('-d --delete -m --move -c --copy --unset-upstream -t --no-track'),
        values('-u --set-upstream-to'),
        optionalValues('--track'),
      ),
      high(flags('-D -M -C -f --force --edit-description')),
    ],
  },
  tag: {
    level: 'low',
    operands: { rest: 'text' },
    judge: judgeGitName,
    options: [
      flags('-l --list'),
      values('--sort --contains --points-at --format'),
      optionalValues('-n --merged --no-merged'),
      medium(flags('-a --annotate'), values('-m --message')),
      high(flags('-d --delete -f --force -s'), values('-u -F')),
    ],
  },
  add: {
    ...change,
    operands: { rest: 'read' },
    options: [
      flags(`
          -A -u -v -n -N -p --all --update --verbose --dry-run --intent-to-add --patch --renormalize
          --ignore-errors
        `),
      values('--chmod'),
      high(flags('-f --force')),
    ],
  },
  stage: { ...change, operands: { rest: 'read' }, options: [flags('-A -u')] },
  commit: {
    ...change,
    loose: true,
    operands: { rest: 'read' },
    options: [
      flags(`
          -a -q -v -s --all --quiet --verbose --signoff --allow-empty --allow-empty-message --dry-run
          --no-edit --no-gpg-sign -p --patch --no-status -o -i --only --include
        `),
      values('-m --message --author --date --fixup --squash --trailer --cleanup'),
      optionalValues('-S'),
      takes('read', '-F --file'),
      high(flags('-n --no-verify --amend'), values('--template -t')),
    ],
  },
  checkout: {
    ...change,
    operands: { rest: 'text' },
    judge: judgeGitCheckout,
    options: [
      flags('-q -t --track --quiet --detach --no-track --progress --guess --'),
      values('-b --orphan'),
      high(flags('-f -m --force --merge --ours --theirs -p --patch'), values('-B')),
    ],
  },
  switch: {
    ...change,
    operands: { rest: 'text' },
    options: [
      flags('-q -t --track --detach -d --guess --no-track'),
      values('-c --create --orphan'),
      high(flags('-f -m --force --discard-changes --merge'), values('-C --force-create')),
    ],
  },
  restore: { level: 'high', reason: 'It throws changes away.', judge: judgeGitRestore },
  reset: { level: 'medium', judge: judgeGitReset },
  stash: {
    ...change,
    options: [flags('-u -k -q -a --include-untracked --keep-index --quiet --all'), values('-m --message')],
    verbs: {
      ...each('list show', readsOnly),
      ...each('push save', {
        ...change,
        operands: { rest: 'text' },
        options: [
          flags(`
            -u -k -q -a -S -p --include-untracked --keep-index --quiet --all --staged --patch
          `),
          values('-m --message'),
        ],
      }),
      ...each('pop apply branch', { ...change, options: [flags('-q --index --quiet')] }),
    },
    bare: {
      ...change,
      operands: [],
      options: [flags('-u -k -q -a --include-untracked --keep-index'), values('-m --message')],
    },
  },
  merge: {
    ...change,
    operands: { rest: 'text' },
    options: [
      flags(`
          -q -v -n --no-ff --ff-only --ff --squash --no-commit --abort --continue --quit --no-edit
          --edit --stat --no-stat --allow-unrelated-histories --signoff
        `),
      values('-m -X --strategy-option'),
      optionalValues('--log'),
      high(flags('-s --no-verify'), values('--strategy')),
    ],
  },
  ...each('cherry-pick revert', {
    ...change,
    operands: { rest: 'text' },
    options: [
      flags(`
          -x -n -e -s --no-commit --no-edit --abort --continue --skip --quit --signoff --allow-empty
        `),
      values('-m --mainline -X --strategy-option'),
    ],
  }),
  rebase: { level: 'high', reason: 'It rewrites history.', judge: judgeGitRebase, operands: [] },
  clean: { level: 'high', reason: 'It deletes files that no build makes again.', judge: judgeGitClean },
  ...each('fetch pull', {
    level: 'medium',
    judge: judgeGitFetch,
    options: [
      flags('-a -p -q -v -t -n'),
      values('-j'),
      optionalValues('-r'),
      flags('--all --prune --tags --no-tags --quiet --verbose --dry-run'),
      values('--depth'),
      flags('--unshallow'),
      values('--jobs'),
      flags('--ff-only'),
      optionalValues('--rebase'),
      flags(`
          --no-rebase --no-edit --autostash --ff --no-ff --progress --multiple --prune-tags
        `),
      optionalValues('--recurse-submodules'),
      high(values('--upload-pack'), flags('-f --force --update-head-ok')),
    ],
  }),
  remote: {
    level: 'low',
    verbs: {
      show: { level: 'low', operands: ['text'], options: [flags('-n')] },
      'get-url': { level: 'low', operands: ['text'], options: [flags('--all --push')] },
      '-v': readsOnly,
      prune: { ...change, operands: ['text'], options: [flags('-n --dry-run')] },
    },
    options: [flags('-v --verbose')],
  },
  config: { level: 'high', judge: judgeGitConfig },
  'symbolic-ref': {
    level: 'low',
    operands: ['text'],
    options: [flags('--short -q --quiet'), high(flags('-d --delete'), values('-m'))],
  },
  worktree: {
    level: 'high',
    verbs: {
      list: readsOnly,
      prune: { ...change, options: [flags('-n -v --dry-run')] },
      add: {
        ...change,
        judge: judgeInsideOnly,
        operands: ['write', 'text'],
        options: [flags('-d --detach --checkout --track'), values('-b')],
      },
    },
  },
  submodule: {
    level: 'low',
    verbs: {
      ...each('status summary', { level: 'low', operands: { rest: 'read' }, options: [flags('--recursive --cached')] }),
    },
  },
  notes: {
    level: 'low',
    verbs: {
      ...each('list show', readsOnly),
      ...each('add append', {
        ...change,
        operands: ['text'],
        options: [values('-m'), high(flags('-f'), values('-F'))],
      }),
    },
  },
  bisect: {
    ...change,
    verbs: { ...each('log view', readsOnly), ...each('start good bad skip reset new old', { ...change, options: [] }) },
  },
  mv: { ...change, operands: { rest: 'write' }, options: [flags('-v -n -k --verbose --dry-run')] },
  rm: { ...change, judge: judgeGitRemove },
  init: { ...change, operands: ['write'], options: [flags('-q --quiet'), values('-b --initial-branch')] },
  archive: {
    level: 'medium',
    reason: 'It packs files.',
    operands: { rest: 'rev' },
    options: [
      flags('-l --list -v -9'),
      values('--format --prefix'),
      takes('write', '-o --output'),
      takes('read', '--add-file'),
      high(values('--exec --remote')),
    ],
  },
  apply: {
    level: 'medium',
    reason: 'It changes files.',
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
  },
  am: {
    ...change,
    judge: judgePatchFiles,
    operands: { rest: 'read' },
    options: [flags('-3 --abort --continue --skip --3way -s --signoff'), values('-p')],
  },
  'format-patch': {
    ...change,
    operands: { rest: 'rev' },
    options: [flags('--stdout -n -1 -2 -3 -# --cover-letter --no-stat'), takes('write', '-o --output-directory')],
  },
  gc: { ...change, operands: [], options: [flags('--auto --quiet -q')] },
  'ls-remote': {
    level: 'medium',
    reason: 'It asks the remote repository.',
    judge: judgeGitFetch,
    options: [values('--sort'), flags('--heads --tags --refs -h -t --symref --get-url --exit-code')],
  },
  'sparse-checkout': { level: 'high', verbs: { list: readsOnly } },
  rerere: { level: 'high', verbs: { ...each('status diff remaining', readsOnly) } },
  lfs: { level: 'high', verbs: { ...each('ls-files status version', readsOnly) } },
  bundle: { level: 'high', verbs: { ...each('verify list-heads', { level: 'low', operands: ['read'] }) } },
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
  help: { level: 'low', operands: ['text'], options: [flags('-a -g')] },
  push: { ...never, judge: judgeGitPush },
  ...each('send-email filter-branch filter-repo update-ref', never),
  clone: { level: 'high', reason: 'It downloads a repository.' },
  'update-index': {
    ...change,
    operands: { rest: 'read' },
    options: [flags('--refresh --really-refresh -q'), values('--chmod'), high(flags('--assume-unchanged'))],
  },
};

/** Options of `git` itself that take the next word. */
const takesNext = /^(-C|-c|--git-dir|--work-tree|--namespace)$/;

/** What Git does beyond what it can take back. */
const gitClaims: Claims = ({ all, program }) => {
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
    const ofMachine = has(/^--system$/) ? ' for the whole machine' : '';
    const whose = has(/^--global$/) ? ' for the whole account' : ofMachine;
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

function pushedTo(remote: string, refs: readonly string[]): string {
  if (refs.length === 0) return `the branch on ${remote}`;
  return refs.map((ref) => `${remote}/${ref.replace(/^\+/, '').replace(/^.*:(?=.)/, '')}`).join(' and ');
}

function push({ plain: [remote, ...refs], has }: Words): Claim {
  const to = remote === undefined ? 'the remote branch' : pushedTo(remote, refs);
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

/** Names of files, of `ls-files` and of what other verbs name with `--name-only`. */
const gitPrints: Prints = ({ words, scope }) => {
  const [verb = '', ...rest] = words.map(({ text }) => text);
  const has = (pattern: RegExp): boolean => hasWord(words, pattern);
  if (verb === 'rev-parse' && rest[0] === '--show-toplevel') {
    const { workspace } = scope.context;
    return scope.cwd === '.' || workspace ? [literal(workspace ?? '.')] : undefined;
  }
  const tracked = (): Value[] => printsTracked(words.slice(1), scope);
  // What Git does not keep may be anything, especially what it is told to ignore.
  if (verb === 'ls-files' && has(/^-[a-z]*[oi]|^--(o|ig)/)) {
    const leavesOutIgnored = has(/^--exclude-st/) && !has(/^-[a-z]*i|^--ig/);
    return leavesOutIgnored ? tracked() : [glob('**/*', 'git ls-files', true)];
  }
  const printsNames =
    verb === 'ls-files' ||
    (verb === 'grep' && has(/^-[a-zA-Z]*l|^--files-with/)) ||
    (/^(?:diff|show)$/.test(verb) && has(/^--name-only$/));
  return printsNames ? tracked() : undefined;
};

export const gitFamily: Family = {
  takesData: ['git'],
  programs: {
    git: {
      level: 'high',
      reason: 'It changes the repository or talks to another one.',
      judge: judgeGit,
      options: [
        flags(`
          -P --no-pager --no-optional-locks --version --help --literal-pathspecs --no-replace-objects
          --icase-pathspecs
        `),
        values('-c'),
        takes('search', '-C'),
        high(
          flags('-p --paginate --bare'),
          values('--git-dir --work-tree --config-env --namespace --super-prefix'),
          optionalValues('--exec-path'),
        ),
      ],
      verbs,
    },
  },
  claims: { git: gitClaims },
  prints: { git: gitPrints },
};
