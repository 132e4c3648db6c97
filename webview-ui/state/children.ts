import type { ChildReport } from '../../src/protocol/events/details';
import type { Step } from './rows';
import type { LiveChild } from './state';

/** How a subsession is doing: its last report, or what the host says about it while it runs. */
export type ChildState =
  ChildReport['status'] | 'waiting' | 'working' | 'needs_approval' | 'needs_answer' | 'paused' | 'unknown';

/** A session that an action started or will start. */
export interface Child {
  readonly title: string;
  readonly state: ChildState;
  /** Absent until it starts. */
  readonly session?: string;
  /** What it does, or its result. */
  readonly words: string;
  readonly report?: ChildReport;
}

/** The sessions that one action started or will start. */
export interface Delegation {
  readonly children: readonly Child[];
  /** Pairs of indexes in `children`: the second waits for the first. */
  readonly edges: readonly (readonly [number, number])[];
}

/**
 * Returns the child sessions of an action: as reported or, before that, from the call's input, the start events and
 * live updates. `running`: the loop is running here.
 */
export function delegationOf(
  step: Step,
  live: ReadonlyMap<string, LiveChild>,
  { running }: { readonly running: boolean },
): Delegation {
  const { details, branch } = step.observation ?? {};
  if (branch) return { children: [reported(branch)], edges: [] };
  if (details?.kind === 'delegate') return { children: details.children.map(reported), edges: details.edges ?? [] };
  const begun = [...(step.children ?? [])];
  const planned = plannedIn(step.action.input);
  const waiting: ChildState = step.observation ? 'not_run' : 'waiting';
  const children = planned.titles.map((title): Child => {
    const at = begun.findIndex((one) => one.title === title);
    const [found] = at === -1 ? [] : begun.splice(at, 1);
    return found ? startedChild(found, live, running && !step.observation) : { title, state: waiting, words: '' };
  });
  return {
    children: [...children, ...begun.map((one) => startedChild(one, live, running && !step.observation))],
    edges: planned.edges ?? [],
  };
}

function startedChild(
  { session, title }: { session: string; title: string },
  live: ReadonlyMap<string, LiveChild>,
  running: boolean,
): Child {
  const heard = live.get(session);
  return { session, title, words: heard?.words ?? '', state: running ? childState(heard) : 'unknown' };
}

function childState(heard: LiveChild | undefined): ChildState {
  switch (heard?.status) {
    case 'waiting_for_confirmation':
      return 'needs_approval';
    case 'waiting_for_answer':
      return 'needs_answer';
    case 'paused':
      return 'paused';
    case 'idle':
      return 'answered';
    case 'finished':
      return 'submitted';
    default:
      return 'working';
  }
}

const reported = (report: ChildReport): Child => ({
  title: report.title,
  state: report.status,
  words: report.summary,
  report,
  ...(report.session && { session: report.session }),
});

function graphLines(graph: unknown): string[] {
  const lines = typeof graph === 'string' ? graph.split(/[\n;]/) : graph;
  return Array.isArray(lines) ? lines.map(String).filter((line) => line.trim()) : [];
}

/**
 * Extracts the planned sessions from the input as far as possible. Titles are formed as in
 * core/tools/native/runPlan.ts.
 */
function plannedIn(input: unknown): { titles: string[]; edges?: [number, number][] } {
  const { tasks, problems, graph } = (typeof input === 'object' && input !== null ? input : {}) as Record<
    string,
    unknown
  >;
  if (Array.isArray(tasks))
    return { titles: tasks.map((one) => field(one, 'title') || field(one, 'goal')).filter(Boolean) };
  if (!Array.isArray(problems)) return { titles: [] };
  const ids = problems.map((one, index) => field(one, 'id') || String(index + 1));
  const titles = ids.map((id, index) => `${id}: ${field(problems[index], 'request').split('\n', 1)[0]!.slice(0, 60)}`);
  const lines = graphLines(graph);
  const pairs = lines.flatMap((line) => {
    const sides = line.split(/->|→/).map((side) =>
      side
        .split(',')
        .map((id) => ids.indexOf(id.trim()))
        .filter((at) => at !== -1),
    );
    return sides
      .slice(1)
      .flatMap((side, index) => sides[index]!.flatMap((from) => side.map((to): [number, number] => [from, to])));
  });
  return {
    titles,
    edges: lines.length > 0 ? pairs : titles.slice(1).map((_title, index): [number, number] => [index, index + 1]),
  };
}

const field = (value: unknown, name: string): string => {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof found === 'string' ? found.trim() : '';
};
