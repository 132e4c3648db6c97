import type { Redirection } from 'unbash';
import { doubt, type Flow, refuse, refuseFloor, type Scope, touch } from '../effects/scope';
import { replacingBelowFloor } from '../verdict/floor';
import { resolvePlace } from '../syntax/place';
import { literal, unknown, type Value } from '../syntax/value';
import { resolve, resolveParts } from './words';

type HereDocument = Extract<Redirection, { type: 'HereDoc' }>;
type ToFile = Exclude<Redirection, HereDocument>;

/** Judges redirections. Returns the workspace files that they read from. */
export function judgeRedirects(redirects: readonly Redirection[], scope: Scope): readonly string[] {
  const before = scope.effects.length;
  for (const redirect of redirects) judgeRedirect(redirect, scope);
  return scope.effects
    .slice(before)
    .flatMap((effect) => (effect.kind === 'reads' && effect.place.where === 'inside' ? [effect.place.path] : []));
}

function judgeRedirect(redirect: Redirection, scope: Scope): void {
  if (redirect.descriptor?.type === 'FileDescriptorVariable')
    doubt(scope, redirect.descriptor.name, 'Uses a redirection that is not known to be safe.');
  if (redirect.type === 'HereDoc') {
    if (!redirect.delimiter?.quoted) resolveParts(redirect.body.parts, scope);
    return judgeInputText(redirect.body.text, scope);
  }
  const { operator, target } = redirect;
  const values = target ? resolve(target, scope) : [];
  const [value] = values;
  if (operator === '<<<') return judgeInputText(value?.kind === 'literal' ? value.text : '', scope);
  if (operator === '<' && value?.kind === 'glob' && values.length === 1) return touch(scope, 'reads', value);
  if (!value || values.length > 1 || value.kind !== 'literal') {
    const writes = operator.includes('>') && !operator.includes('<');
    if (writes) for (const one of values) if (one.kind !== 'unknown') touch(scope, 'writes', one);
    return doubt(scope, target?.text ?? operator, 'Redirects to a place that is only known when it runs.');
  }
  judgeTarget(operator, value, scope);
}

/** Judges the file, or the descriptor, behind an operator like `>`, `<` or `2>&`. */
function judgeTarget(operator: string, target: Value, scope: Scope): void {
  const duplicatesDescriptor = /^[<>]&$/.test(operator) && /^([0-9]|-)$/.test(target.text);
  if (duplicatesDescriptor) return;
  if (operator.endsWith('&') && /[$`]|[<>]\(/.test(target.text))
    refuse(scope, target.source, 'Redirects to a name that the shell expands twice.');
  const destroys = operator.includes('>>') ? undefined : replacingBelowFloor(target.text);
  if (destroys !== undefined && operator !== '<') refuseFloor(scope, target.source, destroys);
  if (/^\/dev\/(tcp|udp)\//.test(target.text)) refuse(scope, target.text, 'Uses the network.');
  if (operator === '<') touch(scope, 'reads', target);
  else if (operator === '<>' || operator === '<&')
    doubt(scope, target.source, 'Uses a redirection that is not known to be safe.');
  else if (resolvePlace(target, scope.cwd, scope.context).path === '.')
    refuse(scope, target.source, 'Redirects to a folder.');
  else touch(scope, 'writes', target);
}

/** Input text may be a script. `context.started` is told which programs it would start; its effects do not count. */
function judgeInputText(text: string, scope: Scope): void {
  if (scope.context.started && text.trim() !== '') scope.analyser.judgeText(text, { ...scope, effects: [] });
}

/** Returns whether a redirection concerns the standard input: `<<END` or `0<<END`, but not `3<<END`. */
const isOfInput = ({ descriptor }: Redirection): boolean =>
  descriptor === undefined || (descriptor.type === 'FileDescriptor' && descriptor.value === 0);

const isInput = (redirect: Redirection): boolean => redirect.type === 'HereDoc' || redirect.operator.startsWith('<');

/** Returns what redirections give a command as input. `files`: the result of `judgeRedirects`. */
export function inputFrom(all: readonly Redirection[], files: readonly string[], scope: Scope): Flow {
  const redirects = all.filter((redirect) => isOfInput(redirect) && isInput(redirect));
  const inputText = redirects.flatMap((redirect) =>
    redirect.type === 'HereDoc' ? [redirect.body.text] : hereString(redirect, scope),
  );
  const written = hereDocument(redirects);
  if (!redirects.some(isInput)) return {};
  const isEmpty = redirects.every(
    (redirect) => redirect.type !== 'HereDoc' && /^(?:\/dev\/null|-)$/.test(redirect.target?.text ?? ''),
  );
  // A redirection replaces what comes through a pipe.
  return {
    paths: undefined,
    changes: undefined,
    input: files.length > 0 ? files : undefined,
    inputText: inputText.length > 0 ? inputText : undefined,
    piped: !isEmpty,
    shared: false,
    ...(written && { written }),
  };
}

/** Returns the text of `<<< text`, as far as it is known before it runs. */
function hereString({ operator, target }: ToFile, scope: Scope): string[] {
  if (operator !== '<<<' || !target) return [];
  return resolve(target, scope).flatMap(({ kind, text }) => (kind === 'literal' ? [text] : []));
}

/** Returns the here-document that is the input. Its value is unknown if the shell expands something in it. */
function hereDocument(redirects: readonly Redirection[]): Value | undefined {
  const last = redirects.filter((redirect) => redirect.type === 'HereDoc' || /^<(<<)?$/.test(redirect.operator)).at(-1);
  if (last?.type !== 'HereDoc') return undefined;
  const { text } = last.body;
  return last.delimiter?.quoted || !/[$`\\]/.test(text) ? literal(text) : unknown('', text);
}

/** Judges `> file` without a command: the shell creates or empties the file. */
export function judgeOnlyRedirects(redirects: readonly Redirection[], scope: Scope): void {
  const targets = redirects.flatMap((redirect) =>
    redirect.type !== 'HereDoc' && /^(?:>|>\||&>)$/.test(redirect.operator) ? (redirect.target ?? []) : [],
  );
  const [emptied] = targets;
  scope.effects.push({
    kind: 'other',
    level: 'high',
    culprit: emptied?.text ?? '',
    reason: 'Contains no command.',
    ...(emptied && { says: `Empties ${emptied.text}, or creates it.` }),
  });
}

/** Returns whether output goes to a file, so that it takes space on the disk. */
export const writesToFile = (redirects: readonly Redirection[]): boolean =>
  redirects.some(
    (redirect) =>
      redirect.type !== 'HereDoc' &&
      /^(>|>>|>\||&>|&>>)$/.test(redirect.operator) &&
      redirect.target !== undefined &&
      !/^(\/dev\/null|&?\d|-)$/.test(redirect.target.text),
  );
