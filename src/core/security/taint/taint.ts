import type { Action, ContextPart, EventOf, Reach } from '../../../protocol/events/event';
import { systemPromptOf } from '../../../protocol/plain/systemPrompt';
import type { Plant } from '../../../protocol/events/risk';
import { voidsConsent } from '../../log/eventFacts';
import { projection, type History } from '../../log/projection';
import { linesOfResult } from './sources';
import { tokensIn } from './tokens';
import type { Trust } from './trust';

/** Something that entered the conversation. `step` counts the replies, from 1. */
export interface Mark {
  readonly source: string;
  readonly step: number;
  /** Of the observation. */ readonly seq: number;
}

/** Where a word was first seen. */
export interface Origin extends Mark {
  readonly trust: Exclude<Trust, 'project'>;
  /** In the file. */ readonly line?: number;
}

interface Taint {
  step: number;
  /** `approved`: a person has seen how it is judged, and said yes. */
  readonly open: Map<string, { action: Action; step: number; approved?: boolean }>;
  untrusted: Mark[];
  secret: Mark[];
  network: Mark[];
  /** Where each word was first seen; null where the project, the person or the model itself said it. */
  readonly words: Map<string, Origin | null>;
  /** Where words beside a secret were first seen. */
  readonly secretWords: Map<string, number>;
  /** What this session changed does not vouch for words any more. */
  readonly changed: Set<string>;
  lastCommand: number;
  /** The sources of outputs that can be read again as files. */
  readonly outputs: Map<string, readonly string[]>;
  /** What others said that this session wrote into files, by their paths. */
  readonly planted: Map<string, readonly Plant[]>;
}

/** Files and words in one of them that are remembered; the oldest go. */
const mostPlanted = { files: 200, words: 20 };

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
        for (const text of [systemPromptOf(event), event.cwd]) vouch(text, taint);
        if (event.parent) fromParent(event.seq, event.parent, taint);
        if (event.by !== undefined)
          pointedAt(
            {
              seq: event.seq,
              context: [
                {
                  kind: 'task',
                  label: '',
                  text: event.task,
                  tokens: 0,
                  source: `the task that ${event.by} gave`,
                  trust: 'prose',
                },
              ],
            },
            taint,
          );
        for (const text of [event.task, event.prompt ?? ''])
          (event.parent || event.by !== undefined ? firstSaid : vouch)(text, taint);
        pointedAt(event, taint);
        break;
      case 'user_message':
        vouch(event.text, taint);
        pointedAt(event, taint);
        break;
      case 'agent_response':
        taint.step++;
        for (const action of event.actions) {
          taint.open.set(action.id, { action, step: taint.step });
          (event.by === 'person' ? vouch : firstSaid)(JSON.stringify(action.input) ?? '', taint);
        }
        firstSaid(event.text, taint);
        break;
      case 'confirmation_requested':
        for (const [id, risk] of Object.entries(event.risks ?? {})) {
          const known = taint.open.get(id);
          if (known) taint.open.set(id, { ...known, action: { ...known.action, risk } });
        }
        break;
      case 'confirmation_resolved':
        for (const id of event.approved && event.by === 'person' ? event.actionIds : []) {
          const known = taint.open.get(id);
          if (known) taint.open.set(id, { ...known, approved: true });
        }
        break;
      case 'observation':
        observe(event, taint);
        break;
      case 'hook_ran': {
        // A person agreed to the program, not to whatever it prints.
        const text = [event.reason, event.context].filter(Boolean).join('\n');
        if (text)
          pointedAt(
            {
              seq: event.seq,
              context: [
                {
                  kind: 'hook',
                  label: event.command,
                  text,
                  tokens: 0,
                  source: `the hook ${event.command}`,
                  trust: 'prose',
                },
              ],
            },
            taint,
          );
        break;
      }
      case 'condensation':
        forget(event, taint);
        break;
      case 'notice':
        // Nobody vouches for what was said before.
        if (voidsConsent(event))
          taint.untrusted.push({ source: 'the log before this machine wrote it', step: taint.step, seq: event.seq });
        break;
    }
  },
);

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
  // A call that reached the network did so whatever came of it.
  if (reach?.network) taint.network.push(...reach.network.map(mark));
  // What a tool of ours says went wrong is in its own words; others word that, too.
  if (details === undefined && event.outcome === 'error' && !from) return;
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
  const sources = learn(
    event,
    { ...reach, ...(fromChildren && { untrusted: fromChildren.untrusted }) },
    effect === 'reads' || reach?.looks === true,
    step,
    taint,
  );
  taint.untrusted.push(...[...sources].map(mark));
  taint.secret.push(...[...(reach?.secret ?? []), ...(fromChildren?.secret ?? [])].map(mark));
  if (details?.kind === 'command' && details.fullOutput !== undefined && sources.size > 0)
    taint.outputs.set(details.fullOutput, [...sources]);
}

