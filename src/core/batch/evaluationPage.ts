import { sumOfKnown } from '../log/spending';
import { attributeText, Markup, markup, brand, tile } from '../trajectory/formats/report/markup';
import { baseStyles } from '../trajectory/formats/report/styles';
import { counted, durationWords, utcMinute } from '../text/amounts';
import {
  type EvaluationComparison,
  chanceWords,
  intervalWords,
  percent,
  points,
  type Evaluation,
  type Reported,
} from './evaluation';
import type { CheckResult, TaskResult } from './taskResult';
import { dollars } from '../../protocol/plain/amounts';

/** Returns a self-contained page, without external scripts, fonts or images. */
export function evaluationPage(title: string, reported: Reported): string {
  const { evaluations, comparison } = reported;
  const figures = comparison ? differenceTiles(comparison, reported) : evaluations.map(runTiles);
  const body = markup`<body><div class="report">
<header>${brand('Waymark evaluation')}<h1>${title}</h1>${facts(evaluations)}${figures}</header>
<main>
<section aria-labelledby="resolved"><h2 id="resolved">Resolved tasks</h2>${shares(evaluations)}</section>
${comparison && markup`<section aria-labelledby="runs"><h2 id="runs">Runs</h2>${runTable(evaluations)}</section>`}
<section aria-labelledby="spread"><h2 id="spread">Steps and time of each task</h2>${spread(reported)}</section>
<section aria-labelledby="tasks"><h2 id="tasks">Tasks</h2>${comparison ? pairTable(reported) : taskTable(reported)}</section>
</main>
<footer>This page loads nothing and runs nothing.</footer>
</div></body>`;
  const head = [
    markup`<meta charset="utf-8">`,
    markup`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    markup`<meta name="viewport" content="width=device-width, initial-scale=1">`,
    markup`<title>${attributeText(`${title} · Waymark evaluation`)}</title>`,
    markup`<style>${new Markup(baseStyles + styles)}</style>`,
  ];
  return `<!doctype html>\n${markup`<html lang="en"><head>${head}</head>\n${body}</html>\n`.text}`;
}

const evaluationName = ({ summary }: Evaluation): string => summary.name;

function facts(evaluations: readonly Evaluation[]): Markup {
  const results = evaluations.flatMap((evaluation) => evaluation.results);
  const models = new Set(results.map(({ model }) => model).filter((model) => model !== ''));
  const tasks = new Set(results.map(({ id }) => id)).size;
  const last = Math.max(0, ...results.map(({ finished_at: at }) => Date.parse(at) || 0));
  const parts = [counted(tasks, 'task'), ...models, utcMinute(last)].filter((fact) => fact !== '');
  return markup`<p class="facts">${parts.map((fact) => markup`<span>${fact}</span>`)}</p>`;
}

function runTiles({ summary: { resolved, untold, meanSteps, meanSeconds }, results }: Evaluation): Markup {
  const interval = `${percent(resolved.share)}, 95% interval ${intervalWords(resolved)} (Wilson)`;
  return markup`<dl class="tiles">${[
    tile('Resolved', `${resolved.count} of ${resolved.of}`, interval),
    untold > 0 && tile('Not counted', String(untold), 'not started, or checks inconclusive'),
    tile('Cost', costOf(results), unpricedWords(results)),
    tile('Steps', meanSteps.toFixed(1), 'per task, on average'),
    tile('Time', durationWords(meanSeconds * 1000), 'per task, on average'),
  ]}</dl>`;
}

function costOf(results: readonly TaskResult[]): string {
  const sum = sumOfKnown(results.map(({ cost }) => cost));
  return sum === null ? 'unknown' : dollars(sum);
}

function unpricedWords(results: readonly TaskResult[]): string {
  const unpriced = results.filter(({ cost }) => cost === null).length;
  return unpriced === 0 ? 'all tasks' : `${counted(unpriced, 'task')} without a price`;
}

function differenceTiles(comparison: EvaluationComparison, { evaluations }: Reported): Markup {
  const { pairs, onlyFirst, onlySecond, p, difference } = comparison;
  const [first, second] = evaluations.map(evaluationName) as [string, string];
  const interval = `95% interval ${points(difference.low)} to ${points(difference.high)}, paired bootstrap`;
  return markup`<dl class="tiles">${[
    tile(`${second} against ${first}`, `${points(difference.mean)} points`, interval),
    tile('McNemar’s exact test', `p = ${p.toFixed(3)}`, chanceWords(comparison)),
    tile(`Only ${first} resolves`, String(onlyFirst.length), `of ${counted(pairs, 'task')} that count in both runs`),
    tile(`Only ${second} resolves`, String(onlySecond.length), `of ${counted(pairs, 'task')} that count in both runs`),
  ]}</dl>`;
}

/** A bar for the resolved share, with a line for its interval. */
function shares(evaluations: readonly Evaluation[]): Markup {
  const rows = evaluations.map(({ summary: { name, resolved } }) => {
    const words = `${resolved.count} of ${resolved.of}, ${percent(resolved.share)}`;
    const bar = markup`<span class="bar" style="width:${percent(resolved.share)}"></span>`;
    const place = `left:${percent(resolved.low)};width:${percent(resolved.high - resolved.low)}`;
    const interval = markup`<span class="interval" style="${place}"></span>`;
    const track = markup`<span class="track">${bar}${interval}</span>`;
    return markup`<div class="share"><span class="name">${name}</span>${track}<span class="value">${words}</span></div>`;
  });
  const ticks = [0, 25, 50, 75, 100].map((tick) => markup`<span style="left:${tick}%">${tick}%</span>`);
  const track = markup`<span class="track axis">${ticks}</span>`;
  const axis = markup`<div class="share" aria-hidden="true"><span></span>${track}<span></span></div>`;
  const note = markup`<p class="note">The line is the 95% interval (Wilson).</p>`;
  return markup`<div class="shares">${rows}${axis}</div>${note}`;
}

function columnHeads(heads: readonly string[], numbers: ReadonlySet<string>): Markup {
  const columnHead = (head: string): Markup =>
    markup`<th scope="col"${numbers.has(head) && markup` class="number"`}>${head}</th>`;
  return markup`<thead><tr>${heads.map(columnHead)}</tr></thead>`;
}

const numberHeads = new Set(['Resolved', 'Steps', 'Time', 'Cost']);

/** On a narrow screen each row becomes a card with named cells. */
const number = (head: string, text: string): Markup =>
  markup`<td class="number" data-head="${attributeText(head)}">${text}</td>`;

/** Content that is too wide for the screen scrolls on its own. */
const wide = (name: string, content: Markup): Markup =>
  markup`<div class="wide" role="region" aria-label="${attributeText(name)}" tabindex="0"><table>${content}</table></div>`;

function runTable(evaluations: readonly Evaluation[]): Markup {
  const interval = '95% interval (Wilson)';
  const heads = ['Run', 'Resolved', interval, 'Cost', 'Steps', 'Time'];
  const rows = evaluations.map(
    ({ summary: { name, resolved, meanSteps, meanSeconds }, results }) =>
      markup`<tr><th scope="row">${name}</th>${[
        number('Resolved', `${resolved.count} of ${resolved.of}`),
        markup`<td data-head="${interval}">${intervalWords(resolved)}</td>`,
        number('Cost', costOf(results)),
        number('Steps', meanSteps.toFixed(1)),
        number('Time', durationWords(meanSeconds * 1000)),
      ]}</tr>`,
  );
  const table = markup`${columnHeads(heads, numberHeads)}<tbody>${rows}</tbody>`;
  return markup`${wide('Table of runs', table)}<p class="note">Steps and time are averages over all tasks.</p>`;
}

/**
 * One mark per task: filled if resolved, round for the first run and square for the second. The table has the same
 * information and links for people who cannot see it or have no mouse.
 */
function spread({ evaluations, linkTo }: Reported): Markup {
  const all = evaluations.flatMap(({ results }) => results);
  const mostSteps = Math.max(1, ...all.map(({ steps }) => steps));
  const mostSeconds = Math.max(0.1, ...all.map(({ seconds }) => seconds));
  const marks = evaluations.flatMap((evaluation, run) =>
    evaluation.results.map((result) => {
      const { id, steps, seconds, resolved } = result;
      const place = `left:${percent(seconds / mostSeconds)};bottom:${percent(steps / mostSteps)}`;
      const form = `${run === 0 ? 'round' : 'square'} ${resolved === true ? 'good filled' : 'bad'}`;
      const who = evaluations.length > 1 ? ` in ${evaluationName(evaluation)}` : '';
      const words = `${id}${who}: ${counted(steps, 'step')}, ${durationWords(seconds * 1000)}`;
      const link = linkTo?.(run, result);
      const attributes = markup`class="mark-of-task ${form}" style="${place}" title="${attributeText(words)}"`;
      return link === undefined
        ? markup`<span ${attributes}></span>`
        : markup`<a ${attributes} href="${attributeText(link)}" tabindex="-1"></a>`;
    }),
  );
  const [first, second] = evaluations.map(evaluationName);
  const shapes = second === undefined ? '' : `Circles are ${first!}, squares are ${second}. `;
  const upwards = markup`<span class="up">${counted(mostSteps, 'step')}</span>`;
  const across = markup`<span class="from">0</span><span class="to">${durationWords(mostSeconds * 1000)}</span>`;
  const plot = markup`<div class="plot">${upwards}<div class="marks">${marks}</div>${across}</div>`;
  const caption = `${shapes}Filled marks are resolved tasks. Click a mark to open its run.`;
  return markup`<figure aria-hidden="true">${plot}<figcaption>${caption}</figcaption></figure>`;
}

const linked = (words: string, link: string | undefined): Markup =>
  link === undefined ? markup`${words}` : markup`<a href="${attributeText(link)}">${words}</a>`;

const costWords = ({ cost }: TaskResult): string => (cost === null ? '' : dollars(cost));

function taskTable({ evaluations: [evaluation], linkTo }: Reported): Markup {
  const heads = ['Task', 'Result', 'Checks', 'Steps', 'Time', 'Cost'];
  const rows = (evaluation?.results ?? []).map((result) => {
    const figures = [
      number('Steps', String(result.steps)),
      number('Time', durationWords(result.seconds * 1000)),
      number('Cost', costWords(result)),
    ];
    const head = markup`<th scope="row">${linked(result.id, linkTo?.(0, result))}</th>`;
    const cells = markup`<td>${verdict(result)}${whyNot(result)}</td><td>${checksOf(result)}</td>`;
    return markup`<tr>${head}${cells}${figures}</tr>\n`;
  });
  return wide('Table of tasks', markup`${columnHeads(heads, numberHeads)}<tbody>${rows}</tbody>`);
}

/** Results of two runs for each task, side by side. */
function pairTable({ evaluations, linkTo }: Reported): Markup {
  const names = evaluations.map(evaluationName);
  const found = evaluations.map(({ results }) => new Map(results.map((result) => [result.id, result])));
  const ids = new Set(evaluations.flatMap(({ results }) => results.map(({ id }) => id)));
  const rows = [...ids].map((id) => {
    const pair = found.map((results) => results.get(id));
    const cells = pair.map((result, run) => pairCell(names[run]!, result, result && linkTo?.(run, result)));
    return markup`<tr><th scope="row">${id}${onlyIn(pair, names)}</th>${cells}</tr>\n`;
  });
  return wide('Table of tasks', markup`${columnHeads(['Task', ...names], new Set())}<tbody>${rows}</tbody>`);
}

function pairCell(name: string, result: TaskResult | undefined, link: string | undefined): Markup {
  if (!result) return markup`<td class="plain" data-head="${attributeText(name)}">Not in this run</td>`;
  const figures = [counted(result.steps, 'step'), durationWords(result.seconds * 1000), costWords(result)];
  const line = markup`<div class="figures">${figures.filter((figure) => figure !== '').join(' · ')}</div>`;
  const content = [verdict(result, link), line, whyNot(result), checksOf(result)];
  return markup`<td data-head="${attributeText(name)}">${content}</td>`;
}

/** Text for a task that only one of the two runs solved. */
function onlyIn([first, second]: readonly (TaskResult | undefined)[], names: readonly string[]): Markup | undefined {
  if (first?.resolved === undefined || second?.resolved === undefined || first.resolved === second.resolved)
    return undefined;
  const words = `Only ${names[first.resolved ? 0 : 1]!}`;
  return markup` <span class="only" title="${attributeText(words)}">${words}</span>`;
}

function verdict({ resolved, status }: TaskResult, link?: string): Markup {
  const ending = status === 'done' ? '' : ` (${status})`;
  if (resolved === true) return markup`<span class="good">${linked('✓ Resolved', link)}</span>`;
  if (resolved === false) return markup`<span class="bad">${linked(`✗ Not resolved${ending}`, link)}</span>`;
  return markup`<span class="plain">${linked(`Not counted${ending}`, link)}</span>`;
}

const whyNot = ({ reason }: TaskResult): Markup | false => reason !== '' && markup`<div class="reason">${reason}</div>`;

const checkLine = ({ test, before, after }: CheckResult): Markup =>
  markup`<li><code>${test}</code> ${before} → ${after}</li>`;

/** SWE-bench instances can have thousands of checks. */
function checksOf({ checks = [] }: TaskResult): Markup | undefined {
  if (checks.length === 0) return undefined;
  const passed = checks.filter(({ after }) => after === 'pass').length;
  const summary = `${passed} of ${counted(checks.length, 'check')} passed`;
  return markup`<details><summary>${summary}</summary><ul>${checks.map(checkLine)}</ul></details>`;
}

const styles = `
.report {
  max-width: 70rem;
  margin: 0 auto;
  padding: 2.5rem 1.5rem 4rem;
}
section {
  margin: 2.2rem 0 0;
}
.note,
figcaption,
.figures {
  color: var(--soft);
  font-size: 0.82rem;
}
.note {
  margin: 0.5rem 0 0;
}
.share {
  display: grid;
  grid-template-columns: minmax(4rem, 11rem) minmax(6rem, 1fr) minmax(7rem, auto);
  gap: 0 0.9rem;
  align-items: center;
  padding: 0.25rem 0;
}
.share .name {
  overflow-wrap: anywhere;
}
.share .value {
  font-variant-numeric: tabular-nums;
  white-space: nowrap;
}
.track {
  position: relative;
  height: 1.15rem;
  border-radius: 4px;
  background: repeating-linear-gradient(to right, var(--line) 0 1px, transparent 1px 25%), var(--card);
  box-shadow: inset 0 0 0 1px var(--line);
}
.bar {
  position: absolute;
  inset: 0 auto 0 0;
  border-radius: 4px 0 0 4px;
  background: var(--mark);
  opacity: 0.55;
}
.interval {
  position: absolute;
  top: calc(50% - 1px);
  height: 2px;
  background: var(--text);
}
.interval::before,
.interval::after {
  content: "";
  position: absolute;
  top: -3px;
  height: 8px;
  border-left: 2px solid var(--text);
}
.interval::before {
  left: 0;
}
.interval::after {
  right: 0;
}
.axis {
  background: none;
  box-shadow: none;
  color: var(--soft);
  font-size: 0.75rem;
}
.axis span {
  position: absolute;
  transform: translateX(-50%);
}
.axis span:first-child {
  transform: none;
}
.axis span:last-child {
  transform: translateX(-100%);
}
figure {
  margin: 0;
}
.plot {
  position: relative;
  height: 15rem;
  padding: 1.6rem 0.6rem 1.6rem;
  color: var(--soft);
  font-size: 0.75rem;
  font-variant-numeric: tabular-nums;
}
.marks {
  position: relative;
  height: 100%;
  border-left: 1px solid var(--trail);
  border-bottom: 1px solid var(--trail);
}
.plot > span {
  position: absolute;
}
.plot .up {
  top: 0;
  left: 0.6rem;
}
.plot .from {
  bottom: 0;
  left: 0.6rem;
}
.plot .to {
  bottom: 0;
  right: 0.6rem;
}
.mark-of-task {
  position: absolute;
  width: 12px;
  height: 12px;
  margin: 0 0 -6px -6px;
  border: 2px solid currentColor;
}
.mark-of-task.filled {
  background: color-mix(in srgb, currentColor 60%, transparent);
}
.mark-of-task:hover {
  outline: 2px solid var(--text);
  z-index: 1;
}
.round {
  border-radius: 50%;
}
.wide {
  overflow-x: auto;
  border: 1px solid var(--line);
  border-radius: 10px;
  background: var(--card);
}
table {
  border-collapse: collapse;
  width: 100%;
}
th,
td {
  text-align: left;
  vertical-align: top;
  padding: 0.55rem 0.9rem;
  border-top: 1px solid var(--line);
}
thead th {
  border-top: 0;
  color: var(--soft);
  font-size: 0.78rem;
  font-weight: 600;
  white-space: nowrap;
}
tbody th {
  font-weight: 600;
  min-width: 8rem;
  max-width: 16rem;
  overflow-wrap: anywhere;
}
@media (min-width: 60rem) {
  tbody th {
    min-width: 15rem;
  }
}
td {
  min-width: 5rem;
}
.number {
  text-align: right;
  white-space: nowrap;
  font-variant-numeric: tabular-nums;
}
.reason {
  color: var(--soft);
  font-size: 0.82rem;
  overflow-wrap: anywhere;
}
.only {
  display: inline-block;
  max-width: 100%;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
  vertical-align: bottom;
  border: 1px solid var(--mark);
  border-radius: 99px;
  color: var(--mark);
  font-size: 0.75rem;
  padding: 0 0.5rem;
}
details {
  font-size: 0.85rem;
}
summary {
  cursor: pointer;
  white-space: nowrap;
}
details ul {
  margin: 0.3rem 0 0;
  padding-left: 1.1rem;
}
details code {
  overflow-wrap: anywhere;
}
footer {
  margin-top: 2.5rem;
}
@media (max-width: 40rem) {
  .report {
    padding: 1.2rem 0.9rem 2rem;
  }
  .share {
    grid-template-columns: minmax(0, 1fr) auto;
  }
  .share .track {
    grid-area: 2 / 1 / auto / -1;
  }
  thead {
    display: none;
  }
  table,
  tbody,
  tr,
  tbody th,
  td {
    display: block;
    max-width: none;
    border: 0;
    padding: 0;
  }
  tr {
    padding: 0.6rem 0.8rem;
  }
  tr + tr {
    border-top: 1px solid var(--line);
  }
  td[data-head]::before {
    content: attr(data-head);
    display: block;
    margin-top: 0.3rem;
    color: var(--soft);
    font-size: 0.78rem;
  }
  td.number {
    display: inline-block;
    min-width: 5rem;
    text-align: left;
  }
  td:empty {
    display: none;
  }
}
@media print {
  details::details-content {
    content-visibility: visible;
    display: block;
    block-size: auto;
  }
  .report {
    padding: 0;
    max-width: none;
  }
  .bar,
  .mark-of-task {
    print-color-adjust: exact;
  }
}
`;
