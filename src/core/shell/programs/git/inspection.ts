import { each } from '../../calls/manual';
import { flags, high, optionalValues, values } from '../../calls/options';
import { judgeCompare, judgeGitGrep } from '../files/search';
import { type GitTheme, readsOnly } from './kinds';

/** What is in the repository and how it came about: `git status`, `git log`, `git diff`, `git grep`. */
export const inspection: GitTheme = {
  verbs: {
    ...each(
      `
        status log show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree
        name-rev merge-base show-ref for-each-ref count-objects whatchanged cherry range-diff
        diff-tree diff-index diff-files check-ignore check-attr show-branch verify-commit var
        version merge-tree check-ref-format hash
      `,
      readsOnly,
    ),
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
          --column --all-match --and --or --not --no-color --recurse-submodules --only-matching
        `),
        values('-e -A -B -C -m --max-depth --threads'),
        optionalValues('--color'),
      ],
    },
    fsck: { level: 'low', operands: [], options: [flags('--full --no-dangling --unreachable --strict --no-progress')] },
    help: { level: 'low', operands: ['text'], options: [flags('-a -g')] },
  },
};
