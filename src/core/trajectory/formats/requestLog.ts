import type { ReadTrajectory, TrajectoryFile, TrajectoryFormat } from '../format';
import { readChat, readMessage, type ReplyFacts } from '../reading/chatMessages';
import { firstIn, valuesIn } from '../reading/fileValues';
import { type JsonObject } from '../reading/json';
import { LogBuilder } from '../reading/logBuilder';
import { isRequestRecord, requestRecord, type RecordedAnswer } from '../reading/requestRecord';
import { isRecord } from '../../text/parseJson';

const name = 'request-log';

/**
 * Requests with the model's answers, one per line or in a list: logs of LiteLLM and other proxies, input and output of
 * batches. Each request is a run.
 */
export const requestLog: TrajectoryFormat = {
  name,
  label: 'Request log (LiteLLM, OpenAI batch)',
  extension: '',
  reader: { recognises, read: (files, { run = 0 } = {}) => read(files[0], run) },
};

function recognises(file: TrajectoryFile): boolean {
  const value = firstIn(file);
  return Array.isArray(value) ? value.some(isRequestRecord) : isRequestRecord(value);
}

interface Placed {
  readonly where: string;
  readonly record: JsonObject;
}

function read(file: TrajectoryFile | undefined, run: number): ReadTrajectory {
  const builder = new LogBuilder();
  const records = recordsIn(file, builder);
  const chosen = records[run];
  if (!chosen) {
    builder.problem(
      file?.path ?? '',
      records.length === 0
        ? 'No request can be read in it.'
        : `It contains ${records.length} requests, so there is no request ${run + 1}.`,
    );
    return { events: [], problems: builder.problems, runs: records.length };
  }
  readRecord(chosen, builder);
  return { events: builder.events, problems: builder.problems, runs: records.length };
}

function recordsIn(file: TrajectoryFile | undefined, builder: LogBuilder): Placed[] {
  const { values, problems } = file ? valuesIn(file) : { values: [], problems: [] };
  builder.problems.push(...problems.map(({ where, words }) => ({ where: where || file!.path, words })));
  const all = values.flatMap(({ where, value }) => {
    if (!Array.isArray(value)) return [{ where, value }];
    return value.map((each: unknown, index) => ({ where: `[${index}]`, value: each }));
  });
  return all.flatMap(({ where, value }): Placed[] => {
    if (isRecord(value) && isRequestRecord(value)) return [{ where, record: value }];
    builder.problem(where || file!.path, 'It contains neither a request nor an answer, so it is skipped.');
    return [];
  });
}

function readRecord({ where, record }: Placed, builder: LogBuilder): void {
  const {
    messages,
    answer,
    failure,
    usage,
    model = '',
    durationMs,
    at,
    system,
    tools,
    where: field,
  } = requestRecord(record);
  const place = (inside: string): string => [where, inside].filter(Boolean).join(', ');
  readChat(messages, { where: place(field), origin: name, systemPrompt: system, model, at, tools }, builder);
  if (answer) {
    if (messages.length === 0) builder.problem(where, 'It contains only the answer, not the request.');
    readAnswer(
      answer,
      { usage, model, durationMs: durationMs ?? 0, finishReason: answer.finishReason ?? '' },
      place(answer.where),
      builder,
    );
  }
  if (failure !== undefined) builder.append({ type: 'finished', status: 'failed', summary: failure, cause: 'model' });
  if (messages.length === 0 && !answer && failure === undefined) {
    const words =
      'It contains neither messages nor an answer. The program that wrote the log may be configured to omit them.';
    builder.problem(where, words);
    builder.append({ type: 'notice', level: 'warning', text: words });
  } else if (!answer && failure === undefined) builder.problem(where, 'It contains no answer of the model.');
}

function readAnswer(
  { message, output, choices }: RecordedAnswer,
  facts: ReplyFacts,
  where: string,
  builder: LogBuilder,
): void {
  if (choices > 1) builder.problem(where, `It contains ${choices} answers. The first one is shown.`);
  if (message) return void readMessage(message, where, builder, facts);
  if (!output) return;
  for (const { index, kind } of output.unknown)
    builder.problem(`${where}.output[${index}]`, `The item kind "${kind}" is unknown, so the item is skipped.`);
  builder.reply({
    ...facts,
    text: output.text,
    calls: output.calls,
    ...(output.thoughts !== '' && { reasoning: { text: output.thoughts } }),
  });
}
