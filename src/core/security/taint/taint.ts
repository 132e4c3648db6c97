import type { Action, ContextPart, EventOf, Reach } from '../../../protocol/events/event';
import { systemPromptOf } from '../../../protocol/plain/systemPrompt';
import type { Plant } from '../../../protocol/events/risk';
import { voidsConsent } from '../../log/eventFacts';
import { projection, type History } from '../../log/projection';
import { matchingRules, secretReads } from '../../risk/pathRules';
import { linesOfResult, quotesLines } from './sources';
import { tokensIn } from './tokens';
import type { Trust } from './trust';

/** Something that entered the conversation. `step` counts replies, from 1. */
export interface Mark {
  readonly source: string;
  readonly step: number;
  /** Sequence number of the observation. */ readonly seq: number;
}

/** Where a word was first seen. */
export interface WordOrigin extends Mark {
  readonly trust: Exclude<Trust, 'project'>;
  /** Line in the file. */ readonly line?: number;
}

interface Taint {
  step: number;
  /** `approved`: a person saw the assessment and approved the action. */
  readonly open: Map<string, OpenAction>;
  untrusted: Mark[];
  secret: Mark[];
  network: Mark[];
  /** Where each word was first seen. Null if the project, the user or the model itself used it first. */
  readonly words: Map<string, WordOrigin | null>;
  /** Where words near a secret were first seen. */
  readonly secretWords: Map<string, number>;
  /** Files that this session changed. They do not vouch for words. */
  readonly changed: Set<string>;
  lastCommand: number;
  /** Sources of command outputs that can be read again as files. */
  readonly outputs: Map<string, readonly string[]>;
  /** Untrusted content that this session wrote into files, by path. */
  readonly planted: Map<string, readonly Plant[]>;
}

/** Maximum number of files, and of words per file, that are remembered. The oldest are dropped. */
const maxPlanted = { files: 200, words: 20 };

const taintOf = projection<Taint>(
  () => ({
    step: 0,
    open: new Map(),
    untrusted: [],
    secret: [],
    network: [],
    words: new Map(),
    secretWords: new Map(),
    changed: new Set(),
    lastCommand: -1,
    outputs: new Map(),
    planted: new Map(),
  }),
  (taint, event) => {
    switch (event.type) {
      case 'task_started':
        startTask(event, taint);
        break;
      case 'user_message':
        vouch(event.text, taint);
        pointedAt(event, taint);
        break;
      case 'agent_response':
        taint.step++;
        for (const action of event.actions) {
          taint.open.set(action.id, { action, step: taint.step });
          (event.by === 'person' ? vouch : markAsUserText)(JSON.stringify(action.input) ?? '', taint);
        }
        markAsUserText(event.text, taint);
        break;
      case 'confirmation_requested':
        for (const [id, risk] of Object.entries(event.risks ?? {}))
          changeOpen(id, taint, ({ action }) => ({ action: { ...action, risk } }));
        break;
      case 'confirmation_resolved':
        if (event.approved && event.by === 'person')
          for (const id of event.actionIds) changeOpen(id, taint, () => ({ approved: true }));
        break;
      case 'observation':
        observe(event, taint);
        break;
      case 'hook_ran': {
        // The person approved the program, not whatever it prints.
        const text = [event.reason, event.context].filter(Boolean).join('\n');
        const source = `the hook ${event.command}`;
        if (text) pointedAt({ seq: event.seq, context: [prose('hook', event.command, text, source)] }, taint);
        break;
      }
      case 'condensation':
        forget(event, taint);
        break;
      case 'notice':
        // Nobody vouches for anything before this point.
        if (voidsConsent(event))
          taint.untrusted.push({ source: 'the log before this machine wrote it', step: taint.step, seq: event.seq });
        break;
    }
  },
);

function startTask(event: EventOf<'task_started'>, taint: Taint): void {
  const { seq, parent, by, task, prompt = '' } = event;
  for (const text of [systemPromptOf(event), event.cwd]) vouch(text, taint);
  if (parent) fromParent(seq, parent, taint);
  if (by !== undefined) pointedAt({ seq, context: [prose('task', '', task, `the task that ${by} gave`)] }, taint);
  const isFromPerson = !parent && by === undefined;
  for (const text of [task, prompt]) (isFromPerson ? vouch : markAsUserText)(text, taint);
  pointedAt(event, taint);
}

/** A text that no person wrote. */
const prose = (kind: 'task' | 'hook', label: string, text: string, source: string): ContextPart => ({
  kind,
  label,
  text,
  tokens: 0,
  source,
  trust: 'prose',
});

type OpenAction = { readonly action: Action; readonly step: number; readonly approved?: boolean };

