import type { Action, EventOf } from '../../../protocol/events/event';
import { fencedFormat } from '../../model/formats/fenced';
import { taggedFormat } from '../../model/formats/tagged';
import type { Proposal } from '../../ports/replyFormat';
import { submittedAfter } from '../../text/submittedAfter';
import { argumentsOf } from '../writing';
import { unknownUsage } from '../reading/logBuilder';
import { textIn, type JsonObject } from '../reading/json';
import { commandOf, type Result } from '../turns';

export const markers = ['COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT', 'MINI_SWE_AGENT_FINAL_OUTPUT'];

/** An action as a command; a call of another tool with its arguments. */
export const commandFor = (action: Action): string => commandOf(action) ?? `${action.tool} ${argumentsOf(action)}`;

const formats = [
  fencedFormat('mswea_bash_command', 'bash'),
  taggedFormat('mswea_bash_command', 'bash'),
  fencedFormat('bash', 'bash'),
];

/** A text as each way of mini-swe-agent to write commands reads it. */
const readings = (text: string): Proposal[] =>
  formats.map((format) =>
    format.read({ text, toolCalls: [], usage: unknownUsage, finishReason: 'stop', model: '', firstTokenMs: null }),
  );

/**
 * The one command that a text holds, in a way that mini-swe-agent writes it; undefined where there is not exactly one.
 */
export const commandIn = (text: string): Proposal | undefined =>
  readings(text).find(({ groups }) => groups.length === 1);

/** Every command that a text holds in one of these ways, also where there are too many to be run. */
export function commandsWritten(text: string): string[] {
  const all = readings(text);
  const only = all.find(({ groups }) => groups.length === 1);
  const calls: readonly { readonly input?: unknown }[] = only
    ? only.groups.flat()
    : (all.map(({ unreadCalls = [] }) => unreadCalls as { input?: unknown }[]).find(({ length }) => length > 0) ?? []);
  return calls.flatMap(({ input }) => textIn(input, 'command') ?? []);
}

/** What the program printed, without the words around it. */
function outputOf({ content, details }: EventOf<'observation'>): string {
  return details?.kind === 'command' ? content.slice(0, details.outputCharacters ?? content.length) : content;
}

export const wasSubmittedBy = ({ observation }: Result, submission: string): boolean =>
  observation?.outcome === 'ok' &&
  observation.details?.kind === 'command' &&
  submittedAfter(markers, outputOf(observation)) === submission;

/** What mini-swe-agent keeps beside the result that the model reads. */
export function observationExtra(observation: EventOf<'observation'> | undefined): JsonObject {
  if (!observation) return { raw_output: '', returncode: -1, exception_info: 'action was not executed' };
  const { outcome, details } = observation;
  const raw = outputOf(observation);
  switch (outcome) {
    case 'timeout':
      return {
        raw_output: raw,
        returncode: -1,
        exception_info: 'The command ran out of time.',
        exception_type: 'TimeoutExpired',
      };
    case 'interrupted':
      return {
        raw_output: raw,
        returncode: -1,
        exception_info: 'The command was interrupted while it ran.',
        exception_type: outcome,
      };
    case 'rejected':
    case 'skipped':
    case 'unknown':
      return { raw_output: raw, returncode: -1, exception_info: 'action was not executed', exception_type: outcome };
    default:
      return {
        raw_output: raw,
        returncode: details?.kind === 'command' ? (details.exitCode ?? -1) : outcome === 'ok' ? 0 : 1,
        exception_info: '',
      };
  }
}

/** The same, read: how an action ended, and what it printed. `content` is what the model read. */
export function readObservation(
  extra: JsonObject | undefined,
  content: string,
): Omit<EventOf<'observation'>, 'seq' | 'at' | 'type' | 'actionId'> {
  const { returncode, exception_info: exception, exception_type: type, raw_output: raw } = extra ?? asTags(content);
  const code = typeof returncode === 'number' ? returncode : undefined;
  const outcome =
    type === 'TimeoutExpired' || /timed? ?out/i.test(String(exception ?? ''))
      ? 'timeout'
      : type === 'rejected' || type === 'interrupted' || type === 'unknown'
        ? type
        : type === 'skipped' || /not executed/i.test(String(exception ?? ''))
          ? 'skipped'
          : code === undefined || code === 0
            ? 'ok'
            : 'error';
  if (typeof raw !== 'string' || code === undefined) return { outcome, content };
  const end = outcome === 'timeout' ? 'timed_out' : outcome === 'interrupted' ? 'interrupted' : 'exited';
  return {
    outcome,
    content: raw,
    ...(raw !== content && { worded: content }),
    ...((outcome === 'ok' || outcome === 'error' || outcome === 'timeout') && {
      details: {
        kind: 'command',
        end,
        exitCode: outcome === 'timeout' ? null : code,
        durationMs: 0,
        cwd: '',
        tty: false,
        outputBytes: raw.length,
        outputCharacters: raw.length,
      },
    }),
  };
}

/** What the result says between the tags of its output; undefined where they are not closed. */
function outputIn(content: string): string | undefined {
  const [, output, end] = /<output>\n?([\s\S]*?)(<\/output>|$)/.exec(content) ?? [];
  return end === '' ? undefined : output;
}

/** Version 1 keeps the result only as the model reads it. */
function asTags(content: string): JsonObject {
  const code = /^\s*<returncode>(-?\d+)<\/returncode>/.exec(content)?.[1];
  const output = outputIn(content);
  return {
    ...(code !== undefined && { returncode: Number(code) }),
    ...(output !== undefined && { raw_output: output }),
  };
}
