import { anyOf, exactlyOneOf } from '../../text/alternatives';
import type { OtherEffect, SimpleCommand } from '../effects/effect';
import type { Flow, FlowSource, Scope } from '../effects/scope';
import type { Statement } from 'unbash';
import { matchesAnything } from '../syntax/globs';

/** Reason for a shell that is given neither a script nor a command. */
export const readsInput = 'Runs a shell that reads commands from its input.';

const interpreter = /^(.*\/)?((ba|z|da|k|a|fi)?sh|python[\d.]*|node|perl|ruby|php|deno|bun|lua|source|eval|\.)$/;

/** Returns whether a command, or one that it starts, runs its input as code. */
function startsInterpreter({ name, words }: SimpleCommand): boolean {
  return [name, ...words.map(({ text }) => text)].some((word) => interpreter.test(word));
}

interface HandedOn {
  readonly culprit: string;
  /** The part of the line shown to people. */
  readonly part: string | undefined;
  readonly address: string | undefined;
  readonly program: SimpleCommand | undefined;
}

/** Returns the effect of piping a download into a program. */
export function judgePipedDownload({ culprit, part, address, program }: HandedOn): OtherEffect {
  const from = address ? `from ${address}` : 'from the network';
  const isRun = program !== undefined && startsInterpreter(program);
  const hands = `Passes what it downloads ${from} to "${program?.name ?? 'another program'}".`;
  return {
    kind: 'other',
    level: 'high',
    culprit,
    ...(part !== undefined && { part }),
    harm: isRun ? 'runs' : 'changes',
    reason: 'Passes data from the network to a program.',
    says: isRun ? `Runs what it downloads ${from}.` : hands,
  };
}

/**
 * Merges the finding for a shell that reads its commands from a download with that of the download, so that people see
 * one sentence.
 */
export function mergeInputFinding(scope: Scope, before: number, { says }: OtherEffect): void {
  if (says === undefined) return;
  for (let at = before; at < scope.effects.length; at++) {
    const effect = scope.effects[at]!;
    if (effect.kind === 'other' && effect.reason === readsInput) scope.effects[at] = { ...effect, says };
  }
}

const decodes = /^(base64|base32|xxd|openssl|uudecode|gunzip|zcat|gzip|rev|tr)\b/;

/**
 * Extends the finding for a shell that reads its commands from the previous stage to show that stage, too, which may
 * hide the commands.
 */
export function pointAtPipeline(
  scope: Scope,
  before: number,
  source: FlowSource | undefined,
  part: string | undefined,
): void {
  const program = scope.effects.at(-1)?.by;
  if (!source?.program || part === undefined || !program || !startsInterpreter(program)) return;
  const isHidden = decodes.test(source.program);
  const says = isHidden
    ? `Runs hidden code: a shell runs what "${source.program}" decodes.`
    : `Runs what "${source.program}" prints.`;
  for (let at = before; at < scope.effects.length; at++) {
    const effect = scope.effects[at]!;
    if (effect.kind !== 'other' || effect.reason !== readsInput) continue;
    scope.effects[at] = { ...effect, part, harm: isHidden ? 'runs' : 'changes', says };
  }
}

type Node = Statement['command'];

/** Verbs of Git that print changes under the names of the changed files. */
const changesPrinted = /^(?:diff(?:-files|-index|-tree)?|show|stash show) /;
/** Names of commits alone. A tag has a message of its own, and a hash may name a file. */
const surelyCommit = /^(?:HEAD|@|[\w./-]+(?:\^|~\d*))(?:\^|~\d*)*$/;
/** Options that neither change the names of files nor print other text. */
const plainOption = exactlyOneOf([
  /-[1RpuwbMCDa]|-U\d+|--unified=\d+|--diff-filter=\w+|--diff-algorithm=\w+|--ignore-[a-z-]+/,
  /--no-(?:color|renames|ext-diff|textconv)|--include-untracked|--merge-base/,
  '-- --cached --staged --binary --full-index --minimal --patience --histogram --patch --text --function-context',
]);
const namedAtRunTime = /[$`*?[]|\{[^{}]*[,.]/;

/**
 * Returns what a command of Git prints: changes alone, changes after the indented message of a commit, or, without a
 * result, text that anybody may have written, such as a file or the message of a tag.
 */
export function changesPrintedBy(node: Node): Flow['changes'] {
  if (node.type !== 'Command' || node.name?.value !== 'git') return undefined;
  return changesPrintedByGit(node.args.map((argument) => (argument.type === 'Word' ? argument.value : argument.text)));
}

/** The same, by the words after `git`. */
export function changesPrintedByGit(all: readonly string[]): Flow['changes'] {
  // What follows `--` are paths, whatever they are at run time.
  const end = all.indexOf('--');
  const words = all.slice(/^(?:--no-pager|-P)$/.test(all[0] ?? '') ? 1 : 0, end < 0 ? undefined : end);
  const verb = changesPrinted.exec(`${words.join(' ')} `)?.[0];
  if (verb === undefined || words.some((word) => namedAtRunTime.test(word))) return undefined;
  const rest = words.slice(verb.trim().split(' ').length);
  if (rest.some((word) => word.startsWith('-') && !plainOption.test(word))) return undefined;
  if (verb !== 'show ') return 'alone';
  const named = rest.filter((word) => !word.startsWith('-'));
  return named.every((word) => surelyCommit.test(word)) ? 'after a message' : undefined;
}

/** Parts of names of variables that contain secrets, and of programs and services that use them. */
const secretive = anyOf(
  [
    'tok key secret pass pwd cred auth api aws azure gcp google git gh_ npm db database sql redis',
    'mongo dsn',
    /ur[li]/,
    'jwt cookie session private hook slack stripe ai claude anthropic smtp mail docker kube vault',
    'ssh gpg cert sign salt hash sentry',
  ],
  'i',
);
/** Programs that pass lines through unchanged, or some of them. */
const passesOn = /^(sort|uniq|head|tail|cat)$/;

/**
 * Returns whether the commands after one that prints all variables let through only names, or only the variables asked
 * for.
 */
export function showsLittle(stages: readonly Node[]): boolean {
  for (const node of stages) {
    if (node.type !== 'Command' || !node.name) return false;
    const words = node.args.map((argument) => (argument.type === 'Word' ? argument.value : argument.text));
    const program = node.name.text;
    if (passesOn.test(program)) continue;
    if (program === 'wc') return true;
    if (program === 'cut') return /^-d ?'?=?'? ?-f ?1$/.test(words.join(' ').replaceAll('"', ''));
    if (program === 'awk') return /^-F ?= \{ ?print \$1 ?\}$/.test(words.join(' '));
    if (program === 'sed') return words.length === 1 && /^s\/=\.\*\/\/$/.test(words[0]!);
    return /^(grep|egrep|rg)$/.test(program) && asksForNames(words);
  }
  return false;
}

function asksForNames(words: readonly string[]): boolean {
  const options = words.filter((word) => word.startsWith('-'));
  const [pattern, ...more] = words.filter((word) => !word.startsWith('-'));
  if (pattern === undefined || more.length > 0 || options.some((option) => !/^-[EicnowqF]+$/.test(option)))
    return false;
  const names = pattern.split(/\\?\|/).map((part) => part.replace(/[\^$=().*\\]/g, ''));
  return !matchesAnything(pattern) && names.every((name) => /^\w{3,}$/.test(name) && !secretive.test(name));
}