/**
 * What a person saw when they agreed, they know: words that the card named, and files that a command was said to run.
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
      [...before, plant.word === undefined ? { ...plant, step } : plant].slice(-mostPlanted.words),
    );
    if (planted.size > mostPlanted.files) planted.delete(planted.keys().next().value!);
  }
}

/**
 * Remembers where the words of a result come from, and names its untrusted sources. `looks`: what stands in it was
 * there before.
 */
function learn(event: EventOf<'observation'>, reach: Reach, looks: boolean, step: number, taint: Taint): Set<string> {
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
      // A file of the project says it too, and nothing that ran since can have put it there.
      else if (seen && !source && looks && !changed && taint.changed.size === 0 && taint.lastCommand < seen.seq)
        taint.words.set(token.text, null);
    }
  }
  return sources;
}

/** What the person says is theirs, wherever it was seen before. */
function vouch(text: string, { words }: Taint): void {
  for (const token of tokensIn(text)) words.set(token.text, null);
}

/** Pointing at something is not vouching for what stands in it. */
function pointedAt(
  { seq, context = [] }: { readonly seq: number; readonly context?: readonly ContextPart[] | undefined },
  taint: Taint,
): void {
  for (const { text, source, trust } of context) {
    if (trust === 'project') {
      firstSaid(text, taint);
      continue;
    }
    const mark: Mark = { source, step: taint.step, seq };
    taint.untrusted.push(mark);
    for (const token of tokensIn(text))
      if (!taint.words.has(token.text)) taint.words.set(token.text, { ...mark, trust });
  }
}

function firstSaid(text: string, { words }: Taint): void {
  for (const token of tokensIn(text)) if (!words.has(token.text)) words.set(token.text, null);
}

/** What the session above had let in when it worded the task steers this one too. */
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

/** What the model no longer reads no longer counts, unless the summary still mentions it. */
function forget({ forgotten, summary }: EventOf<'condensation'>, taint: Taint): void {
  const gone = new Set(forgotten);
  const told = new Set<number>();
  for (const token of tokensIn(summary)) {
    const origin = taint.words.get(token.text);
    const secret = taint.secretWords.get(token.text);
    if (origin) told.add(origin.seq);
    if (secret !== undefined) told.add(secret);
  }
  const stays = ({ seq }: Mark): boolean => !gone.has(seq) || told.has(seq);
  taint.untrusted = taint.untrusted.filter(stays);
  taint.secret = taint.secret.filter(stays);
}

export interface Meter {
  /** Content that nobody vouches for entered. */
  readonly untrusted: readonly Mark[];
  /** A secret or something outside the workspace was read. */
  readonly secret: readonly Mark[];
  /** Something reached the network. */
  readonly network: readonly Mark[];
}

/** The three bits of a session: what it let in and out so far, oldest first. */
export const meterOf = (history: History): Meter => taintOf(history);

/** Where a word was first seen, if that is nothing that the person, the project or the model said before. */
export const originOf = (word: string, history: History): Origin | undefined =>
  taintOf(history).words.get(word) ?? undefined;

/** What this session changed, as the tools name it. */
export const changedIn = (history: History): ReadonlySet<string> => taintOf(history).changed;

/** Untrusted words that are in files of the workspace because this session wrote them there. */
export const plantsOf = (history: History): ReadonlyMap<string, readonly Plant[]> => taintOf(history).planted;

/** Files that hold the whole output of a command, with what it showed. */
export const outputSources = (history: History): ReadonlyMap<string, readonly string[]> => taintOf(history).outputs;

/** What a session hands on to one that works for it or that it worked for; undefined where there is nothing to tell. */
export function reachOf(history: History): Reach | undefined {
  const { untrusted, secret } = meterOf(history);
  if (untrusted.length === 0 && secret.length === 0) return undefined;
  const names = (marks: readonly Mark[]): string[] => [...new Set(marks.map(({ source }) => source))].slice(-10);
  return {
    ...(untrusted.length > 0 && { untrusted: names(untrusted) }),
    ...(secret.length > 0 && { secret: names(secret) }),
  };
}

/** The words of a text that the session has from an untrusted source. */
export function borrowedIn(
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
