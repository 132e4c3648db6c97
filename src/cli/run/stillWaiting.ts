import { openQuestions, statusOf, undecidedActions, type History } from '../../core/log/history';
import type { Event } from '../../protocol/events/event';

/**
 * Events from before this run that hold what still waits for a person: a reader of this run's lines alone would not know what it ended
 * for. `before`: how many events there were when the run began.
 */
export function stillWaiting(history: History, before: number): Event[] {
  if (!['waiting_for_confirmation', 'waiting_for_answer'].includes(statusOf(history))) return [];
  const asked = undecidedActions(history).map(({ id }) => id);
  const questions = openQuestions(history).map(({ actionId }) => actionId);
  const ids = new Set([...asked, ...questions]);
  return history.slice(0, before).filter((event) => {
    if (event.type === 'agent_response') return event.actions.some(({ id }) => ids.has(id));
    if (event.type === 'confirmation_requested') return event.actionIds.some((id) => asked.includes(id));
    return event.type === 'question_asked' && questions.includes(event.actionId);
  });
}
