import { anyOf, sequence } from '../../text/alternatives';
import { looksHarmless } from './unknownOption';
import type { Value } from '../syntax/value';

/** Words that make almost any program only print information. */
const queryVerb = /^(list|ls|status|version|info|help|outdated|search|doctor|whoami|ping|lint|validate|check|test)$/;
/** What the information is about, if it comes first: `gh gist list`. A verb in this place would do something. */
const subject = sequence([
  /^/,
  anyOf([
    'cache config tool plugin extension gist alias variable owner dist-tag package source repo image',
    'node project profile version module service stack network volume workspace job task branch',
    'label release team org member template context cluster machine account store hook feature',
    'remote index tap channel registry runtime sdk toolchain target component addon queue topic',
    'stream table schema migration environment',
  ]),
  /(s|es)?$/,
]);
export const secretive =
  /secret|token|passw|credential|private|access-key|decrypt|kubeconfig|session|\bauth|login|signin|\bkeys?\b|\benv\b|user-?data/i;
const plainWord = /^@?\w[\w.@/=+-]*$/;

/**
 * Returns whether the words given to an unlisted program or verb only query something: `X list`, `X plugin ls`, `X
 * --check FILE`. No word may be secret, lead out of the workspace, or be known only at run time.
 */
export function isQuery(words: readonly Value[]): boolean {
  if (words.some(({ kind, text }) => kind !== 'literal' || secretive.test(text) || /\.\.(\/|$)|^\./.test(text)))
    return false;
  const options = words.filter(({ text }) => text.startsWith('-'));
  const [first, second, ...more] = words.filter(({ text }) => !text.startsWith('-'));
  const only =
    options.some(({ text }) => /^--(check|lint)$/.test(text)) &&
    options.every(({ text }) => /^--(check|lint)$/.test(text) || looksHarmless(text, undefined));
  if (only)
    return [first, second, ...more].every(
      (word) => word === undefined || /\//.test(word.text) || /\.\w+$/.test(word.text),
    );
  if (
    !first ||
    !options.every(
      ({ text }) =>
        /^(-[alqvn]|--all|--json|--long|--quiet|--verbose|--outdated|--global|-g)$/.test(text) ||
        looksHarmless(text, undefined),
    )
  )
    return false;
  const arePlain = (rest: readonly (Value | undefined)[]): boolean =>
    rest.every((word) => word === undefined || plainWord.test(word.text));
  // `X version patch` changes the version, and may publish it.
  const changesVersion = (verb: Value, rest: readonly (Value | undefined)[]): boolean =>
    verb.text === 'version' && rest.some((word) => word !== undefined);
  if (queryVerb.test(first.text)) return !changesVersion(first, [second]) && arePlain([second, ...more]);
  return (
    subject.test(first.text) &&
    second !== undefined &&
    queryVerb.test(second.text) &&
    !changesVersion(second, more) &&
    arePlain(more)
  );
}
