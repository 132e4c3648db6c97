import type { History } from '../../log/projection';
import { statusOf } from '../../log/status';
import type { ToolSchema } from '../../ports/model';
import { originalKey, unit, withForeignRemainder, type Unit } from '../foreignRemainder';
import type { ReadOptions, ReadTrajectory, TrajectoryFile, WrittenFormat } from '../format';
import { pythonRightStrip, pythonStrip } from '../../text/pythonBlanks';
import { pythonDumps, pythonQuoted } from '../pythonJson';
import { firstEvent } from '../reading/chat';
import { contentText } from '../reading/contentParts';
import { firstIn, valuesIn } from '../reading/fileValues';
import { listIn, textIn, type JsonObject } from '../reading/json';
import { LogBuilder } from '../reading/logBuilder';
import { localTime, parseTime } from '../times';
import { toolDefinitions } from '../toolDefinitions';
import { isTextual, turnsInPieces, type ReplyTurn } from '../turns';
import { argumentsOf, finishedEvent, isRead, replyText, taskStartedIn, foreignParts } from '../exportParts';
import {
  functionCallingPrompt,
  namesOfTools,
  readCallTurn,
  readGptTurn,
  readToolTurn,
  toolNamesIn,
} from './sharegptText';
import { isRecord } from '../../text/parseJson';
import { type InPieces, runToEnd } from '../../text/slices';

const name = 'sharegpt';

/** The lines that Hermes Agent saves for training, byte for byte as Python writes them. */
export const sharegpt: WrittenFormat = {
  name,
  label: 'Hermes Agent (ShareGPT)',
  extension: '.sharegpt.jsonl',
  reader: {
    recognises: (file) => {
      const value = firstIn(file);
      return (Array.isArray(value) ? (value as unknown[]) : [value]).some((each) => listIn(each, 'conversations'));
    },
    read: (files, options = {}) => read(files[0], options),
  },
  *write(history, { session }) {
    const { conversations, fields } = yield* pythonTurnsInPieces(history);
    const rest = Object.entries(fields).map(([key, value]) => `, ${pythonQuoted(key)}: ${asPython(value)}`);
    return [{ path: `${session}.sharegpt.jsonl`, text: `{"conversations": ${conversations}${rest.join('')}}\n` }];
  },
};

const asPython = (value: unknown): string => pythonDumps(JSON.stringify(value))!;

/** The turns of a run as JSON text in Python's style, and the values stored with them. */
interface PythonTurns {
  readonly conversations: string;
  readonly fields: JsonObject;
}

export const pythonTurns = (history: History): PythonTurns => runToEnd(pythonTurnsInPieces(history));

function* pythonTurnsInPieces(history: History): InPieces<PythonTurns> {
  const units = yield* foreignParts(history, name, unitsOf);
  const turns: string[] = [];
  for (const { part, value } of units) {
    if (part !== 'document') turns.push(asPython(value));
    yield;
  }
  const { conversations: _, ...fields } = units.find(({ part }) => part === 'document')?.value ?? {};
  return { conversations: `[${turns.join(', ')}]`, fields };
}

function* unitsOf(history: History): InPieces<Unit[]> {
  const started = taskStartedIn(history);
  const last = history.at(-1);
  const units = [
    unit(
      0,
      { timestamp: localTime(last?.at ?? 0), model: started?.model.name ?? '', completed: isCompleted(history) },
      'document',
    ),
  ];
  for (const turn of (yield* turnsInPieces(history)).filter(isRead)) {
    yield;
    const { seq } = turn.event;
    if (turn.kind === 'system')
      units.push(unit(seq, { from: 'system', value: functionCallingPrompt(toolsOf(history)) }, 'system'));
    // The task as the person wrote it; a profile's prompts are not part of this format.
    else if (turn.kind === 'words' && turn.event.type === 'task_started')
      units.push(unit(seq, { from: 'human', value: turn.event.task }, 'task'));
    else if (turn.kind === 'words') units.push(unit(seq, { from: 'human', value: turn.text }));
    else if (turn.kind === 'reply') units.push(...ofReply(turn));
  }
  return units;
}

/** For runs of other programs, only the names of the tools are known. */
function toolsOf(history: History): ToolSchema[] {
  const started = taskStartedIn(history);
  return started?.origin === undefined
    ? toolDefinitions(history)
    : started.tools.map((tool) => ({ name: tool, description: '', parameters: {} }));
}

/** True if the run completed: it submitted its work, or answered. */
export function isCompleted(history: History): boolean {
  const end = finishedEvent(history);
  if (end) return end.status === 'submitted';
  const reply = history.findLast((event) => event.type === 'agent_response');
  return statusOf(history) === 'idle' && reply !== undefined && reply.finishReason !== 'interrupted';
}