function changeOpen(id: string, { open }: Taint, change: (known: OpenAction) => Partial<OpenAction>): void {
  const known = open.get(id);
  if (known) open.set(id, { ...known, ...change(known) });
}

const neverRan = new Set<EventOf<'observation'>['outcome']>(['rejected', 'skipped']);

function observe(event: EventOf<'observation'>, taint: Taint): void {
  const known = taint.open.get(event.actionId);
  taint.open.delete(event.actionId);
  if (!known || neverRan.has(event.outcome)) return;
  const {
    action: {
      risk: { reach },
      effect,
      from,
    },
    step,
  } = known;
  notePlants(known, taint);
  const mark = (source: string): Mark => ({ source, step, seq: event.seq });
  const { details } = event;
  // A call that reached the network counts, whatever its outcome.
  if (reach?.network) taint.network.push(...reach.network.map(mark));
  // Errors of built-in tools are worded by Waymark, and may quote lines of a file. Errors of other tools may contain
  // anything.
  if (details === undefined && event.outcome === 'error' && !from) return observeQuotes(event, taint, reach, step);
  if (details?.kind === 'answer') return vouch(details.text, taint);
  if (details?.kind === 'edit') for (const { path } of details.changes) taint.changed.add(path);
  if (effect === 'executes' && !reach?.looks) taint.lastCommand = event.seq;
  if (details?.kind === 'edit') return;
  const fromChildren =
    details?.kind === 'delegate'
      ? {
          untrusted: details.children.flatMap((child) => child.untrusted ?? []),
          secret: details.children.flatMap((child) => child.secret ?? []),
        }
      : undefined;
  const sources = learn(event, taint, {
    reach: { ...reach, ...(fromChildren && { untrusted: fromChildren.untrusted }) },
    looks: effect === 'reads' || reach?.looks === true,
    step,
  });
  taint.untrusted.push(...[...sources].map(mark));
  taint.secret.push(...[...(reach?.secret ?? []), ...(fromChildren?.secret ?? [])].map(mark));
  if (details?.kind === 'command' && details.fullOutput !== undefined && sources.size > 0)
    taint.outputs.set(details.fullOutput, [...sources]);
}

/** An edit whose text was not found shows the closest lines of the file. */
function observeQuotes(event: EventOf<'observation'>, taint: Taint, reach: Reach | undefined, step: number): void {
  const files = reach?.quotes ?? [];
  if (files.length === 0 || !quotesLines(event.content)) return;
  const secret = files.filter((path) => matchingRules(path, secretReads).length > 0);
  const given = { untrusted: files, ...(secret.length > 0 && { secret }) };
  const sources = learn(event, taint, { reach: given, looks: true, step });
  const mark = (source: string): Mark => ({ source, step, seq: event.seq });
  taint.untrusted.push(...[...sources].map(mark));
  taint.secret.push(...secret.map(mark));
}

/**
 * Whatever a person saw and approved is not planted: words named on the card, and files that a command was said to run.
 */
function notePlants(
  {
    action: {
      risk: { reach },
    },
    step,
    approved = false,
  }: { action: Action; step: number; approved?: boolean },
  { planted }: Taint,
): void {
  if (approved) for (const path of reach?.runsPlanted ?? []) planted.delete(path);
  for (const plant of reach?.plants ?? []) {
    if (approved && plant.word !== undefined) continue;
    const before = planted.get(plant.path) ?? [];
    planted.delete(plant.path);
    planted.set(
      plant.path,
      [...before, plant.word === undefined ? { ...plant, step } : plant].slice(-maxPlanted.words),
    );
    if (planted.size > maxPlanted.files) planted.delete(planted.keys().next().value!);
  }
}

/**
 * Records where the words of a result come from, and returns its untrusted sources. `looks`: the call only read, so the
 * content existed before.
 */
function learn(
  event: EventOf<'observation'>,
  taint: Taint,
  { reach, looks, step }: { readonly reach: Reach; readonly looks: boolean; readonly step: number },
): Set<string> {
  const sources = new Set<string>();
  const changed = event.details?.kind === 'read' && taint.changed.has(event.details.path);
  for (const { text, source, number } of linesOfResult(event, reach)) {
    if (source) sources.add(source.name);
    for (const token of tokensIn(text)) {
      const seen = taint.words.get(token.text);
      if (seen === undefined && reach.secret) taint.secretWords.set(token.text, event.seq);
      if (seen === undefined)
        taint.words.set(
          token.text,
          source
            ? {
                source: source.name,
                trust: source.trust,
                step,
                seq: event.seq,
                ...(number !== undefined && { line: number }),
              }
            : null,
        );
      // A file of the project contains the word, too, and nothing that ran since can have put it there.
      else if (seen && !source && looks && !changed && taint.changed.size === 0 && taint.lastCommand < seen.seq)
        taint.words.set(token.text, null);
    }
  }
  return sources;
}

