import { waitingAfter, type WaitingMessage } from '../../protocol/plain/waitingMessages';
import { type History, projection } from '../log/projection';
import type { FileChanges } from './changesOf';
import type { ReviewedHunk } from './fileReview';

/** Position of an action in its run. */
export interface ActionPlace {
  /** 1-based step number, as shown to people. */
  readonly step: number;
  /** 1-based turn. A turn begins when the model reads new messages of the person; turn 1 is the task. */
  readonly turn: number;
  /** Sequence number of the reply that requested it. */
  readonly seq: number;
  /** Sequence number of the event with its result. Absent before. */
  readonly endedAt?: number;
  readonly summary: string;
  /** Purpose stated by the model, or else the text of its reply. */
  readonly reason: string;
}

interface Counted {
  readonly places: Map<string, ActionPlace>;
  steps: number;
  /** Text of the person at the beginning of each turn. */
  readonly turns: string[];
  /** Messages the model has not read yet. */
  waiting: readonly WaitingMessage[];
}

const counted = projection<Counted>(
  () => ({ places: new Map(), steps: 0, turns: [], waiting: [] }),
  (state, event) => {
    const { waiting } = state;
    state.waiting = waitingAfter(waiting, event);
    if (event.type === 'task_started') state.turns.push(event.task);
    if (event.type === 'agent_response' || event.type === 'observation') {
      // Messages read together start one turn. Messages that were withdrawn or blocked start none.
      const read = waiting.filter((message) => !state.waiting.includes(message));
      if (read.length > 0) state.turns.push(read.map((message) => message.event.text).join('\n'));
    }
    if (event.type === 'observation') {
      const place = state.places.get(event.actionId);
      if (place) state.places.set(event.actionId, { ...place, endedAt: event.seq });
    }
    if (event.type !== 'agent_response') return;
    state.steps++;
    for (const { id, summary, purpose } of event.actions)
      state.places.set(id, {
        step: state.steps,
        turn: state.turns.length,
        seq: event.seq,
        summary,
        reason: purpose ?? event.text.trim(),
      });
  },
);

/** Positions of all actions of a log, by id. */
export const stepsOfActions = (history: History): ReadonlyMap<string, ActionPlace> => counted(history).places;

/** Text of the person at the beginning of each turn, starting with turn 1. */
export const textOfTurns = (history: History): readonly string[] => counted(history).turns;

/** Changes of one turn that wait for review. */
export interface TurnChanges {
  /** Undefined for changes that belong to no step. */
  readonly turn: number | undefined;
  /** Files with only the hunks of this turn. */
  readonly files: readonly FileChanges[];
}

/**
 * Groups changes by the turn in which each hunk was last changed, newest turn first. Changes that belong to no step
 * come last.
 */
export function changesByTurn(files: readonly FileChanges[], steps: ReadonlyMap<string, ActionPlace>): TurnChanges[] {
  const turns = new Map<number | undefined, FileChanges[]>();
  for (const file of files) {
    const hunks = new Map<number | undefined, ReviewedHunk[]>();
    for (const hunk of file.hunks) {
      const turn = turnOf(hunk, steps);
      hunks.set(turn, [...(hunks.get(turn) ?? []), hunk]);
    }
    for (const [turn, own] of hunks) turns.set(turn, [...(turns.get(turn) ?? []), withHunks(file, own)]);
  }
  return Array.from(turns, ([turn, changed]) => ({ turn, files: changed })).sort(
    (a, b) => (b.turn ?? 0) - (a.turn ?? 0),
  );
}

function turnOf({ actions }: ReviewedHunk, steps: ReadonlyMap<string, ActionPlace>): number | undefined {
  const turns = actions.flatMap((action) => steps.get(action)?.turn ?? []);
  return turns.length === 0 ? undefined : Math.max(...turns);
}

/**
 * Returns a file with some of its hunks. Lines of a renamed file are counted as a whole, because its hunks belong
 * together.
 */
function withHunks(file: FileChanges, hunks: readonly ReviewedHunk[]): FileChanges {
  if (hunks.length === file.hunks.length) return file;
  const lines = hunks.filter(({ kind }) => kind !== 'mode');
  return {
    ...file,
    hunks,
    added: lines.reduce((sum, { added }) => sum + added.length, 0),
    removed: lines.reduce((sum, { removed }) => sum + removed.length, 0),
    isBetween: hunks.some(({ isBetween }) => isBetween),
  };
}