function ofReply(turn: ReplyTurn): Unit[] {
  const { event, results } = turn;
  const text = replyText(turn);
  if (event.by === 'person') return [unit(event.seq, { from: 'human', value: text }), ...humanUnits(turn)];
  const reasoning =
    event.reasoning && pythonStrip(event.reasoning.text) !== '' ? `<think>\n${event.reasoning.text}\n</think>\n` : '';
  const thought = text
    .replaceAll('<REASONING_SCRATCHPAD>', '<think>')
    .replaceAll('</REASONING_SCRATCHPAD>', '</think>');
  if (isTextual(turn) || results.length === 0)
    return [
      unit(event.seq, { from: 'gpt', value: pythonStrip(withThinking(reasoning + thought)) }),
      ...humanUnits(turn),
    ];
  const calls = results.map(
    ({ action }) =>
      `<tool_call>\n{"name": ${pythonQuoted(action.tool)}, "arguments": ${pythonDumps(argumentsOf(action)) ?? '{}'}}\n</tool_call>\n`,
  );
  const value = pythonRightStrip(
    withThinking(`${reasoning}${pythonStrip(thought) === '' ? '' : `${thought}\n`}${calls.join('')}`),
  );
  const responses = results.map(
    ({ action, text: content }) =>
      `<tool_response>\n{"tool_call_id": ${pythonQuoted(action.id)}, "name": ${pythonQuoted(action.tool)}, "content": ${asContent(content)}}\n</tool_response>`,
  );
  return [
    unit(event.seq, { from: 'gpt', value }),
    unit(event.seq, { from: 'tool', value: responses.join('\n') }, 'results'),
  ];
}

/** Results that the model reads as user messages. */
const humanUnits = (turn: ReplyTurn): Unit[] =>
  isTextual(turn)
    ? turn.results.map(({ text }, index) => unit(turn.event.seq, { from: 'human', value: text }, `result-${index}`))
    : [];

/** Every turn has a thinking block, even if it is empty. */
const withThinking = (text: string): string => (text.includes('<think>') ? text : `<think>\n</think>\n${text}`);

