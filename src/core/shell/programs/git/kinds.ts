import { isGuarded } from '../../../risk/pathRules';
import { type Claim, joinNames, type Words } from '../../calls/claims';
import type { Manual, Manuals } from '../../calls/manual';
import { flags, high, optionalValues, takes, values } from '../../calls/options';
import { type Scope, touch } from '../../effects/scope';
import { resolvePlace } from '../../syntax/place';
import type { Value } from '../../syntax/value';

/** Verbs of Git on one subject: a file of this folder, listed in `git.ts`. */
export interface GitTheme {
  readonly verbs: Manuals;
  /** By verb: what a dangerous call does, as a sentence for the card. `words` are those after the verb. */
  readonly claims?: Readonly<Record<string, (words: Words) => Claim | undefined>>;
}

/** Verbs that only read the repository: `git log`, `git show`. */
export const readsOnly = {
  level: 'low',
  operands: { rest: 'rev' },
  others: 'low',
  options: [
    values(`
        -L -n -S -G --format --author --grep --since --until --after --before --max-count --skip
        --date --diff-filter --sort --points-at --committer --ignore-rev --src-prefix
        --dst-prefix --line-prefix -x --exclude --diff-algorithm --match
      `),
    flags('--no-index --follow --not --all --exclude-standard'),
    optionalValues(`
        --pretty --stat --word-diff --color --contains --abbrev --abbrev-ref --relative -C -M -B
        --dirstat --submodule --ignore-submodules --untracked-files --porcelain --column -U --unified -X
      `),
    takes('read', '--ignore-revs-file --exclude-from'),
    high(
      flags('--ext-diff --textconv --show-signature'),
      values(`
        --output --exec --upload-pack --contents --output-directory -O --pathspec-from-file
      `),
      optionalValues('--open-files-in-pager'),
    ),
  ],
} as const satisfies Manual;

/** Verbs that change the repository in a way that Git can undo: `git add`, `git commit`. */
export const changesRepository = {
  level: 'medium',
  reason: 'Changes the repository; Git can undo it.',
} as const satisfies Manual;

/** Verbs that cannot be undone here: `git push`, `git filter-branch`. */
export const losesOrPublishes = {
  level: 'high',
  reason: 'Publishes, rewrites history or discards work.',
} as const satisfies Manual;

/** Restoring an older version of a file that controls other programs counts as writing it. */
export function restoreGuarded(files: readonly Value[], scope: Scope, whole: string): void {
  for (const file of files)
    if (isGuarded(resolvePlace(file, scope.cwd, scope.context).path)) touch(scope, 'writes', file, whole);
}

/** Names the files that `git restore` or `git checkout` overwrites, for a claim. */
export const overwritten = (files: readonly string[]): string =>
  files.length === 0 || files.includes('.') ? 'the whole folder' : joinNames(files, '');
