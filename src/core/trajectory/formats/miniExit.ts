import type { EventOf } from '../../../protocol/events/event';

type End = Pick<EventOf<'finished'>, 'status' | 'cause'>;

/** Maps outcomes of a run to mini-swe-agent's exit statuses; the first matching line is written. */
const endings: readonly (readonly [string, End])[] = [
  ['Submitted', { status: 'submitted' }],
  ['TimeExceeded', { status: 'limit_exceeded', cause: 'seconds' }],
  ['LimitsExceeded', { status: 'limit_exceeded', cause: 'steps' }],
  ['LimitsExceeded', { status: 'limit_exceeded', cause: 'cost' }],
  ['RepeatedFormatError', { status: 'failed', cause: 'format_errors' }],
  ['ContextWindowExceededError', { status: 'failed', cause: 'context_overflow' }],
  ['GoingInCircles', { status: 'failed', cause: 'going_in_circles' }],
  ['EmptyReplies', { status: 'failed', cause: 'empty_replies' }],
  ['UnknownTools', { status: 'failed', cause: 'unknown_tools' }],
  ['UserInterruption', { status: 'stopped', cause: 'person' }],
  ['LimitsExceeded', { status: 'limit_exceeded' }],
  ['UserInterruption', { status: 'stopped' }],
  ['ModelProblem', { status: 'failed', cause: 'model' }],
  ['ModelProblem', { status: 'failed' }],
];

export const exitStatusOf = ({ status, cause }: End): string =>
  (endings.find(([, end]) => end.status === status && end.cause === cause) ??
    endings.find(([, end]) => end.status === status)!)[0];

/** Returns the meaning of an exit status. Unknown statuses are names of errors. */
export function endFor(exitStatus: string): End {
  if (exitStatus === 'KeyboardInterrupt') return { status: 'stopped', cause: 'person' };
  return endings.find(([known]) => known === exitStatus)?.[1] ?? { status: 'failed' };
}