/** Marks all words of the user's text as trusted, wherever they were seen before. */
function vouch(text: string, { words }: Taint): void {
  for (const token of tokensIn(text)) words.set(token.text, null);
}

/** Attaching content does not vouch for it. */
function pointedAt(
  { seq, context = [] }: { readonly seq: number; readonly context?: readonly ContextPart[] | undefined },
  taint: Taint,
): void {
  for (const { text, source, trust } of context) {
    if (trust === 'project') {
      markAsUserText(text, taint);
      continue;
    }
    const mark: Mark = { source, step: taint.step, seq };
    taint.untrusted.push(mark);
    for (const token of tokensIn(text))
      if (!taint.words.has(token.text)) taint.words.set(token.text, { ...mark, trust });
  }
}

function markAsUserText(text: string, { words }: Taint): void {
  for (const token of tokensIn(text)) if (!words.has(token.text)) words.set(token.text, null);
}

/** Untrusted content that the parent session had read when it wrote the task also affects this one. */
function fromParent(
  seq: number,
  { reach: { untrusted = [], secret = [] } = {}, borrowed = [] }: NonNullable<EventOf<'task_started'>['parent']>,
  taint: Taint,
): void {
  const mark = (source: string): Mark => ({ source, step: 0, seq });
  taint.untrusted.push(...untrusted.map(mark));
  taint.secret.push(...secret.map(mark));
  for (const { word, source, trust, line } of borrowed)
    taint.words.set(word, { ...mark(source), trust, ...(line !== undefined && { line }) });
}

/** Content that was condensed away does not count, unless the summary still mentions it. */
function forget({ forgotten, summary }: EventOf<'condensation'>, taint: Taint): void {
  const gone = new Set(forgotten);
  const repeatedSeqs = new Set<number>();
  for (const token of tokensIn(summary)) {
    const origin = taint.words.get(token.text);
    const secret = taint.secretWords.get(token.text);
    if (origin) repeatedSeqs.add(origin.seq);
    if (secret !== undefined) repeatedSeqs.add(secret);
  }
  const stays = ({ seq }: Mark): boolean => !gone.has(seq) || repeatedSeqs.has(seq);
  taint.untrusted = taint.untrusted.filter(stays);
  taint.secret = taint.secret.filter(stays);
}

interface Meter {
  /** Untrusted content that entered. */
  readonly untrusted: readonly Mark[];
  /** Secrets and data from outside the workspace that were read. */
  readonly secret: readonly Mark[];
  /** Network accesses. */
  readonly network: readonly Mark[];
}

/** Returns the three bits of a session: what it let in and out so far, oldest first. */
export const meterOf = (history: History): Meter => taintOf(history);

/** Returns where a word was first seen. Returns undefined if the user, the project or the model used it first. */
export const originOf = (word: string, history: History): WordOrigin | undefined =>
  taintOf(history).words.get(word) ?? undefined;

/** Returns the files that this session changed, as the tools name them. */
export const changedFilesIn = (history: History): ReadonlySet<string> => taintOf(history).changed;

/** Returns the untrusted content that this session wrote into files of the workspace. */
export const plantsOf = (history: History): ReadonlyMap<string, readonly Plant[]> => taintOf(history).planted;

/** Returns the files that contain the full output of a command, with the sources it showed. */
export const outputSources = (history: History): ReadonlyMap<string, readonly string[]> => taintOf(history).outputs;

/** Returns what a session passes on to its parent or child sessions, or undefined if there is nothing. */
export function reachOf(history: History): Reach | undefined {
  const { untrusted, secret } = meterOf(history);
  if (untrusted.length === 0 && secret.length === 0) return undefined;
  const names = (marks: readonly Mark[]): string[] => [...new Set(marks.map(({ source }) => source))].slice(-10);
  return {
    ...(untrusted.length > 0 && { untrusted: names(untrusted) }),
    ...(secret.length > 0 && { secret: names(secret) }),
  };
}

/** Returns the words of a text that the session has from an untrusted source. */
export function untrustedWordsIn(
  text: string,
  history: History,
): NonNullable<NonNullable<EventOf<'task_started'>['parent']>['borrowed']> {
  const words = new Set([...tokensIn(text)].map((token) => token.text));
  return [...words].flatMap((word) => {
    const origin = originOf(word, history);
    return origin
      ? [{ word, source: origin.source, trust: origin.trust, ...(origin.line !== undefined && { line: origin.line }) }]
      : [];
  });
}
