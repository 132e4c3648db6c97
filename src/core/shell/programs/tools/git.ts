import { flags, high, medium, optionalValues, takes, values } from '../../calls/options';
import { each } from '../../calls/manual';
import type { Manuals } from '../../calls/manual';
import { judgeInsideOnly } from '../special/changes';
import {
  judgeGit,
  judgeGitCheckout,
  judgeGitClean,
  judgeGitConfig,
  judgeGitFetch,
  judgeGitName,
  judgeGitPush,
  judgeGitRebase,
  judgeGitRemove,
  judgeGitReset,
  judgeGitRestore,
  judgeNoVerb,
} from '../special/git';
import { judgePatchFiles } from '../special/patches';
import { judgeCompare, judgeGitGrep } from '../special/search';

const look = {
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
  diff: { ...look, judge: judgeCompare },
  ...each(
    `
      status log show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree
      name-rev merge-base show-ref for-each-ref count-objects whatchanged cherry range-diff
      diff-tree diff-index diff-files check-ignore check-attr show-branch verify-commit var
      version merge-tree check-ref-format hash
    `,
    look,
  ),
  'cat-file': {
    ...look,
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
    verbs: { ...each('show list exists', look) },
    bare: {
      ...look,
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
      ...each('list show', look),
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
      high(flags('-f --force --update-head-ok'), values('--upload-pack')),
    ],
  }),
  remote: {
    level: 'low',
    verbs: {
      show: { level: 'low', operands: ['text'], options: [flags('-n')] },
      'get-url': { level: 'low', operands: ['text'], options: [flags('--all --push')] },
      '-v': look,
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
      list: look,
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
      ...each('list show', look),
      ...each('add append', {
        ...change,
        operands: ['text'],
        options: [values('-m'), high(flags('-f'), values('-F'))],
      }),
    },
  },
  bisect: {
    ...change,
    verbs: { ...each('log view', look), ...each('start good bad skip reset new old', { ...change, options: [] }) },
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
  'sparse-checkout': { level: 'high', verbs: { list: look } },
  rerere: { level: 'high', verbs: { ...each('status diff remaining', look) } },
  lfs: { level: 'high', verbs: { ...each('ls-files status version', look) } },
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

export const gitTools: Manuals = {
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
};
