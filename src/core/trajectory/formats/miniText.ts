import type { Action, EventOf } from '../../../protocol/events/event';
import { fencedFormat, taggedFormat } from '../../model/formats/oneCommand';
import type { Proposal } from '../../ports/replyFormat';
import { submittedAfter } from '../../text/pythonBlanks';
import { argumentsOf } from '../exportParts';
import { unknownUsage } from '../../log/spending';
import { textIn, type JsonObject } from '../reading/json';
import type { Result } from '../turns';
import { commandOfInput } from '../../../protocol/plain/commandOfInput';

export const markers = ['COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT', 'MINI_SWE_AGENT_FINAL_OUTPUT'];

/** Returns an action as a shell command. Calls of other tools are written with their arguments. */
export const commandOfAction = (action: Action): string =>
  commandOfInput(action.input) ?? `${action.tool} ${argumentsOf(action)}`;

const formats = [
  fencedFormat('mswea_bash_command', 'bash'),
  taggedFormat('mswea_bash_command', 'bash'),
  fencedFormat('bash', 'bash'),
];

/** Parses a text in each of mini-swe-agent's command syntaxes. */
const readings = (text: string): Proposal[] =>
  formats.map((format) =>
    format.read({ text, toolCalls: [], usage: unknownUsage, finishReason: 'stop', model: '', firstTokenMs: null }),
  );

/** Returns the one command in a text, in any of mini-swe-agent's syntaxes, or undefined unless there is exactly one. */
export const commandIn = (text: string): Proposal | undefined =>
  readings(text).find(({ groups }) => groups.length === 1);

/** Returns every command in a text in any of these syntaxes, even if there are too many to run. */
export function commandsWritten(text: string): string[] {
  const all = readings(text);
  const only = all.find(({ groups }) => groups.length === 1);
  const calls: readonly { readonly input?: unknown }[] = only
    ? only.groups.flat()
    : (all.map(({ unreadCalls = [] }) => unreadCalls as { input?: unknown }[]).find(({ length }) => length > 0) ?? []);
  return calls.flatMap(({ input }) => textIn(input, 'command') ?? []);
}

/** Returns the output of the program without the surrounding text. */
function outputOf({ content, details }: EventOf<'observation'>): string {
  return details?.kind === 'command' ? content.slice(0, details.outputCharacters ?? content.length) : content;
}

export const wasSubmittedBy = ({ observation }: Result, submission: string): boolean =>
  observation?.outcome === 'ok' &&
  observation.details?.kind === 'command' &&
  submittedAfter(markers, outputOf(observation)) === submission;

/** Returns the fields that mini-swe-agent stores beside the result that the model reads. */
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
    case 'ok':
    case 'error': {
      const otherCode = outcome === 'ok' ? 0 : 1;
      const returncode = details?.kind === 'command' ? (details.exitCode ?? -1) : otherCode;
      return { raw_output: raw, returncode, exception_info: '' };
    }
  }
}

/** Reads these fields: how an action ended and what it printed. `content` is the text that the model read. */
export function readObservation(
  extra: JsonObject | undefined,
  content: string,
): Omit<EventOf<'observation'>, 'seq' | 'at' | 'type' | 'actionId'> {
  const { returncode, exception_info: exception, exception_type: type, raw_output: raw } = extra ?? asTags(content);
  const code = typeof returncode === 'number' ? returncode : undefined;
  const outcome = outcomeOf(type, String(exception ?? ''), code);
  if (typeof raw !== 'string' || code === undefined) return { outcome, content };
  return {
    outcome,
    content: raw,
    ...(raw !== content && { worded: content }),
    ...((outcome === 'ok' || outcome === 'error' || outcome === 'timeout') && {
      details: {
        kind: 'command',
        end: outcome === 'timeout' ? 'timed_out' : 'exited',
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

function outcomeOf(type: unknown, exception: string, code: number | undefined): EventOf<'observation'>['outcome'] {
  if (type === 'TimeoutExpired' || /timed? ?out/i.test(exception)) return 'timeout';
  if (type === 'rejected' || type === 'interrupted' || type === 'unknown') return type;
  if (type === 'skipped' || /not executed/i.test(exception)) return 'skipped';
  return code === undefined || code === 0 ? 'ok' : 'error';
}

/** Returns the text between the output tags of a result, or undefined if they are not closed. */
function outputIn(content: string): string | undefined {
  const [, output, end] = /<output>\n?([\s\S]*?)(<\/output>|$)/.exec(content) ?? [];
  return end === '' ? undefined : output;
}

/** Version 1 stores the result only as the model reads it. */
function asTags(content: string): JsonObject {
  const code = /^\s*<returncode>(-?\d+)<\/returncode>/.exec(content)?.[1];
  const output = outputIn(content);
  return {
    ...(code !== undefined && { returncode: Number(code) }),
    ...(output !== undefined && { raw_output: output }),
  };
}
