import * as z from 'zod';
import type { ChildReport } from '../../../protocol/events/details';
import { hasCompleted, type Attachment, notStartedReport } from '../../ports/children';
import { planFrom, type Plan, type PlannedProblem } from './plan';
import { delegated, reportsResult } from './delegate';
import { defineTool } from '../defineTool';
import type { ToolContext } from '../../ports/tool';

const sideBySide = 4;

export const runPlan = defineTool({
  name: 'run_plan',
  description:
    'Let separate agents solve up to 24 problems. Each starts when those before it are solved, and gets their reports. graph: lines "A -> B"; without it, in order.',
  input: z.object({
    problems: z
      .array(z.object({ id: z.string(), request: z.string(), requirement: z.string().optional() }))
      .min(1)
      .max(24),
    graph: z.array(z.string()).optional(),
  }),
  accept(raw) {
    // In any form of plan, its own errors describe everything that is wrong with it.
    const { problems, edges } = planFrom(raw);
    // A graph without edges would be read as a chain. If no step waits for another, each is listed on its own line.
    return {
      problems,
      graph: edges.length > 0 ? edges.map(([from, to]) => `${from} -> ${to}`) : problems.map(({ id }) => id),
    };
  },
  effect: 'delegates',
  summarize: ({ problems }) => `Plan ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`,
  async run(input, context) {
    const plan = planFrom(input);
    const reports = await solve(plan, context);
    const number = new Map(plan.problems.map(({ id }, index) => [id, index]));
    return reportsResult(
      plan.problems.map((problem) => reports.get(problem.id)!),
      context,
      plan.edges.map(([from, to]) => [number.get(from)!, number.get(to)!]),
    );
  },
});

/** "A: Find the bug" */
const problemTitle = ({ id, request }: PlannedProblem): string =>
  `${id}: ${request.trim().split('\n', 1)[0]!.slice(0, 60)}`;

async function solve({ problems, edges }: Plan, context: ToolContext): Promise<Map<string, ChildReport>> {
  const {
    default: { PGraph },
  } = await import('p-graph');
  const reports = new Map<string, ChildReport>();
  const before = (id: string): PlannedProblem[] =>
    problems.filter((problem) => edges.some(([from, to]) => from === problem.id && to === id));
  const run = async (id: string): Promise<void> => {
    const problem = problems.find((each) => each.id === id)!;
    if (context.signal.aborted) throw new Error('stopped');
    const attachments = before(id).map((other): Attachment => ({
      id: other.id,
      description: other.request,
      content: reports.get(other.id)!.summary,
    }));
    const report = await delegated(
      {
        title: problemTitle(problem),
        task: [problem.request, problem.requirement && `Requirement for the solution: ${problem.requirement}`]
          .filter(Boolean)
          .join('\n\n'),
        attachments,
      },
      context,
    );
    reports.set(id, report);
    if (!hasCompleted(report)) throw new Error('not solved');
  };
  const graph = new PGraph(
    new Map(problems.map(({ id }) => [id, {}])),
    edges.map(([from, to]) => [from, to]),
  );
  // Failed steps have reported already; they only block the steps that depend on them.
  await graph.run({ run, concurrency: sideBySide, continue: true }).catch(() => undefined);
  for (const problem of problems)
    if (!reports.has(problem.id))
      reports.set(
        problem.id,
        notStartedReport(problemTitle(problem), whyNot(problem, before(problem.id), reports, context)),
      );
  return reports;
}

function whyNot(
  { id }: PlannedProblem,
  before: readonly PlannedProblem[],
  reports: ReadonlyMap<string, ChildReport>,
  { signal }: ToolContext,
): string {
  const unsolved = before
    .filter((other) => !hasCompleted(reports.get(other.id) ?? { status: 'not_run' }))
    .map((other) => other.id);
  if (unsolved.length > 0) return `${id} depends on ${unsolved.join(' and ')}, which was not solved.`;
  return signal.aborted ? 'The plan was stopped before this started.' : 'It did not start.';
}
