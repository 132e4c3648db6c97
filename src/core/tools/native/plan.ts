import { asText, fieldOf } from '../../text/looseFields';
import { isRecord } from '../../text/parseJson';

/** A task divided into problems. */
export interface Plan {
  readonly problems: readonly PlannedProblem[];
  /** Edges `[from, to]` of ids: `to` starts when `from` is solved, and gets its result. No cycles or duplicates. */
  readonly edges: readonly (readonly [string, string])[];
}

/** A part of the task, which is solved by a session of its own. */
export interface PlannedProblem {
  readonly id: string;
  readonly request: string;
  /** What a solution must fulfil. May be empty. */
  readonly requirement: string;
}

/**
 * Reads a plan from the input of a call. `graph` is text with lines `A -> B, C`, or a list of such lines or of pairs.
 * Without it the problems are solved in order. Throws an `Error` with a message for the model that lists everything that
 * is wrong.
 */
export function planFrom(value: unknown): Plan {
  const wrong: string[] = [];
  const list = problemList(isRecord(value) ? fieldOf(value, 'problems') : undefined);
  const problems = list.map((item, index): PlannedProblem => {
    const textOf = (...names: string[]): string => (isRecord(item) ? asText(fieldOf(item, ...names)) : '').trim();
    const problem = {
      id: textOf('problemid', 'id') || String(index + 1),
      request: textOf('request'),
      requirement: textOf('solutionrequirement', 'requirement'),
    };
    if (!problem.request) wrong.push(`Problem ${problem.id} has no Request.`);
    return problem;
  });
  if (problems.length === 0) wrong.push('There are no problems.');
  for (const id of repeatedIds(problems.map((problem) => problem.id)))
    wrong.push(`Several problems have the ProblemID ${id}.`);
  for (const { id } of problems) if (/,|->/.test(id)) wrong.push(`The ProblemID ${id} contains a comma or an arrow.`);
  const edges = edgesOf(isRecord(value) ? fieldOf(value, 'graph', 'problemgraph') : undefined, problems, wrong);
  const circle =
    wrong.length === 0 &&
    circleIn(
      problems.map((problem) => problem.id),
      edges,
    );
  if (circle) wrong.push(`The graph has a cycle: ${circle.join(' -> ')}.`);
  if (wrong.length > 0) throw new Error(`The plan cannot be used. ${wrong.join(' ')}`);
  return { problems, edges };
}

/** Returns the items of `problems`: a list, or markup such as `{problem: […]}`. */
function problemList(problems: unknown): readonly unknown[] {
  if (Array.isArray(problems)) return problems as readonly unknown[];
  return isRecord(problems) ? [fieldOf(problems, 'problem') ?? problems].flat() : [];
}

/** Returns the edges of a graph without duplicates. Without a graph, the problems form a chain. */
function edgesOf(graph: unknown, problems: readonly PlannedProblem[], wrong: string[]): [string, string][] {
  const lines = (Array.isArray(graph) ? (graph as readonly unknown[]) : asText(graph).split(/[\n;]/))
    .map((line) =>
      (Array.isArray(line)
        ? line.map((side) => [side].flat().map(asText).join(',')).join(' -> ')
        : asText(line)
      ).trim(),
    )
    .filter(Boolean);
  if (lines.length === 0) return problems.slice(1).map(({ id }, index) => [problems[index]!.id, id]);
  const ids = new Set(problems.map(({ id }) => id));
  const edges = new Map<string, [string, string]>();
  for (const line of lines) {
    const sides = line.split(/->|→/).map((side) =>
      side
        .split(',')
        .map((id) => id.trim())
        .filter(Boolean),
    );
    if (sides.some((side) => side.length === 0))
      wrong.push(`The line "${line}" of the graph is missing a side; write A -> B.`);
    for (const id of new Set(sides.flat()))
      if (!ids.has(id))
        wrong.push(`The graph names ${id}, which is not a ProblemID. There are: ${[...ids].join(', ')}.`);
    sides.slice(1).forEach((followers, index) => {
      for (const from of sides[index]!) for (const to of followers) edges.set(JSON.stringify([from, to]), [from, to]);
    });
  }
  return [...edges.values()];
}

/** Returns a cycle as a list of ids, with the first repeated at the end. */
function circleIn(ids: readonly string[], edges: readonly (readonly [string, string])[]): string[] | undefined {
  let left = new Set(ids);
  for (let before = -1; before !== left.size;) {
    before = left.size;
    left = new Set([...left].filter((id) => edges.some(([from, to]) => to === id && left.has(from))));
  }
  const [first] = left;
  if (first === undefined) return undefined;
  const path = [first];
  for (;;) {
    const previous = edges.find(([from, to]) => to === path[0] && left.has(from))![0];
    const place = path.indexOf(previous);
    path.unshift(previous);
    if (place !== -1) return path.slice(0, place + 2);
  }
}

const repeatedIds = (ids: readonly string[]): string[] => [
  ...new Set(ids.filter((id, index) => ids.indexOf(id) !== index)),
];
