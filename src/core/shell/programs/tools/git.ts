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
  operands: 'rev…',
  others: 'low',
  options:
    '--output=! --ext-diff! --textconv! --no-index --open-files-in-pager?! --exec=! --upload-pack=! --contents=! --output-directory=! --show-signature! -L= -n= -S= -G= -O=! --format= --pretty? --author= --grep= --since= --until= --after= --before= --max-count= --skip= --date= --stat? --word-diff? --color? --diff-filter= --sort= --contains? --points-at= --abbrev? --abbrev-ref? --relative? --follow --not --all --committer= --ignore-rev= --ignore-revs-file=read --unified= -U= -C? -M? -B? --src-prefix= --dst-prefix= --line-prefix= --exclude-from=read -x= -X=read --exclude= --dirstat? --diff-algorithm= --submodule? --ignore-submodules? --untracked-files? --porcelain? --column? --match= --exclude-standard --pathspec-from-file=!',
} as const;
const change = { level: 'medium', reason: 'It changes the repository; Git can undo it.' } as const;
const never = { level: 'high', reason: 'It publishes, rewrites history or throws work away.' } as const;

const verbs: Manuals = {
  diff: { ...look, judge: judgeCompare },
  'status log show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree name-rev merge-base show-ref for-each-ref count-objects whatchanged cherry range-diff diff-tree diff-index diff-files check-ignore check-attr show-branch verify-commit var version merge-tree check-ref-format hash':
    look,
  'cat-file': {
    ...look,
    options: '-p -t -s -e --batch --batch-check --batch-all-objects --textconv! --filters! --path=',
  },
  grep: {
    level: 'low',
    judge: judgeGitGrep,
    operands: 'text rev…',
    others: 'high',
    insteadOfFirst: ['-e'],
    options:
      '-n -i -l -L -c -w -E -F -P -G -o -v -h -H -q -p -W -z -a -I -e= -A= -B= -C= -m= --line-number --ignore-case --files-with-matches --name-only --count --word-regexp --extended-regexp --fixed-strings --perl-regexp --untracked --cached --heading --break --show-function --function-context --column --color? --max-depth= --all-match --and --or --not --no-color --threads= --recurse-submodules --only-matching',
  },
  fsck: { level: 'low', operands: '', options: '--full --no-dangling --unreachable --strict --no-progress' },
  reflog: {
    level: 'low',
    verbs: { 'show list exists': look },
    bare: { ...look, operands: 'text…', judge: judgeNoVerb, options: '-# -n= --all --date= --oneline --max-count=' },
  },
  branch: {
    level: 'low',
    operands: 'text…',
    judge: judgeGitName,
    options:
      '-a -r -v -l -i --list --all --remotes --show-current --contains= --no-contains= --merged? --no-merged? --sort= --format= --color? --no-color --column? --points-at= -vv --verbose -d^ --delete^ -m^ --move^ -c^ --copy^ -u=^ --set-upstream-to=^ --unset-upstream^ --track?^ -t^ --no-track^ -D! -M! -C! -f! --force! --edit-description!',
  },
  tag: {
    level: 'low',
    operands: 'text…',
    judge: judgeGitName,
    options:
      '-l -n? --list --sort= --contains= --points-at= --format= --merged? --no-merged? -a^ -m=^ --annotate^ --message=^ -d! --delete! -f! --force! -s! -u=! -F=!',
  },
  add: {
    ...change,
    operands: 'read…',
    options:
      '-A -u -v -n -N -p -f! --all --update --verbose --dry-run --intent-to-add --patch --force! --chmod= --renormalize --ignore-errors',
  },
  stage: { ...change, operands: 'read…', options: '-A -u' },
  commit: {
    ...change,
    loose: true,
    operands: 'read…',
    options:
      '-m= -a -q -v -s -F=read -n! -S? --message= --all --quiet --verbose --signoff --allow-empty --allow-empty-message --file=read --dry-run --author= --date= --fixup= --squash= --no-edit --trailer= --cleanup= --no-gpg-sign --no-verify! --amend! --template=! -t=! -p --patch --no-status -o -i --only --include',
  },
  checkout: {
    ...change,
    operands: 'text…',
    judge: judgeGitCheckout,
    options:
      '-b= -q -t --track --quiet --orphan= --detach --no-track --progress --guess -f! -B=! -m! --force! --merge! --ours! --theirs! -p! --patch! --',
  },
  switch: {
    ...change,
    operands: 'text…',
    options:
      '-c= --create= -q -t --track --detach -d --guess --orphan= --no-track -C=! -f! -m! --force! --discard-changes! --force-create=! --merge!',
  },
  restore: { level: 'high', reason: 'It throws changes away.', judge: judgeGitRestore },
  reset: { level: 'medium', judge: judgeGitReset },
  stash: {
    ...change,
    options: '-u -k -q -m= -a --include-untracked --keep-index --message= --quiet --all',
    verbs: {
      'list show': look,
      'push save': {
        ...change,
        operands: 'text…',
        options: '-u -k -m= -q -a -S -p --include-untracked --keep-index --message= --quiet --all --staged --patch',
      },
      'pop apply branch': { ...change, options: '-q --index --quiet' },
    },
    bare: { ...change, operands: '', options: '-u -k -q -m= -a --include-untracked --keep-index --message=' },
  },
  merge: {
    ...change,
    operands: 'text…',
    options:
      '-m= -q -v -n --no-ff --ff-only --ff --squash --no-commit --abort --continue --quit --no-edit --edit --stat --no-stat --allow-unrelated-histories --signoff -X= -s! --strategy=! --strategy-option= --log? --no-verify!',
  },
  'cherry-pick revert': {
    ...change,
    operands: 'text…',
    options:
      '-x -n -m= -e -s --no-commit --no-edit --abort --continue --skip --quit --mainline= --signoff --allow-empty -X= --strategy-option=',
  },
  rebase: { level: 'high', reason: 'It rewrites history.', judge: judgeGitRebase, operands: '' },
  clean: { level: 'high', reason: 'It deletes files that no build makes again.', judge: judgeGitClean },
  'fetch pull': {
    level: 'medium',
    judge: judgeGitFetch,
    options:
      '-a -p -q -v -t -n -j= -r? --all --prune --tags --no-tags --quiet --verbose --dry-run --depth= --unshallow --jobs= --ff-only --rebase? --no-rebase --no-edit --autostash --ff --no-ff --progress --multiple --prune-tags --recurse-submodules? -f! --force! --upload-pack=! --update-head-ok!',
  },
  remote: {
    level: 'low',
    verbs: {
      show: { level: 'low', operands: 'text', options: '-n' },
      'get-url': { level: 'low', operands: 'text', options: '--all --push' },
      '-v': look,
      prune: { ...change, operands: 'text', options: '-n --dry-run' },
    },
    options: '-v --verbose',
  },
  config: { level: 'high', judge: judgeGitConfig },
  'symbolic-ref': { level: 'low', operands: 'text', options: '--short -q --quiet -d! --delete! -m=!' },
  worktree: {
    level: 'high',
    verbs: {
      list: look,
      prune: { ...change, options: '-n -v --dry-run' },
      add: { ...change, judge: judgeInsideOnly, operands: 'write text', options: '-b= -d --detach --checkout --track' },
    },
  },
  submodule: {
    level: 'low',
    verbs: { 'status summary': { level: 'low', operands: 'read…', options: '--recursive --cached' } },
  },
  notes: {
    level: 'low',
    verbs: { 'list show': look, 'add append': { ...change, operands: 'text', options: '-m= -f! -F=!' } },
  },
  bisect: { ...change, verbs: { 'log view': look, 'start good bad skip reset new old': { ...change, options: '' } } },
  mv: { ...change, operands: 'write…', options: '-v -n -k --verbose --dry-run' },
  rm: { ...change, judge: judgeGitRemove },
  init: { ...change, operands: 'write', options: '-q -b= --initial-branch= --quiet' },
  archive: {
    level: 'medium',
    reason: 'It packs files.',
    operands: 'rev…',
    options: '-o=write --output=write --format= --prefix= -l --list -v -9 --exec=! --remote=! --add-file=read',
  },
  apply: {
    level: 'medium',
    reason: 'It changes files.',
    judge: judgePatchFiles,
    operands: 'read…',
    options:
      '-p= -R -3 -v --check --stat --numstat --summary --reverse --index --cached --3way --whitespace= --reject --verbose --include= --exclude= --recount --unsafe-paths! --directory=!',
  },
  am: {
    ...change,
    judge: judgePatchFiles,
    operands: 'read…',
    options: '-p= -3 --abort --continue --skip --3way -s --signoff',
  },
  'format-patch': {
    ...change,
    operands: 'rev…',
    options: '-o=write --output-directory=write --stdout -n -1 -2 -3 -#  --cover-letter --no-stat',
  },
  gc: { ...change, operands: '', options: '--auto --quiet -q' },
  'ls-remote': {
    level: 'medium',
    reason: 'It asks the remote repository.',
    judge: judgeGitFetch,
    options: '--heads --tags --refs -h -t --sort= --symref --get-url --exit-code',
  },
  'sparse-checkout': { level: 'high', verbs: { list: look } },
  rerere: { level: 'high', verbs: { 'status diff remaining': look } },
  lfs: { level: 'high', verbs: { 'ls-files status version': look } },
  bundle: { level: 'high', verbs: { 'verify list-heads': { level: 'low', operands: 'read' } } },
  'stripspace column mailinfo': {
    level: 'low',
    operands: '',
    options: '--mode= --width= --padding= -s -c --strip-comments',
  },
  'interpret-trailers': {
    level: 'low',
    operands: 'read…',
    options: '--parse --only-trailers --only-input --unfold --trailer=',
  },
  help: { level: 'low', operands: 'text', options: '-a -g' },
  push: { ...never, judge: judgeGitPush },
  'send-email filter-branch filter-repo update-ref': never,
  clone: { level: 'high', reason: 'It downloads a repository.' },
  'update-index': {
    ...change,
    operands: 'read…',
    options: '--refresh --really-refresh -q --assume-unchanged! --chmod=',
  },
};

export const gitTools: Manuals = {
  git: {
    level: 'high',
    reason: 'It changes the repository or talks to another one.',
    judge: judgeGit,
    options:
      '-C=search -c= -P -p! --no-pager --no-optional-locks --version --help --literal-pathspecs --no-replace-objects --icase-pathspecs --paginate! --git-dir=! --work-tree=! --exec-path?! --config-env=! --namespace=! --super-prefix=! --bare!',
    verbs,
  },
};
