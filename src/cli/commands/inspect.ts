import { maskedHistory } from '../../core/trajectory/maskedHistory';
import { readProblemLine } from '../../core/trajectory/format';
import { turnsOf, type Result } from '../../core/trajectory/turns';
import { runFacts } from '../../core/trajectory/runFacts';
import { stepsOf } from '../../core/trajectory/steps';
import { argumentsOf } from '../../core/trajectory/exportParts';
import { counted, durationWords } from '../../core/text/amounts';
import type { History } from '../../core/log/projection';
import type { StepRow } from '../../protocol/inspector/inspector';
import { openRun } from './openRun';
import { stderr, stdout } from '../output/output';
import { escapeForTerminal } from '../output/escapeForTerminal';
import type { ExitCode } from '../output/exitCodes';
import { dollars, tokenCount } from '../../protocol/plain/amounts';
import { commandOfInput } from '../../protocol/plain/commandOfInput';

/** Flags of `waymark inspect`. */
export interface InspectOptions {
  readonly json?: boolean;
  /** From 1. */
  readonly step?: number;
  /** Number of the run in a file with several runs, from 1. */
  readonly run?: number;
}

/**
 * Shows a run in the terminal: a summary and its steps, or one complete step. Resolves to the exit code. Rejects with
 * an `Error` with a message for people if that is impossible.
 */
export async function inspect(
  named: string,
  { json = false, step, run = 1 }: InspectOptions,
): Promise<ExitCode<'inspect'>> {
  const opened = await openRun(named, run - 1);
  const { format, place, problems, runs = 1, id } = opened;
  const history = maskedHistory(opened.events);
  const facts = runFacts(history);
  const { rows } = stepsOf(history);
  if (step !== undefined && !rows.some(({ number }) => number === step))
    throw new Error(`There is no step ${step}; the run has ${counted(facts.spent.steps, 'step')}.`);
  if (step !== undefined)
    for (const problem of problems) stderr.write(`${escapeForTerminal(readProblemLine(problem))}\n`);
  if (json) {
    const value =
      step === undefined
        ? { id, format: format.name, place, ...facts, runs, problems, steps: rows }
        : stepJson(history, rows, step);
    stdout.write(`${JSON.stringify(value)}\n`);
    return 0;
  }
  const lines =
    step === undefined
      ? [
          ...header(format.label, facts, runs, run),
          '',
          `${'step'.padStart(4)}   ${'time'.padStart(10)} ${'tokens'.padStart(6)} ${'cost'.padStart(8)}  what`,
          ...rows.map(rowLine),
          ...(problems.length > 0
            ? ['', 'Unreadable or uncertain', ...problems.map((problem) => `  ${readProblemLine(problem)}`)]
            : []),
        ]
      : wholeStep(history, rows, step);
  stdout.write(`${lines.map(escapeForTerminal).join('\n')}\n`);
  return 0;
}

function header(
  label: string,
  { title, model, profile, spent, durationMs, end }: ReturnType<typeof runFacts>,
  runs: number,
  run: number,
): string[] {
  const tokens =
    spent.inputTokens === null ? undefined : `${tokenCount(spent.inputTokens + (spent.outputTokens ?? 0))} tokens`;
  const how = [label, model, profile && `profile ${profile}`, runs > 1 && `run ${run} of ${runs}`]
    .filter(Boolean)
    .join(' · ');
  const used = [
    counted(spent.steps, 'step'),
    tokens,
    spent.cost !== null && dollars(spent.cost),
    durationMs > 0 && durationWords(durationMs),
  ]
    .filter(Boolean)
    .join(', ');
  return [title || 'Untitled run', how, used, ...(end ? [`${endings[end.status]}: ${firstLine(end.summary)}`] : [])];
}

const endings = { submitted: 'Done', limit_exceeded: 'Limit reached', failed: 'Failed', stopped: 'Stopped' } as const;
const firstLine = (text: string): string => text.trim().split('\n')[0] ?? '';

function markOf(outcome: StepRow['outcome'], tags: StepRow['tags']): string {
  if (tags.includes('error')) return '✗';
  if (outcome === 'open') return '…';
  return outcome === undefined ? '✓' : '✗';
}

/** "  12  ✗  4.1 s  12k  $0.02  npm test (exit 1)" */
function rowLine({ number, kind, line, outcome, tags, durationMs, tokens, cost, exitCode }: StepRow): string {
  const cells = [
    (number === undefined ? '·' : String(number)).padStart(4),
    kind === 'step' ? markOf(outcome, tags) : ' ',
    (durationMs === undefined || durationMs < 1 ? '' : durationWords(durationMs)).padStart(10),
    (tokens === undefined || tokens === null ? '' : tokenCount(tokens)).padStart(6),
    (cost === undefined || cost === null ? '' : dollars(cost)).padStart(8),
  ];
  const what = kind === 'step' ? '' : `${kind}: `;
  const exit = exitCode ? ` (exit code ${exitCode})` : '';
  return `${cells.join(' ')}  ${what}${line || '(empty)'}${exit}`.trimEnd();
}

const replyOf = (history: History, rows: readonly StepRow[], step: number) => {
  const seq = rows.find(({ number }) => number === step)!.seq;
  return turnsOf(history).find((turn) => turn.kind === 'reply' && turn.event.seq === seq) as Extract<
    ReturnType<typeof turnsOf>[number],
    { kind: 'reply' }
  >;
};

function stepJson(history: History, rows: readonly StepRow[], step: number): object {
  const { event, results } = replyOf(history, rows, step);
  return {
    step,
    reply: event,
    results: results.map(({ action, observation }) => ({ actionId: action.id, observation: observation ?? null })),
  };
}

function wholeStep(history: History, rows: readonly StepRow[], step: number): string[] {
  const { event, results } = replyOf(history, rows, step);
  const { usage, model, durationMs, reasoning, text, finishReason } = event;
  const used = [
    model,
    durationMs > 0 && durationWords(durationMs),
    usage.inputTokens !== null && `${tokenCount(usage.inputTokens)} in, ${tokenCount(usage.outputTokens ?? 0)} out`,
    usage.cost !== null && dollars(usage.cost),
    finishReason,
  ]
    .filter(Boolean)
    .join(' · ');
  return [
    `Step ${step}`,
    used,
    ...section('Reasoning', reasoning?.text),
    ...section('Reply', text),
    ...results.flatMap(actionLines),
  ];
}

function actionLines({ action, observation }: Result): string[] {
  const { summary, tool, risk } = action;
  const outcome = observation
    ? `${observation.outcome}${observation.durationMs ? `, ${durationWords(observation.durationMs)}` : ''}`
    : 'no result';
  return [
    '',
    `${summary}  [${[tool, risk.level === 'unknown' ? '' : `${risk.level} risk`, outcome].filter(Boolean).join(', ')}]`,
    ...risk.reasons.map((reason) => `  ${reason}`),
    ...indentLines(commandOfInput(action.input) ?? argumentsOf(action)),
    ...section('Result', observation?.content),
  ];
}

const section = (title: string, text: string | undefined): string[] =>
  text?.trim() ? ['', title, ...indentLines(text)] : [];
const indentLines = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`);
