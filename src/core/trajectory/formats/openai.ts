import type { History } from '../../agent/projection';
import { keyOf, unit, withKept, type Unit } from '../kept';
import type { ReadTrajectory, TrajectoryFile, TrajectoryFormat } from '../format';
import { beginning, callsIn, imagesIn, reasoningIn } from '../reading/chat';
import { firstIn, valuesIn } from '../reading/fileValues';
import { contentText, isObject, listIn, textIn, type JsonObject } from '../reading/json';
import { LogBuilder } from '../reading/logBuilder';
import { toolDefinitions } from '../toolDefinitions';
import { isTextual, turnsOf, type ReplyTurn } from '../turns';
import { isMini } from './mini';
import { asToolCall, isRead, reasoningFields, replyText, userContent, written } from '../writing';

const name = 'openai';

/** A chat in the format of OpenAI: `{"messages":[…]}` on one line, as for fine-tuning. One message a line, or a list of messages, is read as well. */
export const openai: TrajectoryFormat = {
  name, label: 'OpenAI messages', extension: '.messages.jsonl',
  reader: { recognises, read: (files, run = 0) => read(files[0], run) },
  write(history, { session }) {
    const units = written(history, name, unitsOf);
    const { messages: _, ...rest } = units.find(({ part }) => part === 'document')?.value ?? {};
    const messages = units.filter(({ part }) => part !== 'document').map(({ value }) => value);
    return [{ path: `${session}.messages.jsonl`, text: `${JSON.stringify({ messages, ...rest })}\n` }];
  },
};

function recognises(file: TrajectoryFile): boolean {
  if (/\.traj\.json$/i.test(file.path)) return false;
  const value = firstIn(file);
  const isMessage = (each: unknown): boolean => ['system', 'developer', 'user', 'assistant'].includes(textIn(each, 'role') ?? '');
  const isChat = (each: unknown): boolean => listIn(each, 'messages')?.some(isMessage) === true && !isMini(each) && listIn(each, 'conversations') === undefined;
  return Array.isArray(value) ? (value as unknown[]).some(each => isMessage(each) || isChat(each)) : isMessage(value) || isChat(value);
}

function unitsOf(history: History): Unit[] {
  const tools = toolDefinitions(history).map(({ name: tool, description, parameters }) => ({ type: 'function', function: { name: tool, description, parameters } }));
  const units = [unit(0, tools.length > 0 ? { tools } : {}, 'document')];
  for (const turn of turnsOf(history).filter(isRead)) {
    const { seq } = turn.event;
    if (turn.kind === 'system' && turn.event.systemPrompt !== '') units.push(unit(seq, { role: 'system', content: turn.event.systemPrompt }, 'system'));
    if (turn.kind === 'words' && (turn.event.type !== 'task_started' || turn.text !== '')) units.push(unit(seq, { role: 'user', content: userContent(turn) }, turn.event.type === 'task_started' ? 'task' : ''));
    if (turn.kind === 'reply') units.push(...ofReply(turn));
  }
  return units;
}

function ofReply(turn: ReplyTurn): Unit[] {
  const { event, results, answers } = turn;
  const textual = isTextual(turn);
  const calls = textual ? [] : results.map(asToolCall);
  const text = replyText(turn);
  const said = event.by === 'person' ? { role: 'user', content: text }
    : { role: 'assistant', content: text === '' && calls.length > 0 ? null : text, ...reasoningFields(event.reasoning), ...(calls.length > 0 && { tool_calls: calls }) };
  return [unit(event.seq, said), ...answers.map(({ action, observation, text: content }, index) =>
    unit(observation?.seq ?? event.seq, textual ? { role: 'user', content } : { role: 'tool', tool_call_id: action.id, content }, observation ? '' : `result-${index}`))];
}

function read(file: TrajectoryFile | undefined, run: number): ReadTrajectory {
  const builder = new LogBuilder();
  const chats = chatsIn(file, builder);
  const chat = chats[run];
  if (!chat) {
    builder.problem(file?.path ?? '', chats.length === 0 ? 'No message can be read in it.' : `It holds ${chats.length} conversations; there is none with the number ${run + 1}.`);
    return { events: [], problems: builder.problems, runs: chats.length };
  }
  readMessages(chat.messages, chat.where, builder);
  builder.originals.set(keyOf(0, 'document'), chat.rest);
  return { events: withKept(builder, unitsOf), problems: builder.problems, runs: chats.length };
}

