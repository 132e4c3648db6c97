import type { Event, NewEvent } from '../../../protocol/events/event';
import { replyOf } from '../../model/sampling/candidate';
import type { ModelReply } from '../../ports/model';
import { settingsOf } from '../../log/runSettings';
import type { History } from '../../log/projection';
import type { ReadReply } from './readReply';

/** See `Agent.readAgain`. `before` is the log that the reply answers. */
export type ReadAgain = (reply: ModelReply, before: History) => Promise<ReadReply>;

/**
 * Returns the log of a new session that continues from another candidate of a step: the events before that step, a note
 * that files keep their current content, and the step with the chosen candidate. It is ready to run. `at` is the
 * current time in milliseconds since 1970. Throws an `Error` with a message for people if the step has no such
 * candidate, or if the candidate contains nothing that can run.
 */
export async function continueFromCandidate(
  history: History,
  { seq, index }: { readonly seq: number; readonly index: number },
  readAgain: ReadAgain,
  at: number,
): Promise<Event[]> {
  const response = history[seq];
  const sampling = response?.type === 'agent_response' ? response.sampling : undefined;
  const candidate = sampling?.candidates[index];
  if (response?.type !== 'agent_response' || !sampling || !candidate)
    throw new Error('This step does not have that candidate. Reload the panel and pick another one.');
  const number = index + 1;
  if (candidate.problem !== undefined)
    throw new Error(`Candidate ${number} cannot be continued: ${candidate.problem} Pick another one.`);

  const before = history.slice(0, seq);
  const {
    written: _written,
    unreadCalls: _unread,
    taskState: _state,
    reasoning: _reasoning,
    seq: _seq,
    at: _at,
    ...rest
  } = response;
  const { fallback: _reason, ...choice } = sampling;
  const { title } = settingsOf(history)!;
  const more: NewEvent[] = [
    { type: 'settings_changed', title: `${title} · candidate ${number}` },
    {
      type: 'notice',
      level: 'info',
      text: `This session continues from candidate ${number} of a step of “${title}”. Files stay as they are now: changes made after that step are not undone.`,
    },
    {
      ...rest,
      ...(await readAgain(replyOf(candidate), before)),
      model: candidate.model,
      finishReason: candidate.finishReason,
      ...(candidate.reasoning && { reasoning: candidate.reasoning }),
      sampling: {
        ...choice,
        chosen: index,
        by: 'person',
        reason: `A person picked it instead of candidate ${sampling.chosen + 1}.`,
      },
    },
  ];
  return [...before, ...more.map((event, place): Event => ({ ...event, seq: seq + place, at }))];
}
