import type { Event, EventOf } from '../../protocol/events/event';
import type { ChildReport } from '../../protocol/events/details';
import type { RunGraphNode, RunGraph } from '../../protocol/inspector/inspector';
import { settingsOf } from '../log/runSettings';
import type { History } from '../log/projection';
import { oneLine } from './steps';

/** Maximum number of nodes; larger graphs are unreadable. */
const maxNodes = 60;

interface StartedChild {
  readonly session: string;
  readonly title: string;
  readonly report?: ChildReport;
}

/**
 * Returns the graph of steps that ran several actions or started child sessions, with their dependencies. Steps with a
 * single action are omitted.
 */
export function runGraph(history: History): RunGraph {
  const observations = new Map<string, EventOf<'observation'>>();
  const begun = new Map<string, StartedChild[]>();
  for (const event of history) {
    if (event.type === 'observation') observations.set(event.actionId, event);
    if (event.type === 'child_started')
      begun.set(event.actionId, [...(begun.get(event.actionId) ?? []), { session: event.session, title: event.title }]);
  }
  const drawing: Drawing = {
    nodes: [{ kind: 'run', words: oneLine(settingsOf(history)?.title ?? ''), state: '', seq: history[0]?.seq ?? 0 }],
    edges: [],
    more: 0,
  };
  let number = 0;
  let before = 0;
  for (const event of history) {
    if (event.type !== 'agent_response') continue;
    number++;
    if (!isBranching(event, begun)) continue;
    before = drawStep(drawing, event, { number, before, known: { observations, begun } });
  }
  return drawing;
}

interface Drawing {
  readonly nodes: RunGraphNode[];
  readonly edges: [number, number][];
  more: number;
}
interface RunFacts {
  readonly observations: ReadonlyMap<string, EventOf<'observation'>>;
  readonly begun: ReadonlyMap<string, readonly StartedChild[]>;
}

const isBranching = ({ actions }: EventOf<'agent_response'>, begun: RunFacts['begun']): boolean =>
  actions.length > 1 || actions.some(({ id }) => begun.has(id));

/** Draws a step. Returns the index of its last node, to which the next step connects. */
function drawStep(
  drawing: Drawing,
  event: EventOf<'agent_response'>,
  { number, before, known }: { readonly number: number; readonly before: number; readonly known: RunFacts },
): number {
  const step = addNode(drawing, { kind: 'step', words: String(number), state: '', seq: event.seq }, [before]);
  if (step === undefined) return before;
  let last: readonly number[] = [step];
  for (const group of [...new Set(event.actions.map((action) => action.group))]) {
    const actions = event.actions.filter((action) => action.group === group);
    const parts = actions.map((action) =>
      addNode(
        drawing,
        { kind: 'group', words: action.summary, state: nodeState(known.observations.get(action.id)), seq: event.seq },
        last,
      ),
    );
    actions.forEach((action, index) => {
      if (parts[index] !== undefined)
        drawChildren(drawing, { actionId: action.id, seq: event.seq, from: parts[index] }, known);
    });
    const drawn = parts.filter((part) => part !== undefined);
    if (drawn.length > 0) last = drawn;
  }
  return last.at(-1)!;
}

/** A failed command has reported a result too. */
const nodeState = (seen: EventOf<'observation'> | undefined): string =>
  seen?.outcome === 'ok' && seen.details?.kind === 'command' && seen.details.exitCode !== 0
    ? 'error'
    : (seen?.outcome ?? 'open');

function drawChildren(
  drawing: Drawing,
  { actionId, seq, from }: { readonly actionId: string; readonly seq: number; readonly from: number },
  { observations, begun }: RunFacts,
): void {
  const observation: Event | undefined = observations.get(actionId);
  const details = observation?.type === 'observation' ? observation.details : undefined;
  const reports = [
    ...(details?.kind === 'delegate' ? details.children : []),
    ...(observation?.type === 'observation' && observation.branch ? [observation.branch] : []),
  ];
  const edges = details?.kind === 'delegate' ? (details.edges ?? []) : [];
  const children: readonly StartedChild[] =
    reports.length > 0
      ? reports.map((report) => ({ session: report.session, title: report.title, report }))
      : (begun.get(actionId) ?? []);
  const places = children.map(({ session, title, report }, index) =>
    addNode(
      drawing,
      { kind: 'child', words: title, state: report?.status ?? 'open', seq, ...(session && { session }) },
      edges.some(([, to]) => to === index) ? [] : [from],
    ),
  );
  for (const [a, b] of edges) {
    const [left, right] = [places[a], places[b]];
    if (left !== undefined && right !== undefined) drawing.edges.push([left, right]);
  }
}

function addNode(drawing: Drawing, node: RunGraphNode, from: readonly number[]): number | undefined {
  if (drawing.nodes.length >= maxNodes) {
    drawing.more++;
    return undefined;
  }
  const place = drawing.nodes.push({ ...node, words: oneLine(node.words) }) - 1;
  for (const parent of from) drawing.edges.push([parent, place]);
  return place;
}