interface Chat { readonly messages: readonly unknown[]; readonly rest: JsonObject; readonly where: string }

function chatsIn(file: TrajectoryFile | undefined, builder: LogBuilder): Chat[] {
  const { values, problems } = file ? valuesIn(file) : { values: [], problems: [] };
  builder.problems.push(...problems.map(({ where, words }) => ({ where: where || file!.path, words })));
  const lists = values.flatMap(({ where, value }): Chat[] => {
    const several = Array.isArray(value) ? (value as unknown[]).flatMap((each, index) => chatIn(each, `[${index}]`) ?? []) : [];
    if (several.length > 0) return several;
    return Array.isArray(value) ? [{ messages: value as unknown[], rest: {}, where: [where, 'messages'].filter(Boolean).join(', ') }] : chatIn(value, where) ?? [];
  });
  if (lists.length > 0) return lists;
  const bare = values.map(({ value }) => value).filter(isObject).filter(value => textIn(value, 'role') !== undefined);
  return bare.length > 0 ? [{ messages: bare, rest: {}, where: 'messages' }] : [];
}

function chatIn(value: unknown, where: string): Chat[] | undefined {
  const messages = listIn(value, 'messages');
  if (!messages) return undefined;
  const { messages: _, ...rest } = value as JsonObject;
  return [{ messages, rest, where: [where, 'messages'].filter(Boolean).join(', ') }];
}

function readMessages(messages: readonly unknown[], where: string, builder: LogBuilder): void {
  const [first, second] = messages;
  const isSystem = (value: unknown): boolean => ['system', 'developer'].includes(textIn(value, 'role') ?? '');
  const system = isSystem(first) ? first as JsonObject : undefined;
  const task = [first, second][system ? 1 : 0];
  const begun = textIn(task, 'role') === 'user' ? task as JsonObject : undefined;
  builder.append(beginning({ origin: name, systemPrompt: contentText(system?.['content']), task: contentText(begun?.['content']), images: imagesIn(begun?.['content']) }), 0);
  if (system) builder.originals.set(keyOf(0, 'system'), system);
  if (begun) builder.originals.set(keyOf(0, 'task'), begun);
  for (let index = (system ? 1 : 0) + (begun ? 1 : 0); index < messages.length; index++) {
    const seq = readMessage(messages[index], `${where}[${index}]`, builder);
    if (seq === undefined) builder.others.set(index, messages[index]);
    else builder.originals.set(keyOf(seq), messages[index]);
  }
}

/** Answers with the event that stands for the message. */
function readMessage(message: unknown, where: string, builder: LogBuilder): number | undefined {
  if (!isObject(message)) return void builder.problem(where, 'It is no message, so it is left out.');
  const role = textIn(message, 'role');
  const text = contentText(message['content']);
  if (text === undefined) builder.problem(where, 'Its content is neither text nor a list of parts, so it is shown as empty.');
  const content = text ?? '';
  switch (role) {
    case 'user': case 'system': case 'developer': {
      const images = imagesIn(message['content']);
      return builder.append({ type: 'user_message', text: content, ...(images.length > 0 && { images }) });
    }
    case 'assistant': {
      const reasoning = reasoningIn(message);
      return builder.reply({ text: content || textIn(message, 'refusal') || '', calls: callsIn(message, where, builder), ...(reasoning && { reasoning }) });
    }
    case 'tool': case 'function': {
      const seq = builder.observe(role === 'tool' ? textIn(message, 'tool_call_id') : undefined, { outcome: 'ok', content });
      if (seq === undefined) builder.problem(where, 'It answers a call that is not there, so it is left out.');
      return seq;
    }
    default: return void builder.problem(where, `Its role ${JSON.stringify(message['role'] ?? null)} is not known, so it is left out.`);
  }
}
