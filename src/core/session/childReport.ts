import type { ChildReport } from '../../protocol/events/details';
import { eventsOfType, type History } from '../log/projection';
import { pendingActions, openQuestions, undecidedActions } from '../log/openActions';
import { statusOf } from '../log/status';
import { reachOf } from '../security/taint/taint';
import { resultSoFar } from '../log/results';
import { sessionSpending } from '../log/spending';
import { truncate } from '../../protocol/plain/truncate';

/** Creates the report of a child session from its log. If it did not finish, includes what it has so far. */
export function childReport(session: string, title: string, history: History): ChildReport {
  const { steps, seconds, usage } = sessionSpending(history);
  const { untrusted, secret } = reachOf(history) ?? {};
  return {
    session,
    title,
    ...outcomeOf(history),
    steps,
    seconds: Math.round(seconds * 10) / 10,
    usage,
    ...(untrusted && { untrusted }),
    ...(secret && { secret }),
  };
}

function outcomeOf(history: History): Pick<ChildReport, 'status' | 'summary'> {
  const status = statusOf(history);
  if (status === 'idle') return { status: 'answered', summary: lastWords(history) };
  const end = history.findLast((event) => event.type === 'finished');
  if (status !== 'finished' || !end) return { status: 'stopped', summary: resultSoFar(history) };
  if (end.status === 'submitted') return { status: 'submitted', summary: end.summary.trim() || lastWords(history) };
  if (end.status === 'stopped') return { status: 'stopped', summary: end.summary };
  const why = end.problem ? [end.problem.what, end.problem.why].join(' ') : end.summary;
  return { status: end.status, summary: `${why} ${resultSoFar(history)}` };
}

const lastWords = (history: History): string =>
  eventsOfType(history, 'agent_response')
    .findLast(({ text }) => text.trim() !== '')
    ?.text.trim() ?? 'It ended without a report.';

/** Describes briefly what the session is doing or waiting for. */
export function currentActivity(history: History): string {
  const [asked] = undecidedActions(history);
  if (asked) return asked.summary;
  const [question] = openQuestions(history);
  if (question) return question.question;
  const [action] = pendingActions(history);
  if (action) return action.summary;
  const last = history.findLast((event) => event.type === 'agent_response' || event.type === 'finished');
  if (!last) return '';
  const words = last.type === 'finished' ? last.summary : last.text;
  return truncate(words.trim().split('\n', 1)[0]!, 120);
}
