import type { EventOf, NewEvent } from '../../protocol/events/event';
import { isStepping, pauseIsRequested } from '../log/runControl';
import { openQuestions, pendingActions, startedActions } from '../log/openActions';
import { settingsOf } from '../log/runSettings';
import { statusOf } from '../log/status';
import type { History } from '../log/projection';
import { modeChangeMessage } from '../agent/modes';
import { stepsOf } from './steps';

/** A point in a log at which another session can resume: after all results of a step. */
export interface ForkPoint {
  /** Sequence number of the last event that both sessions share. */
  readonly seq: number;
  /** Sequence number of the first event of the step. */
  readonly begins: number;
  /** Absent for the task and for messages of a person. */
  readonly step?: number;
  /** One-line summary. */
  readonly line: string;
  /** The reply, for a step with several candidates. */
  readonly sampled?: EventOf<'agent_response'>;
}

/**
 * Returns the points that a person would likely go back to, oldest first. Any other event is valid too: a session can
 * resume from each prefix of a log.
 */
export function forkPoints(history: History): ForkPoint[] {
  const { rows, owner } = stepsOf(history);
  const ends = new Map<number, number>();
  owner.forEach((place, seq) => ends.set(place, seq));
  return rows.flatMap(({ kind, seq: begins, number, line }, place): ForkPoint[] => {
    if (kind !== 'task' && kind !== 'message' && kind !== 'step') return [];
    const reply = history[begins];
    const sampled = reply?.type === 'agent_response' && reply.sampling ? reply : undefined;
    return [
      {
        begins,
        seq: Math.max(begins, ends.get(place) ?? begins),
        line,
        ...(number !== undefined && { step: number }),
        ...(sampled && { sampled }),
      },
    ];
  });
}

/** Returns the last event of the step that the event belongs to. */
export function endOfStep(history: History, seq: number): number {
  const { owner } = stepsOf(history);
  return Math.max(seq, owner.lastIndexOf(owner[seq] ?? -1));
}

/**
 * Returns the events that prepare a session to resume from `before`: its title, a notice about the files
 * (`hasRestored`: they were restored to that point), and `instruction` if the agent should do something else. With an
 * instruction, pending actions are skipped, except that it answers an open question. Actions that had started get an
 * unknown outcome, because they ended in the other session.
 */
export function forkFrom(before: History, instruction?: string, hasRestored = false): NewEvent[] {
  const { title, mode } = settingsOf(before)!;
  const steps = before.filter(({ type }) => type === 'agent_response').length;
  const place = steps === 0 ? 'the beginning' : `step ${steps}`;
  const began = new Set(startedActions(before).map(({ id }) => id));
  const [question] = openQuestions(before);
  const others = pendingActions(before).filter(({ id }) => id !== question?.actionId);
  const leavesHuman = instruction !== undefined && mode === 'human';
  const isHeld = isStepping(before) || pauseIsRequested(before);
  const files = hasRestored
    ? 'Files were restored to their state at that point. Other effects of the run, such as those over the network, are not undone.'
    : 'Files are not restored: they keep their current content, and later changes are not undone.';
  return [
    {
      type: 'settings_changed',
      title: `${title.replace(/ · (?:from (?:the beginning|step \d+)|candidate \d+)$/, '')} · from ${place}`,
      ...(isHeld && { stepping: false }),
      ...(leavesHuman && { mode: 'confirm' as const }),
    },
    ...(leavesHuman && modeChangeMessage(mode, 'confirm')
      ? [{ type: 'feedback', cause: 'mode_changed', text: modeChangeMessage(mode, 'confirm') } as const]
      : []),
    {
      type: 'notice',
      level: 'info',
      text: `This session continues from ${place} of “${title}”. ${files}`,
    },
    ...others.flatMap(({ id }): NewEvent[] => {
      if (began.has(id))
        return [
          {
            type: 'observation',
            actionId: id,
            outcome: 'unknown',
            content:
              'This action had started when this session was forked from another one, so its result is unknown here. Check its effects before you continue.',
          },
        ];
      return instruction === undefined
        ? []
        : [
            {
              type: 'observation',
              actionId: id,
              outcome: 'skipped',
              content: 'This action was not run: the user continued from here with another instruction.',
            },
          ];
    }),
    ...continuationEvents(before, instruction, question?.actionId),
  ];
}

function continuationEvents(before: History, instruction: string | undefined, asked: string | undefined): NewEvent[] {
  if (instruction === undefined)
    return ['idle', 'paused', 'finished'].includes(statusOf(before)) ? [{ type: 'resumed' }] : [];
  return asked === undefined
    ? [{ type: 'user_message', text: instruction }]
    : [
        {
          type: 'observation',
          actionId: asked,
          outcome: 'ok',
          content: instruction,
          details: { kind: 'answer', text: instruction },
        },
      ];
}
