import type { History } from '../../log/projection';
import { systemPromptOf } from '../../../protocol/plain/systemPrompt';
import { originalKey, unit, withForeignRemainder, type Unit } from '../foreignRemainder';
import type { ReadOptions, ReadTrajectory, TrajectoryFile, WrittenFormat } from '../format';
import { jsonInPieces } from '../jsonInPieces';
import { readChat } from '../reading/chatMessages';
import { contentText } from '../reading/contentParts';
import { firstIn, valuesIn } from '../reading/fileValues';
import { listIn, textIn, type JsonObject } from '../reading/json';
import { isRequestRecord } from '../reading/requestRecord';
import { LogBuilder } from '../reading/logBuilder';
import { toolDefinitions } from '../toolDefinitions';
import { isTextual, turnsInPieces, type ReplyTurn } from '../turns';
import { isMini } from './mini';
import { asToolCall, isRead, reasoningFields, replyText, userContent, foreignParts } from '../exportParts';
import { isRecord } from '../../text/parseJson';
import type { InPieces } from '../../text/slices';

const name = 'openai';

/**
 * A chat in OpenAI's format: `{"messages":[…]}` on one line, as for fine-tuning. Also reads one message per line, or a
 * list of messages.
 */
export const openai: WrittenFormat = {
  name,
  label: 'OpenAI messages',
  extension: '.messages.jsonl',
  reader: { recognises, read: (files, options = {}) => read(files[0], options) },
  *write(history, { session }) {
    const units = yield* foreignParts(history, name, unitsOf);
    const { messages: _, ...rest } = units.find(({ part }) => part === 'document')?.value ?? {};
    const messages = units.filter(({ part }) => part !== 'document').map(({ value }) => value);
    return [{ path: `${session}.messages.jsonl`, text: `${yield* jsonInPieces({ messages, ...rest })}\n` }];
  },
};

function recognises(file: TrajectoryFile): boolean {
  if (/\.traj\.json$/i.test(file.path)) return false;
  const value = firstIn(file);
  const isMessage = (each: unknown): boolean =>
    ['system', 'developer', 'user', 'assistant'].includes(textIn(each, 'role') ?? '');
  const isChat = (each: unknown): boolean =>
    listIn(each, 'messages')?.some(isMessage) === true &&
    !isMini(each) &&
    !isRequestRecord(each) &&
    listIn(each, 'conversations') === undefined;
  return Array.isArray(value)
    ? (value as unknown[]).some((each) => isMessage(each) || isChat(each))
    : isMessage(value) || isChat(value);
}

function* unitsOf(history: History): InPieces<Unit[]> {
  const tools = toolDefinitions(history).map(({ name: tool, description, parameters }) => ({
    type: 'function',
    function: { name: tool, description, parameters },
  }));
  const units = [unit(0, tools.length > 0 ? { tools } : {}, 'document')];
  for (const turn of (yield* turnsInPieces(history)).filter(isRead)) {
    yield;
    const { seq } = turn.event;
    if (turn.kind === 'system' && systemPromptOf(turn.event) !== '')
      units.push(unit(seq, { role: 'system', content: systemPromptOf(turn.event) }, 'system'));
    if (turn.kind === 'words' && (turn.event.type !== 'task_started' || turn.text !== ''))
      units.push(
        unit(seq, { role: 'user', content: userContent(turn) }, turn.event.type === 'task_started' ? 'task' : ''),
      );
    if (turn.kind === 'reply') units.push(...ofReply(turn));
  }
  return units;
}

function ofReply(turn: ReplyTurn): Unit[] {
  const { event, results, answers } = turn;
  const textual = isTextual(turn);
  const calls = textual ? [] : results.map(asToolCall);
  const text = replyText(turn);
  const replyMessage =
    event.by === 'person'
      ? { role: 'user', content: text }
      : {
          role: 'assistant',
          content: text === '' && calls.length > 0 ? null : text,
          ...reasoningFields(event.reasoning),
          ...(calls.length > 0 && { tool_calls: calls }),
        };
  return [
    unit(event.seq, replyMessage),
    ...answers.map(({ action, observation, text: content }, index) =>
      unit(
        observation?.seq ?? event.seq,
        textual ? { role: 'user', content } : { role: 'tool', tool_call_id: action.id, content },
        observation ? '' : `result-${index}`,
      ),
    ),
  ];
}

function read(file: TrajectoryFile | undefined, options: ReadOptions): ReadTrajectory {
  const builder = new LogBuilder(options);
  const { run = 0 } = options;
  const chats = chatsIn(file, builder);
  const chat = chats[run];
  if (!chat) {
    builder.problem(
      file?.path ?? '',
      chats.length === 0
        ? 'No message can be read in it.'
        : `It contains ${chats.length} conversations, so there is no conversation ${run + 1}.`,
    );
    return { events: [], problems: builder.problems, runs: chats.length };
  }
  readChat(chat.messages, { origin: name, where: chat.where, systemPrompt: contentText(chat.rest['system']) }, builder);
  builder.originals.set(originalKey(0, 'document'), chat.rest);
  return { events: withForeignRemainder(builder, unitsOf), problems: builder.problems, runs: chats.length };
}

interface Chat {
  readonly messages: readonly unknown[];
  readonly rest: JsonObject;
  readonly where: string;
}

function chatsIn(file: TrajectoryFile | undefined, builder: LogBuilder): Chat[] {
  const { values, problems } = file ? valuesIn(file) : { values: [], problems: [] };
  builder.problems.push(...problems.map(({ where, words }) => ({ where: where || file!.path, words })));
  const lists = values.flatMap(({ where, value }): Chat[] => {
    const nestedChats = Array.isArray(value)
      ? (value as unknown[]).flatMap((each, index) => chatIn(each, `[${index}]`) ?? [])
      : [];
    if (nestedChats.length > 0) return nestedChats;
    return Array.isArray(value)
      ? [{ messages: value as unknown[], rest: {}, where: [where, 'messages'].filter(Boolean).join(', ') }]
      : (chatIn(value, where) ?? []);
  });
  if (lists.length > 0) return lists;
  // One message per line. Other lines among them are reported when they are read.
  const lines = values.map(({ value }) => value).filter(isRecord);
  return lines.some((value) => textIn(value, 'role') !== undefined)
    ? [{ messages: lines, rest: {}, where: 'messages' }]
    : [];
}

function chatIn(value: unknown, where: string): Chat[] | undefined {
  const messages = listIn(value, 'messages');
  if (!messages) return undefined;
  const { messages: _, ...rest } = value as JsonObject;
  return [{ messages, rest, where: [where, 'messages'].filter(Boolean).join(', ') }];
}
