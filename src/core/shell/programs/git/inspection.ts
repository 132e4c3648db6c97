import { eachNamed, type Judge } from '../../calls/manual';
import { flags, high, medium, optionalValues, takes, values } from '../../calls/options';
import { note } from '../../effects/scope';
import { judgeCompare, judgeGitGrep } from '../files/search';
import { type GitTheme, readsOnly } from './kinds';

const judgeVariables: Judge = ({ words, scope, whole }) => {
  if (words.some(({ kind, text }) => kind !== 'literal' || text === '-l'))
    note(scope, 'medium', whole, 'Shows every setting of Git, including tokens and passwords.');
  return undefined;
};

const judgeTools: Judge = ({ words, scope, whole }) => {
  if (words.length !== 1 || words[0]!.text !== '--tool-help') return undefined;
  note(scope, 'low', whole);
  return 'done';
};

/** What is in the repository and how it came about: `git status`, `git log`, `git diff`, `git grep`. */
export const inspection: GitTheme = {
  verbs: {
    ...eachNamed(
      `
        status log show describe rev-parse rev-list ls-tree name-rev merge-base show-ref for-each-ref
        count-objects whatchanged cherry range-diff diff-tree diff-index diff-files check-attr show-branch
        verify-commit verify-tag
        version merge-tree check-ref-format hash
      `,
      readsOnly,
    ),
    ...eachNamed('blame annotate shortlog check-ignore', {
      ...readsOnly,
      options: [...readsOnly.options, flags('-n -c --committer')],
    }),
    'ls-files': { ...readsOnly, options: [...readsOnly.options, takes('read', '-X')] },
    diff: { ...readsOnly, judge: judgeCompare },
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
          --column --all-match --and --or --not --no-color --recurse-submodules --only-matching --quiet --text
          --files-without-match --invert-match --null --basic-regexp --exclude-standard --no-exclude-standard -#
        `),
        values('-e -A -B -C -m --max-depth --threads --context --after-context --before-context --max-count'),
        optionalValues('--color'),
      ],
    },
    // `-l` lists all settings.
    var: { ...readsOnly, judge: judgeVariables },
    'verify-pack': {
      level: 'low',
      operands: { rest: 'read' },
      options: [flags('-v -s --verbose --stat-only'), values('--object-format')],
    },
    'show-index': { level: 'low', operands: [], options: [values('--object-format')] },
    'get-tar-commit-id': { level: 'low', operands: [] },
    'patch-id': { level: 'low', operands: [], options: [flags('--stable --unstable --verbatim')] },
    'check-mailmap': { level: 'low', options: [flags('--stdin'), takes('read', '--mailmap-file')] },
    'hash-object': {
      level: 'low',
      operands: { rest: 'read' },
      options: [
        flags('--stdin --no-filters --literally'),
        values('-t --path'),
        medium(flags('-w')),
        high(flags('--stdin-paths')),
      ],
    },
    'fast-export': {
      level: 'low',
      operands: { rest: 'rev' },
      others: 'high',
      options: [
        flags(`
          --all --branches --tags --anonymize --no-data --use-done-feature --show-original-ids --full-tree
          --reference-excluded-parents --mark-tags --fake-missing-tagger
        `),
        values('--progress --signed-tags --tag-of-filtered-object --reencode'),
      ],
    },
    fsck: {
      level: 'low',
      options: [
        flags(`
          --full --no-full --no-dangling --dangling --unreachable --strict --no-progress --progress --root --tags
          --cache --no-reflogs --connectivity-only --name-objects --verbose -v
        `),
        medium(flags('--lost-found')),
      ],
    },
    help: {
      level: 'low',
      operands: ['text'],
      options: [
        flags(`
          -a -g -c -v --all --guides --config --verbose --no-verbose --user-interfaces --developer-interfaces
          --no-external-commands --no-aliases
        `),
      ],
    },
    ...eachNamed('difftool mergetool', {
      level: 'high',
      reason: 'Starts a program to compare or merge files.',
      judge: judgeTools,
    }),
  },
};
