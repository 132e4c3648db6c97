import type { Action, Event, EventOf } from '../../protocol/event';
import type { ChatMessage, ToolCall } from '../model/model';
import { projection, type History } from './projection';

/** The events that the model is shown: all but what condensations forgot, each summary where the forgotten part began. */
export const viewOf = (history: History): History => views(history).events;

const views = projection<{ events: Event[] }>(() => ({ events: [] }), (view, event) => {
  if (event.type !== 'condensation') return void view.events.push(event);
  const forgotten = new Set(event.forgotten);
  const first = view.events.findIndex(({ seq }) => forgotten.has(seq));
  const kept = view.events.filter(({ seq }) => !forgotten.has(seq));
  view.events = first < 0 ? [...kept, event] : [...kept.slice(0, first), event, ...kept.slice(first)];
});

interface Chat {
  readonly messages: ChatMessage[];
  /** The answer slot of each call: filled when its observation comes, so that every prefix of a log is a chat that providers accept. */
  readonly answers: Map<string, Extract<ChatMessage, { role: 'tool' }>>;
  unread: EventOf<'user_message'>[];
}

const chats = projection<Chat>(() => ({ messages: [], answers: new Map(), unread: [] }), (chat, event) => {
  switch (event.type) {
    case 'task_started':
      chat.messages.push({ role: 'system', content: event.systemPrompt }, { role: 'user', content: event.task });
      break;
    case 'user_message':
      chat.unread.push(event);
      break;
    case 'agent_response':
      chat.messages.push(...chat.unread.filter(({ seq }) => seq < event.readUpTo).map(asMessage));
      chat.unread = chat.unread.filter(({ seq }) => seq >= event.readUpTo);
      chat.messages.push(assistantMessage(event));
      for (const { id } of event.actions) {
        const answer = { role: 'tool' as const, tool_call_id: id, content: 'This call has not reported yet.' };
        chat.answers.set(id, answer);
        chat.messages.push(answer);
      }
      break;
    case 'observation': {
      const answer = chat.answers.get(event.actionId);
      if (answer) answer.content = event.content;
      chat.answers.delete(event.actionId);
      break;
    }
    case 'feedback':
      chat.messages.push({ role: 'user', content: event.text });
      break;
    case 'resumed':
      // Providers refuse a chat whose last word is the model's own: a stopped reply, or an answer that is to go on.
      if (chat.messages.at(-1)?.role === 'assistant' && chat.unread.length === 0) chat.messages.push({ role: 'user', content: 'Go on.' });
      break;
    case 'condensation':
      chat.messages.push({ role: 'user', content: event.summary });
      break;
  }
});

/** The chat that a log means. What a person said while a step was under way stands after that step, as the model read it. */
export function toMessages(history: History): ChatMessage[] {
  const { messages, unread } = chats(viewOf(history));
  return [...messages, ...unread.map(asMessage)];
}

const asMessage = ({ text }: EventOf<'user_message'>): ChatMessage => ({ role: 'user', content: text });

function assistantMessage({ text, reasoning, actions }: EventOf<'agent_response'>): ChatMessage {
  return { role: 'assistant', content: text, ...(reasoning && { reasoning }), ...(actions.length > 0 && { tool_calls: actions.map(asToolCall) }) };
}

/** The arguments byte for byte as the model wrote them, so that provider caches hold; those that were no JSON would be refused. */
function asToolCall({ id, tool, input, rawInput, problem }: Action): ToolCall {
  return { id, type: 'function', function: { name: tool, arguments: rawInput !== undefined && problem === undefined ? rawInput : JSON.stringify(input) } };
}
