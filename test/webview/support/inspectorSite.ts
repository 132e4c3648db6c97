import { InspectorChannel, type Run } from '../../../src/extension/inspector/inspectorChannel';
import type { Event } from '../../../src/protocol/events/event';
import type { InspectorMessage, RunFacts, ToInspector } from '../../../src/protocol/inspector/inspector';
import { runFacts } from '../../../src/core/trajectory/runFacts';
import type { PanelPage, PanelSite } from './panelSite';

/** The inspector in a browser, connected to the real host channel. */
export interface InspectorPage extends Pick<PanelPage, 'page' | 'problems'> {
  readonly channel: InspectorChannel;
  /** Messages from the view to the editor: requests for files, texts and other trajectories. */
  readonly asked: InspectorMessage[];
  /** Waits until the requested content is drawn. */
  settle(): Promise<void>;
}

export const runOf = (events: readonly Event[], more: Partial<RunFacts> = {}): Run => ({
  history: events,
  facts: () => ({
    ...runFacts(events),
    name: 'run.waymark.jsonl',
    path: 'run.waymark.jsonl',
    format: 'Waymark log',
    problems: [],
    ...more,
  }),
});

export async function openInspector(
  site: PanelSite,
  runs: readonly Run[] | (() => readonly Run[]),
  options: Parameters<PanelSite['open']>[0] = {},
): Promise<InspectorPage> {
  const asked: InspectorMessage[] = [];
  const ask = (message: InspectorMessage): void => void asked.push(message);
  let post: (message: ToInspector) => void = () => undefined;
  const channel = new InspectorChannel({
    post: (message) => post(message),
    load: () => Promise.resolve(typeof runs === 'function' ? runs() : runs),
    onProblem: (problem) => void asked.push({ type: 'copy', text: String(problem) }),
    actions: {
      neighbour: ask,
      open_text: ask,
      open_file: ask,
      open_diff: ask,
      open_link: ask,
      open_session: ask,
      fork: ask,
      restore: ask,
      copy: ask,
    },
  });
  const panel = await site.open({ view: 'inspector', width: 1000, height: 800, ...options });
  const { page } = panel;
  const pending = new Set<Promise<unknown>>();
  const keep = (work: Promise<unknown>): void => {
    pending.add(work);
    void work.catch(() => undefined).finally(() => pending.delete(work));
  };
  post = (message) =>
    keep(
      page.evaluate((sent) => {
        window.postMessage(sent, '*');
      }, message as never),
    );
  await page.exposeFunction('toHost', (message: unknown) => keep(channel.receive(message)));
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 2; round++) {
      while (pending.size > 0) await Promise.allSettled([...pending]);
      await page.evaluate(
        'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 40))))',
      );
    }
  };
  await channel.receive({ type: 'ready' });
  await settle();
  return { page, problems: panel.problems, channel, asked, settle };
}
