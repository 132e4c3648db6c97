import type { Details, FileChange } from '../../src/protocol/events/details';
import { formatBytes, formatDuration } from '../base/format';
import type { Step } from '../state/rows';
import { shellCommandOf } from '../base/summary';
import { counted, text, type TextKey } from '../base/text';

/** A step on one line. The text also conveys `tone`. */
export interface Line {
  readonly verb: string;
  readonly target: string;
  readonly code?: boolean;
  readonly meta?: string | undefined;
  readonly added?: number;
  readonly removed?: number;
  readonly tone: 'plain' | 'running' | 'waiting' | 'bad' | 'warn';
  /** When it began, in milliseconds since the epoch. Set while it runs. */
  readonly since?: number;
}

const editVerbs = { created: 'step.created', modified: 'step.edited', deleted: 'step.deleted' } as const;

/** `running`: the loop is running here. If it is not, unfinished actions are not shown as running. */
export function lineOf(step: Step, { running }: { readonly running: boolean }): Line {
  const seen = step.observation;
  const command = shellCommandOf(step.action);
  if (!seen) {
    if (!step.started) return { ...splitSummary(step, command), meta: text('step.waiting'), tone: 'waiting' };
    return running
      ? { ...splitSummary(step, command), tone: 'running', since: step.started.at }
      : { ...splitSummary(step, command), meta: text('step.outcome.unknown'), tone: 'warn' };
  }
  // The person's own command is the next row.
  if (editedCommand(step) !== undefined)
    return { ...splitSummary(step, command), meta: text('step.changedByYou'), tone: 'plain' };
  if (step.action.problem !== undefined)
    return {
      ...{ verb: text('step.invalidCall'), target: step.action.tool, code: true },
      ...{ meta: text('step.end.not_run'), tone: 'bad' },
    };
  if (seen.outcome !== 'ok' && seen.details?.kind !== 'command') {
    const bad = seen.outcome === 'error' || seen.outcome === 'timeout';
    return { ...splitSummary(step, command), meta: text(`step.outcome.${seen.outcome}`), tone: bad ? 'bad' : 'warn' };
  }
  return seen.details
    ? { ...detailed(seen.details, step, command) }
    : { ...splitSummary(step, command), tone: 'plain' };
}

/** Command that the person chose instead of this one. */
export const editedCommand = ({ action, decision }: Step): string | undefined => decision?.edited?.[action.id];

/** The lines that a change added and removed; none for a move that keeps the text. */
const countsOf = ({ added, removed }: FileChange): Pick<Line, 'added' | 'removed'> =>
  added + removed > 0 ? { added, removed } : {};

/** Splits "Run npm test" into the verb and its object. */
function splitSummary(step: Step, command: string | undefined): Pick<Line, 'verb' | 'target' | 'code'> {
  const [verb = '', ...rest] = step.action.summary.split(' ');
  const target = rest.join(' ');
  return command !== undefined ? { verb, target: oneLine(command), code: true } : { verb, target };
}

const oneLine = (words: string): string =>
  words.trim().replace(/\s+/g, (blank) => (blank.includes('\n') ? ' ↵ ' : blank));

