import type { Comparison, EvaluationSummary, Share } from './evaluation';
import type { TaskResult } from './taskResult';

/** One evaluation, with all its tasks. */
export interface Evaluation {
  readonly summary: EvaluationSummary;
  readonly results: readonly TaskResult[];
}

/** What a report shows: one evaluation, or two of the same tasks beside each other. */
export interface Reported {
  readonly evaluations: readonly Evaluation[];
  readonly comparison?: Comparison | undefined;
  /** Address of the trajectory of a task, relative to the page; undefined where there is none. */
  linkTo?(evaluation: number, result: TaskResult): string | undefined;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const points = (share: number): string => `${share >= 0 ? '+' : '−'}${Math.abs(share * 100).toFixed(1)}`;
const resolvedWords = ({ count, of, share }: Share): string => `${count}/${of} (${percent(share)})`;
const intervalWords = ({ low, high }: Share): string => `${percent(low)} to ${percent(high)}`;

const columns = ['Run', 'Resolved', '95 % interval (Wilson)', 'Cost', 'Steps', 'Seconds'] as const;

const cellsOf = ({ name, resolved, cost, meanSteps, meanSeconds }: EvaluationSummary): string[] => [
  name,
  resolvedWords(resolved),
  intervalWords(resolved),
  `$${cost.toFixed(2)}`,
  meanSteps.toFixed(1),
  meanSeconds.toFixed(1),
];

/** Sentences on how two evaluations differ, with the names of the methods. */
export function comparisonWords({ pairs, onlyFirst, onlySecond, p, difference }: Comparison): string[] {
  const interval = `95 % interval ${points(difference.low)} to ${points(difference.high)}, paired bootstrap`;
  return [
    `Both can tell of ${pairs} tasks: the first alone resolves ${onlyFirst.length}, the second alone ${onlySecond.length}.`,
    `Difference of the second: ${points(difference.mean)} percentage points (${interval}). McNemar’s exact test: p = ${p.toFixed(3)}.`,
  ];
}

/** A table for the terminal. */
export function evaluationTable({ evaluations, comparison }: Reported): string {
  const rows = [[...columns], ...evaluations.map(({ summary }) => cellsOf(summary))];
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
  const untold = evaluations.flatMap(({ summary }) =>
    summary.untold === 0
      ? []
      : [`${summary.name}: ${summary.untold} tasks are not counted, as no check can tell of them.`],
  );
  return [...lines, ...untold, ...(comparison ? comparisonWords(comparison) : [])].join('\n');
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const style = `
:root { color-scheme: light dark; --line: #8884; --mark: #3b6fb5; }
:root { --good: light-dark(#1f6f43, #63c58c); --bad: light-dark(#b3261e, #ff8a80); }
body { font: 14px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
.yes { color: var(--good); } .no { color: var(--bad); } .reason { opacity: .75; }
th { white-space: nowrap; } td { min-width: 4rem; } code { overflow-wrap: anywhere; }
.wide { overflow-x: auto; } svg { max-width: 45rem; }
svg text { font: 12px system-ui, sans-serif; fill: currentColor; }
`;

/** One page with everything in it: no script, no font and no picture is loaded. */
export function evaluationPage(title: string, reported: Reported): string {
  const { evaluations, comparison } = reported;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
${tableOf(
  columns,
  evaluations.map(({ summary }) => cellsOf(summary).map(escaped)),
)}
${(comparison ? comparisonWords(comparison) : []).map((words) => `<p>${escaped(words)}</p>`).join('\n')}
<h2>Resolved</h2>
${intervalPlot(evaluations)}
<h2>Steps and time of each task</h2>
${taskPlot(evaluations)}
${legend(evaluations)}
<h2>Tasks</h2>
${taskTable(reported)}
</body>
</html>
`;
}

const tableOf = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [
    '<div class="wide" role="region" aria-label="Table" tabindex="0"><table>',
    `<thead><tr>${heads.map((head) => `<th scope="col">${escaped(head)}</th>`).join('')}</tr></thead>`,
    '<tbody>',
    ...rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`),
    '</tbody>',
    '</table></div>',
  ].join('\n');

const plotWidth = 640;
const rowHeight = 34;
const leftOfPlot = 180;

/** A bar for the share that was resolved, and a line for its interval. */
function intervalPlot(evaluations: readonly Evaluation[]): string {
  const across = (share: number): string => (leftOfPlot + share * (plotWidth - leftOfPlot - 50)).toFixed(1);
  const rows = evaluations.map(({ summary: { name, resolved } }, index) => {
    const top = index * rowHeight + 8;
    const middle = top + 9;
    const width = (Number(across(resolved.share)) - Number(across(0))).toFixed(1);
    const [from, to] = [across(resolved.low), across(resolved.high)];
    const line = `x1="${from}" x2="${to}" y1="${middle}" y2="${middle}"`;
    return [
      `<text x="0" y="${middle + 4}">${escaped(name.slice(0, 26))}</text>`,
      `<rect x="${across(0)}" y="${top}" width="${width}" height="18" fill="var(--mark)" opacity="0.55"/>`,
      `<line ${line} stroke="currentColor" stroke-width="2"/>`,
      `<text x="${Number(across(resolved.high)) + 6}" y="${middle + 4}">${percent(resolved.share)}</text>`,
    ].join('');
  });
  const told = evaluations.map(({ summary: { name, resolved } }) => `${name}: ${resolvedWords(resolved)}`).join('; ');
  const view = `viewBox="0 0 ${plotWidth} ${evaluations.length * rowHeight + 8}" width="100%"`;
  return `<svg role="img" aria-label="${escaped(told)}" ${view}>${rows.join('')}</svg>`;
}

/** The mark of a task: round for the first run, square for the second. */
function markOf(isRound: boolean, x: number, y: number): string {
  const [across, down] = [x.toFixed(1), y.toFixed(1)];
  if (isRound) return `circle cx="${across}" cy="${down}" r="5"`;
  return `rect x="${(x - 5).toFixed(1)}" y="${(y - 5).toFixed(1)}" width="10" height="10"`;
}

/** What the marks mean, in words. */
function legend(evaluations: readonly Evaluation[]): string {
  const [first, second] = evaluations.map(({ summary }) => summary.name);
  const shapes = second === undefined ? [] : [`Circles are ${first}, squares are ${second}.`];
  return `<p class="reason">${escaped([...shapes, 'Filled marks are resolved tasks.'].join(' '))}</p>`;
}

/** A mark for each task: filled where it was resolved. */
function taskPlot(evaluations: readonly Evaluation[]): string {
  const all = evaluations.flatMap(({ results }) => results);
  const mostSteps = Math.max(1, ...all.map(({ steps }) => steps));
  const mostSeconds = Math.max(1, ...all.map(({ seconds }) => seconds));
  const height = 240;
  const placed = evaluations.flatMap(({ results }, run) => results.map((result) => ({ ...result, run })));
  const points = placed.map(({ id, steps, seconds, resolved, run }) => {
    const x = 40 + (seconds / mostSeconds) * (plotWidth - 60);
    const y = height - 30 - (steps / mostSteps) * (height - 50);
    const colour = resolved ? 'var(--good)' : 'var(--bad)';
    const fill = resolved ? colour : 'none';
    const words = `${id}: ${steps} steps, ${seconds.toFixed(1)} seconds`;
    const mark = markOf(run === 0, x, y);
    const [shape] = mark.split(' ');
    return `<${mark} fill="${fill}" stroke="${colour}" stroke-width="2"><title>${escaped(words)}</title></${shape}>`;
  });
  const axes = `<path d="M40 10V${height - 30}H${plotWidth - 10}" fill="none" stroke="currentColor" opacity="0.4"/>`;
  const labels = `<text x="0" y="14">${mostSteps} steps</text><text x="${plotWidth - 90}" y="${height - 10}">${mostSeconds.toFixed(1)} seconds</text>`;
  return `<svg role="img" aria-label="Steps over seconds, a point for each task" viewBox="0 0 ${plotWidth} ${height}" width="100%">${axes}${labels}${points.join('')}</svg>`;
}

function taskTable({ evaluations, linkTo }: Reported): string {
  const several = evaluations.length > 1;
  // What two runs made of the same task stands one below the other.
  const order = new Map(evaluations.flatMap(({ results }) => results).map(({ id }, place) => [id, place]));
  const both = evaluations
    .flatMap(({ summary, results }, index) => results.map((result) => ({ summary, result, index })))
    .sort((a, b) => order.get(a.result.id)! - order.get(b.result.id)!);
  const rows = both.map(({ summary, result, index }) => {
    const link = linkTo?.(index, result);
    const id = escaped(result.id);
    return [
      link === undefined ? id : `<a href="${escaped(link)}">${id}</a>`,
      ...(several ? [escaped(summary.name)] : []),
      verdictCell(result),
      checkCell(result),
      String(result.steps),
      result.seconds.toFixed(1),
      result.cost === null ? '' : `$${result.cost.toFixed(2)}`,
    ];
  });
  return tableOf(['Task', ...(several ? ['Run'] : []), 'Resolved', 'Checks', 'Steps', 'Seconds', 'Cost'], rows);
}

function verdictCell({ resolved, status, reason }: TaskResult): string {
  const why = reason === '' ? '' : ` <span class="reason">${escaped(reason)}</span>`;
  if (resolved === true) return '<span class="yes">✓ resolved</span>';
  const ending = status === 'done' ? '' : ` (${status})`;
  return resolved === false ? `<span class="no">✗ not resolved${ending}</span>${why}` : `not counted${ending}${why}`;
}

const checkCell = ({ checks = [] }: TaskResult): string =>
  checks.map(({ test, before, after }) => `<code>${escaped(test)}</code>: ${before} → ${after}`).join('<br>');
