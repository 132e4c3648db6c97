import type { RunFacts } from '../../protocol/inspector';
import { settingsOf, type History } from '../agent/history';
import { spentBy } from '../agent/spending';

/** What is true of a run as a whole, and says nothing of the file it comes from. */
export function runFacts(history: History): Pick<RunFacts, 'title' | 'model' | 'profile' | 'end' | 'spent' | 'durationMs' | 'events'> {
  const settings = settingsOf(history);
  const { steps, usage, uncounted, unpriced } = spentBy(history);
  const end = history.findLast(event => event.type === 'finished');
  const [first, last] = [history[0], history.at(-1)];
  return {
    title: settings?.title ?? '', model: settings?.model.name ?? '', profile: settings?.profile ?? '', spent: { ...usage, steps, uncounted, unpriced },
    durationMs: first && last ? Math.max(0, last.at - first.at) : 0, events: history.length, ...(end && { end: { status: end.status, summary: end.problem?.what ?? end.summary } }),
  };
}