/** A result that is JSON is embedded as JSON. */
function asContent(text: string): string {
  const json = /^[{[]/.test(pythonStrip(text)) ? pythonDumps(text) : undefined;
  return json ?? pythonQuoted(text);
}

function read(file: TrajectoryFile | undefined, options: ReadOptions): ReadTrajectory {
  const builder = new LogBuilder(options);
  const { run = 0 } = options;
  const samples = samplesIn(file, builder);
  const [sample, where] = samples[run] ?? [];
  if (!sample || where === undefined) {
    builder.problem(
      file?.path ?? '',
      samples.length === 0
        ? 'No conversation can be read in it.'
        : `It contains ${samples.length} conversations, so there is no conversation ${run + 1}.`,
    );
    return { events: [], problems: builder.problems, runs: samples.length };
  }
  readSample(sample, where, builder);
  return { events: withForeignRemainder(builder, unitsOf), problems: builder.problems, runs: samples.length };
}

function samplesIn(file: TrajectoryFile | undefined, builder: LogBuilder): (readonly [JsonObject, string])[] {
  const { values, problems } = file ? valuesIn(file) : { values: [], problems: [] };
  builder.problems.push(...problems.map(({ where, words }) => ({ where: where || file!.path, words })));
  const placed = values.flatMap(({ where, value }) =>
    Array.isArray(value)
      ? (value as unknown[]).map((each, index) => [each, `[${index}]`] as const)
      : [[value, where] as const],
  );
  return placed.flatMap(([value, where]) =>
    isRecord(value) && listIn(value, 'conversations') ? [[value, where] as const] : [],
  );
}

/** Reads one conversation. Datasets store the system prompt and the tools in turns, or in separate columns. */
function readSample(sample: JsonObject, where: string, builder: LogBuilder): void {
  const turns = listIn(sample, 'conversations') ?? [];
  const { conversations: _, ...rest } = sample;
  const system = roleOf(turns[0]) === 'system' ? turns[0] : undefined;
  const task = turns[system ? 1 : 0];
  const begun = roleOf(task) === 'human' ? task : undefined;
  const model = textIn(sample, 'model') ?? textIn(sample['metadata'], 'model');
  const at = parseTime(textIn(sample, 'timestamp') ?? textIn(sample['metadata'], 'timestamp'));
  const prompt = system === undefined ? (textIn(sample, 'system') ?? '') : (turnText(system) ?? '');
  const tools = [...new Set([...toolNamesIn(prompt), ...namesOfTools(sample['tools'])])];
  builder.append(firstEvent({ origin: name, systemPrompt: prompt, task: turnText(begun), model, tools }), at ?? 0);
  builder.originals.set(originalKey(0, 'document'), rest);
  if (system) builder.originals.set(originalKey(0, 'system'), system);
  if (begun) builder.originals.set(originalKey(0, 'task'), begun);
  const answers = ['chosen', 'rejected'].filter((column) => isRecord(sample[column]));
  if (answers.length > 0)
    builder.problem(
      where,
      `The answers to choose between (${answers.join(', ')}) are not part of the conversation, so they are not shown.`,
    );
  const first = (system ? 1 : 0) + (begun ? 1 : 0);
  const reader = new TurnReader(turns, model ?? '', builder);
  for (let index = first; index < turns.length; index++)
    reader.read(index, [where, `conversations[${index}]`].filter(Boolean).join(', '));
}

/** Reads the turns of one conversation into a log. */
class TurnReader {
  /** Reply to which results belong, and whether a turn of results was read for it. */
  #reply: number | undefined;
  #hasResults = false;

  constructor(
    private readonly turns: readonly unknown[],
    private readonly model: string,
    private readonly builder: LogBuilder,
  ) {}

  read(index: number, place: string): void {
    const { builder } = this;
    const turn = this.turns[index];
    const value = turnText(turn);
    if (!isRecord(turn) || value === undefined)
      return this.#leaveOut(index, place, 'It contains no text, so it is skipped.');
    switch (roleOf(turn)) {
      case 'system':
      case 'human':
        builder.originals.set(originalKey(builder.append({ type: 'user_message', text: value })), turn);
        break;
      case 'gpt':
        return this.#say(turn, readGptTurn(value, this.turns[index + 1], place, builder));
      case 'call':
        return this.#say(turn, readCallTurn(value, place, builder));
      case 'tool':
        return this.#observe(index, turn, value, place);
      default:
        return this.#leaveOut(
          index,
          place,
          `The speaker is unknown (${JSON.stringify(turn['from'] ?? turn['role'] ?? null)}), so it is skipped.`,
        );
    }
  }

  #say(turn: JsonObject, said: ReturnType<typeof readGptTurn>): void {
    this.#reply = this.builder.reply({ model: this.model, ...said });
    this.#hasResults = false;
    this.builder.originals.set(originalKey(this.#reply), turn);
  }

  #observe(index: number, turn: JsonObject, value: string, place: string): void {
    const { builder } = this;
    let isAnswer = false;
    for (const { id, content } of readToolTurn(value, builder.open.length)) {
      const seq =
        builder.observe(id, { outcome: 'ok', content }) ?? builder.observe(undefined, { outcome: 'ok', content });
      if (seq === undefined) builder.problem(place, 'It answers a call that does not exist, so it is skipped.');
      else isAnswer = true;
    }
    // A reply of this format has at most one turn of results; further ones keep their place in the file.
    if (this.#reply === undefined || this.#hasResults || !isAnswer) builder.others.set(index, turn);
    else {
      builder.originals.set(originalKey(this.#reply, 'results'), turn);
      this.#hasResults = true;
    }
  }

  #leaveOut(index: number, place: string, words: string): void {
    this.builder.problem(place, words);
    this.builder.others.set(index, this.turns[index]);
  }
}

/** Returns the content of a turn: a string, or a list of parts. */
const turnText = (turn: unknown): string | undefined =>
  isRecord(turn) ? (valueText(turn['value']) ?? valueText(turn['content'])) : undefined;
const valueText = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : (contentText(value) ?? JSON.stringify(value));

type Role = 'system' | 'human' | 'gpt' | 'call' | 'tool';

/** Speaker names in several datasets. */
const speakers: Readonly<Record<string, Role>> = {
  system: 'system',
  human: 'human',
  user: 'human',
  prompter: 'human',
  gpt: 'gpt',
  assistant: 'gpt',
  model: 'gpt',
  chatgpt: 'gpt',
  bot: 'gpt',
  ai: 'gpt',
  function_call: 'call',
  tool_call: 'call',
  'function-call': 'call',
  tool: 'tool',
  function_response: 'tool',
  'function-response': 'tool',
  tool_response: 'tool',
  tool_result: 'tool',
  observation: 'tool',
  function: 'tool',
  ipython: 'tool',
};

function roleOf(turn: unknown): Role | undefined {
  const named = textIn(turn, 'from') ?? textIn(turn, 'role') ?? '';
  return Object.hasOwn(speakers, named) ? speakers[named] : undefined;
}
