import type { ChildReport } from '../../../protocol/events/details';
import { notRun, type Children } from '../../ports/children';
import type { History } from '../../log/history';

/**
 * Sessions that did something for an action of a log: they report again what they reported then. `play` does again what one did; one after
 * another, because nobody knows who of those side by side was first.
 */
export function recordedChildren(
  recorded: History,
  play: (session: string, actionId: string) => Promise<void>,
): Children {
  const reports = new Map<string, ChildReport[]>();
  for (const event of recorded)
    if (event.type === 'observation' && event.details?.kind === 'delegate')
      reports.set(event.actionId, [...event.details.children]);
  let turn: Promise<unknown> = Promise.resolve();
  return {
    async run({ title }, { actionId, started }) {
      const left = reports.get(actionId) ?? [];
      const [report] = left.splice(
        Math.max(
          0,
          left.findIndex((each) => each.title === title),
        ),
        1,
      );
      if (!report) return notRun(title, 'The log does not say what came of it.');
      if (report.session === '') return report;
      started(report.session);
      await (turn = turn.then(() => play(report.session, actionId)));
      return report;
    },
  };
}
