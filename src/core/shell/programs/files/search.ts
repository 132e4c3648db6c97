import { matchingRules, secretReads } from '../../../risk/pathRules';
import { anyOf } from '../../../text/alternatives';
import type { Judge } from '../../calls/manual';
import { type Options, optionTable, readArguments } from '../../calls/options';
import { note, refuse, type Scope } from '../../effects/scope';
import { matchesAnything, mayFind, secretSamples } from '../../syntax/globs';
import { isWorkspaceFolder, pathInFolder, resolvePlace } from '../../syntax/place';
import { glob, globWithDotFiles, literal, type Value } from '../../syntax/value';

const secretive = anyOf(
  [
    'passw secret token',
    /api[_-]?key/,
    /private.?key/,
    'credential',
    /BEGIN (?:(?!BEGIN ).)*KEY/,
    'aws_ AKIA',
    /\bsk[-_]/,
    /gh[pousr]_/,
    'github_pat glpat-',
    /xox[a-z]-/,
    'AIza',
    /\beyJ/,
    /npm_\[/,
  ],
  'i',
);

/** Arguments that start with a plus are pager commands, which can run programs. */
export const judgePager: Judge = ({ words, scope }) => {
  for (const { text, source } of words)
    if (text.startsWith('+') && !/^\+(\d+|G|F)$/.test(text)) refuse(scope, source, 'Gives the pager a command.');
  return undefined;
};

/**
 * Names that only secret files have. `*.json` is left out: it also matches keys, but searches of JSON files are rarely
 * for them.
 */
const secretNames = secretSamples.filter((name) => !/\.json$/.test(name));

/** Returns whether a pattern of file names asks for files that contain secrets. */
export const asksForSecrets = (pattern: string): boolean =>
  matchingRules(pattern, secretReads).some(({ level }) => level === 'high') ||
  (!/^\*+$/.test(pattern) && mayFind(pattern, secretNames, { hidden: true }));

interface Search {
  readonly valuesOf: (name: RegExp) => readonly Value[];
  readonly has: (name: RegExp) => boolean;
  readonly patterns: readonly Value[];
  readonly roots: readonly Value[];
}

function searchOf(words: readonly Value[], table: Options): Search {
  const { options, operands } = readArguments(words, optionTable(table), 'letters');
  const valuesOf = (name: RegExp): Value[] =>
    options.flatMap((option) => (name.test(option.option?.name ?? option.name) && option.value ? [option.value] : []));
  const has = (name: RegExp): boolean => options.some((option) => name.test(option.option?.name ?? option.name));
  const instead = has(/^(-e|-f|--regexp|--file|--files|--type-list)$/);
  return {
    valuesOf,
    has,
    patterns: [...valuesOf(/^(-e|--regexp)$/), ...(instead ? [] : operands.slice(0, 1))],
    roots: instead ? operands : operands.slice(1),
  };
}

/**
 * Returns whether a pattern may expand to a name that starts with a dash, which would be an option: ripgrep's
 * `--pre=PROGRAM` starts a program.
 */
const mayGiveOptions = ({ kind, text }: Value): boolean => kind === 'glob' && /^[*?[]/.test(text);

const everywhere = (roots: readonly Value[], scope: Scope): boolean =>
  roots.length === 0
    ? scope.cwd === undefined || isWorkspaceFolder(scope.cwd, scope.context)
    : roots.some((root) => {
        const place = resolvePlace(root, scope.cwd, scope.context);
        return root.kind !== 'literal' || pathInFolder(place) === '.' || place.where !== 'inside';
      });

/** Checks a search without a path, which searches the current folder and may find files that .agentignore excludes. */
function checkSearchedFolder({ roots }: Search, scope: Scope, whole: string): void {
  const name =
    roots.length === 0 ? scope.context.excludedPath?.(scope.cwd ?? '.', { pattern: false, within: true }) : undefined;
  if (name !== undefined) refuse(scope, whole, `May reach ${name}, which .agentignore excludes.`);
}

/**
 * Refuses a search of everything for secrets or for any text, because it prints them. Elsewhere only the files named
 * matter.
 */
export const judgeGrep: Judge = ({ words, scope, whole, manual }) => {
  const search = searchOf(words, manual.options!);
  const { valuesOf, has, patterns, roots } = search;
  const recursive =
    has(/^(-[rR]|--(deref|recur).*)$/) || valuesOf(/^(-d|--directories)$/).some(({ text }) => /^recurse/.test(text));
  const silent = has(/^(-[lLcq]|--count|--files-with.*|--quiet|--silent)$/);
  if (!recursive || silent) return undefined;
  checkSearchedFolder(search, scope, whole);
  const included = valuesOf(/^--include$/);
  for (const one of included)
    if (
      asksForSecrets(one.text) ||
      (/^\*+$/.test(one.text) && everywhere(roots, scope) && patterns.some(({ text }) => matchesAnything(text)))
    )
      refuse(scope, one.source, 'Searches files that may contain secrets.');
  if (included.length > 0 || !everywhere(roots, scope)) return undefined;
  if (patterns.some(({ text }) => secretive.test(text))) refuse(scope, whole, 'Searches everything for secrets.');
  const leavesOut = valuesOf(/^--exclude$/).some(({ text }) => /^\.(env\*|\*)$/.test(text));
  if (!leavesOut && (has(/^(-v|--invert-match)$/) || patterns.some(({ text }) => matchesAnything(text))))
    refuse(scope, whole, 'Prints whole files, and some may contain secrets.');
  return undefined;
};

/** Like `judgeGrep`. ack also searches hidden files and ignores no files, unless it is told which types to search. */
export const judgeAck: Judge = ({ words, scope, whole, manual }) => {
  const search = searchOf(words, manual.options!);
  const { has, patterns, roots } = search;
  checkSearchedFolder(search, scope, whole);
  if (!everywhere(roots, scope) || has(/^(-[lLcfg]|--(js|ts|python|type|count|files-with.*|files-without.*))$/))
    return undefined;
  if (patterns.some(({ text }) => secretive.test(text))) refuse(scope, whole, 'Searches everything for secrets.');
  if (has(/^(-v|--invert-match)$/) || patterns.some(({ text }) => matchesAnything(text)))
    refuse(scope, whole, 'Prints whole files, and some may contain secrets.');
  return undefined;
};

/** Untracked files may contain secrets that nobody added to .gitignore. */
export const judgeGitGrep: Judge = ({ words, scope, whole, manual }) => {
  const search = searchOf(words, manual.options!);
  const { has, patterns, roots } = search;
  checkSearchedFolder(search, scope, whole);
  if (
    !has(/^--untracked$/) ||
    has(/^(-[lLcq]|--count|--files-with.*|--name-only|--quiet)$/) ||
    !everywhere(
      roots.filter(({ text }) => text !== '--'),
      scope,
    )
  )
    return undefined;
  if (patterns.some(({ text }) => matchesAnything(text) || secretive.test(text)))
    refuse(scope, whole, 'Prints whole files, and some may contain secrets.');
  return undefined;
};

/**
 * Judges a recursive comparison of two folders. It prints the lines that differ; with `-N` also every line of files
 * that exist on one side only.
 */
export const judgeCompare: Judge = ({ name, words, scope, whole, manual }) => {
  const { options, operands } = readArguments(words, optionTable(manual.options ?? []), 'letters');
  const has = (pattern: RegExp): boolean => options.some((option) => pattern.test(option.option?.name ?? option.name));
  const git = name !== 'diff' && name !== 'colordiff';
  if (git ? !has(/^--no-index$/) : !has(/^(-r|--recursive)$/)) return undefined;
  if (has(/^(-q|--brief|--name-only|--name-status|--stat|--shortstat|--quiet)$/)) return undefined;
  if (!operands.some((root) => everywhere([root], scope) && root.text !== '--')) return undefined;
  if (git || has(/^(-N|-P|--new-file|--unidirectional-new-file)$/))
    refuse(scope, whole, 'Prints whole files, and some may contain secrets.');
  else note(scope, 'medium', whole, 'Prints lines of all files that differ, and some may contain secrets.');
  return undefined;
};

const plainWord = /^\W*\w[\w -]{2,}\w\W*$/;
const secretWord = anyOf(['key tok secret pass pwd cred auth env api priv'], 'i');

/**
 * Searching hidden files is harmless in a named folder. In all of them, it is if it asks for a word that is not about
 * secrets: Git usually ignores the files that contain them.
 */
export const judgeRipgrep: Judge = ({ words, scope, whole, manual }) => {
  const search = searchOf(words, manual.options!);
  const { valuesOf, has, patterns, roots } = search;
  checkSearchedFolder(search, scope, whole);
  const end = words.findIndex(({ text }) => text === '--');
  if (words.slice(0, end < 0 ? words.length : end).some(mayGiveOptions))
    note(
      scope,
      'medium',
      whole,
      'Treats file names that start with a dash as options, and one of these starts a program.',
    );
  const prints = patterns.some(({ text }) => matchesAnything(text));
  for (const { text } of valuesOf(/^(-g|--i?glob)$/))
    if (!text.startsWith('!') && (asksForSecrets(text) || (prints && mayFind(text, secretSamples, { hidden: true }))))
      refuse(scope, text, 'Searches files that may contain secrets.');
  const everything = everywhere(roots, scope);
  const refuseHidden = (): void => refuse(scope, whole, 'Searches hidden files, which may contain secrets.');
  if (everything && has(/^(-u|--(no-ig|unr).*)$/)) refuseHidden();
  else if (everything && has(/^(-\.|--hid.*)$/)) {
    const printsMore = prints || has(/^(-v|-f|--invert-match|--file|--passthru|-[ABC]|--.*context)$/);
    const asksForWord =
      patterns.length > 0 &&
      patterns.every(({ kind, text }) => kind === 'literal' && plainWord.test(text) && !secretWord.test(text));
    const printsNames = has(/^(-l|-c|-q|--files.*|--count.*|--quiet)$/);
    if (printsMore || !(asksForWord || printsNames)) refuseHidden();
    else note(scope, 'medium', whole, 'Searches hidden files, except those that Git ignores.');
  }
  return undefined;
};

/** Returns the files that a search which prints only names may report. Undefined if it searches its input. */
export function filesFound(words: readonly Value[], table: Options, scope: Scope): readonly Value[] | undefined {
  const { valuesOf, has, roots } = searchOf(words, table);
  const recursive = has(/^(-[rR]|--(deref|recur).*)$/);
  if (!recursive) return roots.length > 0 ? roots : undefined;
  const named = valuesOf(/^--include$/).map(({ text }) => text);
  const names = named.length > 0 ? named : ['*'];
  const pattern = named.length > 0 || everywhere(roots, scope) ? globWithDotFiles : glob;
  return (roots.length > 0 ? roots : [literal('.')]).flatMap((root) =>
    names.map((name) => pattern(`${root.text}/**/${name}`, root.source)),
  );
}

export const judgeJq: Judge = ({ words, scope, whole }) => {
  if (
    words.some(({ text }) =>
      // `.env` is a field.
      /(?<!(?:^|[^.])\.)\benv\b|\$ENV|\binput_filename\b|\b(include|import)\b|\$__prog|\bload\w*\(|strenv|envsubst/.test(
        text,
      ),
    )
  )
    refuse(scope, whole, 'Shows the environment or loads code.');
  return undefined;
};
