import type { RunFacts } from '../../protocol/inspector/inspector';
import { settingsOf } from '../log/runSettings';
import type { History } from '../log/projection';
import { sessionSpending } from '../log/spending';

/** Returns facts about the run as a whole, independent of the file format. */
export function runFacts(
  history: History,
): Pick<RunFacts, 'title' | 'model' | 'profile' | 'foreign' | 'end' | 'spent' | 'durationMs' | 'events'> {
  const settings = settingsOf(history);
  const { steps, usage, uncounted, unpriced } = sessionSpending(history);
  const end = history.findLast((event) => event.type === 'finished');
  const [first, last] = [history[0], history.at(-1)];
  const started = history.find((event) => event.type === 'task_started');
  // Runs of other programs follow none of Waymark's profiles, unless the file says so.
  const profile = started?.origin === undefined ? settings?.profile : started.profile;
  return {
    title: settings?.title ?? '',
    model: settings?.model.name ?? '',
    profile: profile ?? '',
    spent: { ...usage, steps, uncounted, unpriced },
    durationMs: first && last ? Math.max(0, last.at - first.at) : 0,
    events: history.length,
    ...(started?.origin !== undefined && { foreign: true }),
    ...(end && { end: { status: end.status, summary: end.problem?.what ?? end.summary } }),
  };
}
