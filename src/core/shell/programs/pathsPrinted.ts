import type { Options } from '../calls/options';
import { fdPattern, findPattern } from './files/find';
import { filesFound } from './files/search';
import { programNamed } from './families';
import { folderOf, type Flow, type Scope } from '../effects/scope';
import { glob, literal, type Value } from '../syntax/value';

const filters = new Set(['grep', 'egrep', 'head', 'tail', 'sort', 'uniq', 'cat', 'rg']);

const optionsOf = (program: string): Options => programNamed(program)?.options ?? [];

/**
 * The paths a command prints, when its words tell: `find src -name '*.ts'`, `git ls-files`. For `$(…)` and pipes into
 * xargs.
 */
export function pathsPrinted(
  name: string,
  words: readonly Value[],
  before: Flow,
  scope: Scope,
): readonly Value[] | undefined {
  const texts = words.map(({ text }) => text);
  const [first] = texts;
  const has = (pattern: RegExp): boolean => texts.some((text) => pattern.test(text));
  if (words.some(({ kind }) => kind === 'unknown')) return undefined;
  if (name === 'pwd' && folderOf(scope) !== undefined) return [literal(folderOf(scope)!)];
  const [only, ...others] = words.filter(({ text }) => !text.startsWith('-'));
  if (/^(dirname|basename)$/.test(name) && only?.kind === 'literal' && others.length === 0 && words.length === 1)
    return [
      literal(
        name === 'dirname'
          ? only.text
              .replace(/(?<!\/)\/*$/, '')
              .replace(/(^|\/)[^/]+$/, (slash) => (slash === only.text && slash.startsWith('/') ? '/' : '')) || '.'
          : only.text.replace(/(?<!\/)\/+$/, '').replace(/^.*\//, '') || '/',
      ),
    ];
  const number = numberPrinted(name, texts);
  if (number !== undefined) return [literal(number)];
  if (name === 'mktemp' && words.every(({ kind, text }) => kind === 'literal' && /^-[dq]+$/.test(text)))
    return [literal(newTemporary)];
  if (name === 'find') return findPattern(words);
  if (/^fd(find)?$/.test(name)) return fdPattern(words, optionsOf('fd'));
  if (name === 'git' && first === 'rev-parse' && texts[1] === '--show-toplevel')
    return scope.cwd === '.' || scope.context.workspace ? [literal(scope.context.workspace ?? '.')] : undefined;
  // What Git does not keep may be anything, above all what it is told to ignore.
  if (name === 'git' && first === 'ls-files' && has(/^-[a-z]*[oi]|^--(o|ig)/))
    return has(/^--exclude-st/) && !has(/^-[a-z]*i|^--ig/)
      ? tracked(texts.slice(1), scope)
      : [glob('**/*', 'git ls-files', true)];
  if (name === 'rg' && has(/^-[a-zA-Z]*[u.]|^--(hid|no-ig|unr)/)) return [glob('**/*', 'rg', true)];
  if (
    name === 'git' &&
    (first === 'ls-files' ||
      (first === 'grep' && has(/^-[a-zA-Z]*l|^--files-with/)) ||
      ((first === 'diff' || first === 'show') && has(/^--name-only$/)))
  )
    return tracked(texts.slice(1), scope);
  if (name === 'rg' && has(/^--files(-with-matches|-without-match)?$|^-[a-zA-Z]*l/)) return tracked([], scope);
  if (name === 'grep' && has(/^-[a-zA-Z]*l|^--files-with/))
    return filesFound(words, optionsOf('grep'), scope) ?? before.paths ?? tracked([], scope);
  const listed = words.filter((word) => !word.text.startsWith('-'));
  // Patterns with an ending find files, whose names are printed as they are.
  if (name === 'ls' && listed.length > 0 && listed.every(({ kind, text }) => kind === 'glob' && /\.\w+$/.test(text)))
    return listed;
  if (name === 'ls')
    return words.filter((word) => !word.text.startsWith('-')).length === 0 &&
      !has(/^-[a-zA-Z]*[aA]/) &&
      scope.cwd === '.'
      ? [glob('*')]
      : undefined;
  if (name === 'echo' && words.every(({ kind, text }) => kind === 'literal' && !/\s/.test(text)))
    return words.filter((word) => !word.text.startsWith('-'));
  return filters.has(name) ? before.paths : undefined;
}

/** What `mktemp` makes has a name that nothing had before. */
const newTemporary = '/tmp/tmp.XXXXXXXXXX';

/** What a program prints that prints one number, or a word that only says which machine this is. */
function numberPrinted(name: string, words: readonly string[]): string | undefined {
  const said = [name, ...words].join(' ');
  if (
    /^(?:nproc(?: --all)?|getconf _NPROCESSORS_ONLN|sysctl -n (?:hw\.ncpu|hw\.logicalcpu|hw\.physicalcpu)|id -[ug]|date \+%s)$/.test(
      said,
    )
  )
    return '1';
  if (/^date (?:-u )?\+(?:%[YmdHMSFTyjsN]|[-_.:T])+$/.test(said)) return '20250101';
  if (/^uname -[ms]$/.test(said)) return words[0] === '-m' ? 'x86_64' : 'Linux';
  return undefined;
}

/** Files that the repository keeps; secrets are not expected among them, unless asked for. */
function tracked(words: readonly string[], scope: Scope): Value[] {
  const patterns = words.filter((text) => !text.startsWith('-') && /[*?]/.test(text));
  return patterns.length > 0
    ? patterns.map((text) => glob(text))
    : [glob(scope.cwd === undefined || scope.cwd === '.' ? 'tracked/*' : `${scope.cwd}/*`)];
}
