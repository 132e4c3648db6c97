import type { History } from '../../agent/projection';
import { statusOf } from '../../agent/history';
import type { ToolSchema } from '../../model/model';
import { keyOf, unit, withKept, type Unit } from '../kept';
import type { ReadTrajectory, TrajectoryFile, TrajectoryFormat } from '../format';
import { pythonJson, pythonRightStrip, pythonStrip, pythonText } from '../pythonJson';
import { beginning } from '../reading/chat';
import { firstIn, valuesIn } from '../reading/fileValues';
import { isObject, listIn, textIn, type JsonObject } from '../reading/json';
import { LogBuilder } from '../reading/logBuilder';
import { localTime, timeOf } from '../times';
import { toolDefinitions } from '../toolDefinitions';
import { isTextual, turnsOf, type ReplyTurn } from '../turns';
import { argumentsOf, endOf, isRead, replyText, startOf, written } from '../writing';
import { functionCallingPrompt, readGptTurn, readToolTurn, toolNamesIn } from './sharegptText';

const name = 'sharegpt';

/** The lines that Hermes Agent saves for training, byte for byte as Python writes them. */
export const sharegpt: TrajectoryFormat = {
  name, label: 'Hermes Agent (ShareGPT)', extension: '.sharegpt.jsonl',
  reader: {
    recognises: file => { const value = firstIn(file); return (Array.isArray(value) ? value as unknown[] : [value]).some(each => listIn(each, 'conversations')); },
    read: (files, run = 0) => read(files[0], run),
  },
  write(history, { session }) {
    const units = written(history, name, unitsOf);
    const turns = units.filter(({ part }) => part !== 'document').map(({ value }) => pythonJson(JSON.stringify(value))!);
    const { conversations: _, ...rest } = units.find(({ part }) => part === 'document')?.value ?? {};
    const fields = Object.entries(rest).map(([key, value]) => `, ${pythonText(key)}: ${pythonJson(JSON.stringify(value))!}`);
    return [{ path: `${session}.sharegpt.jsonl`, text: `{"conversations": [${turns.join(', ')}]${fields.join('')}}\n` }];
  },
};

function unitsOf(history: History): Unit[] {
  const started = startOf(history);
  const last = history.at(-1);
  const units = [unit(0, { timestamp: localTime(last?.at ?? 0), model: started?.model.name ?? '', completed: isCompleted(history) }, 'document')];
  for (const turn of turnsOf(history).filter(isRead)) {
    const { seq } = turn.event;
    if (turn.kind === 'system') units.push(unit(seq, { from: 'system', value: functionCallingPrompt(toolsOf(history)) }, 'system'));
    // The task as the person gave it; prompts of a profile are not part of this format.
    else if (turn.kind === 'words' && turn.event.type === 'task_started') units.push(unit(seq, { from: 'human', value: turn.event.task }, 'task'));
    else if (turn.kind === 'words') units.push(unit(seq, { from: 'human', value: turn.text }));
    else if (turn.kind === 'reply') units.push(...ofReply(turn));
  }
  return units;
}

/** Of the tools of other programs only the names are known. */
function toolsOf(history: History): ToolSchema[] {
  const started = startOf(history);
  return started?.origin === undefined ? toolDefinitions(history) : started.tools.map(tool => ({ name: tool, description: '', parameters: {} }));
}

/** Whether the run came to its end: it handed in its work, or answered. */
function isCompleted(history: History): boolean {
  const end = endOf(history);
  if (end) return end.status === 'submitted';
  const reply = history.findLast(event => event.type === 'agent_response');
  return statusOf(history) === 'idle' && reply !== undefined && reply.finishReason !== 'interrupted';
}

function ofReply(turn: ReplyTurn): Unit[] {
  const { event, results } = turn;
  const text = replyText(turn);
  if (event.by === 'person') return [unit(event.seq, { from: 'human', value: text }), ...spoken(turn)];
  const reasoning = event.reasoning && pythonStrip(event.reasoning.text) !== '' ? `<think>\n${event.reasoning.text}\n</think>\n` : '';
  const thought = text.replaceAll('<REASONING_SCRATCHPAD>', '<think>').replaceAll('</REASONING_SCRATCHPAD>', '</think>');
  if (isTextual(turn) || results.length === 0) return [unit(event.seq, { from: 'gpt', value: pythonStrip(withThinking(reasoning + thought)) }), ...spoken(turn)];
  const calls = results.map(({ action }) => `<tool_call>\n{"name": ${pythonText(action.tool)}, "arguments": ${pythonJson(argumentsOf(action)) ?? '{}'}}\n</tool_call>\n`);
  const value = pythonRightStrip(withThinking(`${reasoning}${pythonStrip(thought) === '' ? '' : `${thought}\n`}${calls.join('')}`));
  const responses = results.map(({ action, text: content }) => `<tool_response>\n{"tool_call_id": ${pythonText(action.id)}, "name": ${pythonText(action.tool)}, "content": ${asContent(content)}}\n</tool_response>`);
  return [unit(event.seq, { from: 'gpt', value }), unit(event.seq, { from: 'tool', value: responses.join('\n') }, 'results')];
}