function detailed(details: Details, step: Step, command: string | undefined): Line {
  const tone = 'plain';
  switch (details.kind) {
    case 'read':
      return { verb: text('step.read'), target: details.path, meta: rangeOf(details), tone };
    case 'page':
      return { verb: text('step.fetched'), target: details.address, meta: formatBytes(details.bytes), tone };
    case 'list':
      return {
        verb: text('step.listed'),
        target: details.path,
        meta: counted('step.entries', details.entries) + more(details.truncated),
        tone,
      };
    case 'search':
      return {
        verb: text('step.searched'),
        target: `“${details.query}”`,
        meta: counted('step.files', details.files) + more(details.truncated),
        tone,
      };
    case 'edit':
      return editLine(details);
    case 'command':
      return commandLine(details, step, command);
    case 'todo':
      return {
        verb: text('step.todo'),
        target: details.items.find((item) => item.state === 'active')?.text ?? '',
        meta: text('step.done', {
          done: details.items.filter((item) => item.state === 'done').length,
          total: details.items.length,
        }),
        tone,
      };
    case 'tools':
      return {
        verb: text('step.foundTools'),
        target: `“${details.query}”`,
        meta: counted('step.tools', details.found.length),
        tone,
      };
    case 'answer':
      return { verb: text('step.asked'), target: step.question?.question ?? step.action.summary, tone };
    case 'delegate':
      return delegateLine(details, step, command);
    case 'note':
      return { verb: text('step.noted'), target: details.text.split('\n', 1)[0]!, tone };
  }
}

type DetailsOf<Kind extends Details['kind']> = Extract<Details, { readonly kind: Kind }>;

function editLine({ changes, held }: DetailsOf<'edit'>): Line {
  const tone = 'plain';
  const only = changes.length === 1 ? changes[0] : undefined;
  if (only?.from !== undefined && !held)
    return { verb: text('step.moved'), target: `${only.from} → ${only.path}`, ...countsOf(only), tone };
  const verb = text(held ? 'step.proposed' : editVerbs[only?.kind ?? 'modified']);
  const target = only ? only.path : counted('step.files', changes.length);
  return { verb, target, added: total(changes, 'added'), removed: total(changes, 'removed'), tone };
}

function commandLine(details: DetailsOf<'command'>, step: Step, command: string | undefined): Line {
  const end = describeCommandEnd(details);
  const how = details.sandbox === 'outside' ? `${text('step.outside')} · ${end}` : end;
  const failedTone = details.exitCode === null ? 'warn' : 'bad';
  return {
    verb: text(step.reply.by === 'person' ? 'step.youRan' : 'step.ran'),
    target: oneLine(command ?? step.action.summary),
    code: true,
    meta: details.durationMs < 50 ? how : `${how} · ${formatDuration(details.durationMs)}`,
    tone: details.exitCode === 0 ? 'plain' : failedTone,
  };
}

function delegateLine({ children, edges }: DetailsOf<'delegate'>, step: Step, command: string | undefined): Line {
  const done = children.filter(({ status }) => status === 'submitted' || status === 'answered').length;
  const own = splitSummary(step, command);
  const startedTone = done < children.length ? 'warn' : 'plain';
  return {
    ...own,
    verb: step.action.effect === 'delegates' ? text(edges ? 'step.solved' : 'step.delegated') : own.verb,
    meta: text('step.done', { done, total: children.length }),
    tone: done === 0 ? 'bad' : startedTone,
  };
}

/** Formats which lines or pages of a file were read. */
function rangeOf({ fromLine, toLine, totalLines, of }: DetailsOf<'read'>): string {
  const numbers = { from: fromLine, to: toLine, total: totalLines };
  if (of === 'picture') return text('step.picture');
  if (of === 'pages') return text('step.pages', numbers);
  const whole = fromLine <= 1 && toLine >= totalLines;
  return whole ? counted('step.allLines', totalLines) : text('step.lines', numbers);
}

/** Returns "exit 1", or a description of what else ended the command. */
export function describeCommandEnd({
  end,
  exitCode,
}: {
  readonly end: string;
  readonly exitCode: number | null;
}): string {
  if (end === 'exited') return text('step.exit', { code: exitCode ?? text('unknown') });
  const words = text(`step.end.${end}` as TextKey);
  return exitCode === null ? words : `${text('step.exit', { code: exitCode })} · ${words}`;
}

const more = (truncated: boolean): string => (truncated ? text('step.more') : '');
const total = (changes: readonly { added: number; removed: number }[], part: 'added' | 'removed'): number =>
  changes.reduce((sum, change) => sum + change[part], 0);