/** Results that the model reads as words of the user. */
const spoken = (turn: ReplyTurn): Unit[] => (isTextual(turn) ? turn.results.map(({ text }, index) => unit(turn.event.seq, { from: 'human', value: text }, `result-${index}`)) : []);

/** Every turn has a block of thinking, an empty one where there is none. */
const withThinking = (text: string): string => (text.includes('<think>') ? text : `<think>\n</think>\n${text}`);

/** A result that is JSON stands there as JSON. */
function asContent(text: string): string {
  const json = /^[{[]/.test(pythonStrip(text)) ? pythonJson(text) : undefined;
  return json ?? pythonText(text);
}

function read(file: TrajectoryFile | undefined, run: number): ReadTrajectory {
  const builder = new LogBuilder();
  const samples = samplesIn(file, builder);
  const [sample, where] = samples[run] ?? [];
  if (!sample || where === undefined) {
    builder.problem(file?.path ?? '', samples.length === 0 ? 'No conversation can be read in it.' : `It holds ${samples.length} conversations; there is none with the number ${run + 1}.`);
    return { events: [], problems: builder.problems, runs: samples.length };
  }
  readSample(sample, where, builder);
  return { events: withKept(builder, unitsOf), problems: builder.problems, runs: samples.length };
}

function samplesIn(file: TrajectoryFile | undefined, builder: LogBuilder): (readonly [JsonObject, string])[] {
  const { values, problems } = file ? valuesIn(file) : { values: [], problems: [] };
  builder.problems.push(...problems.map(({ where, words }) => ({ where: where || file!.path, words })));
  const placed = values.flatMap(({ where, value }) => (Array.isArray(value) ? (value as unknown[]).map((each, index) => [each, `[${index}]`] as const) : [[value, where] as const]));
  return placed.flatMap(([value, where]) => (isObject(value) && listIn(value, 'conversations') ? [[value, where] as const] : []));
}

function readSample(sample: JsonObject, where: string, builder: LogBuilder): void {
  const turns = listIn(sample, 'conversations') ?? [];
  const { conversations: _, ...rest } = sample;
  const fromOf = (turn: unknown): string => roles[textIn(turn, 'from') ?? textIn(turn, 'role') ?? ''] ?? '';
  const system = fromOf(turns[0]) === 'system' ? turns[0] : undefined;
  const task = turns[system ? 1 : 0];
  const begun = fromOf(task) === 'human' ? task : undefined;
  const model = textIn(sample, 'model') ?? textIn(sample['metadata'], 'model');
  const at = timeOf(textIn(sample, 'timestamp') ?? textIn(sample['metadata'], 'timestamp'));
  const prompt = textIn(system, 'value') ?? '';
  builder.append(beginning({ origin: name, systemPrompt: prompt, task: textIn(begun, 'value'), model, tools: toolNamesIn(prompt) }), at ?? 0);
  builder.originals.set(keyOf(0, 'document'), rest);
  if (system) builder.originals.set(keyOf(0, 'system'), system);
  if (begun) builder.originals.set(keyOf(0, 'task'), begun);
  let reply: number | undefined;
  for (let index = (system ? 1 : 0) + (begun ? 1 : 0); index < turns.length; index++) {
    const turn = turns[index];
    const value = textIn(turn, 'value') ?? textIn(turn, 'content');
    const place = [where, `conversations[${index}]`].filter(Boolean).join(', ');
    if (!isObject(turn) || value === undefined) {
      builder.problem(place, 'It holds no text, so it is left out.');
      builder.others.set(index, turn);
      continue;
    }
    switch (fromOf(turn)) {
      case 'system': case 'human':
        builder.originals.set(keyOf(builder.append({ type: 'user_message', text: value })), turn);
        break;
      case 'gpt':
        reply = builder.reply({ model: model ?? '', ...readGptTurn(value, turns[index + 1], place, builder) });
        builder.originals.set(keyOf(reply), turn);
        break;
      case 'tool':
        for (const { id, content } of readToolTurn(value)) {
          const seq = builder.observe(id, { outcome: 'ok', content }) ?? builder.observe(undefined, { outcome: 'ok', content });
          if (seq === undefined) builder.problem(place, 'It answers a call that is not there, so it is left out.');
        }
        if (reply !== undefined) builder.originals.set(keyOf(reply, 'results'), turn);
        break;
      default:
        builder.others.set(index, turn);
        builder.problem(place, `Nobody knows who speaks (${JSON.stringify(turn['from'] ?? null)}), so it is left out.`);
    }
  }
}

const roles: Readonly<Record<string, string>> = {
  system: 'system', human: 'human', user: 'human', gpt: 'gpt', assistant: 'gpt', model: 'gpt', function_call: 'gpt', tool: 'tool', function_response: 'tool', observation: 'tool', function: 'tool',
};
