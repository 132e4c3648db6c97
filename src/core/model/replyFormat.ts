import type { TaskState } from '../../protocol/event';
import type { ModelReply } from './model';

export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** The arguments as written, where they are not what `JSON.stringify(input)` gives. */
  readonly rawInput?: string;
  /** Why the arguments could not be read. */
  readonly problem?: string;
}

/** What a reply asks for. Groups run in order, the calls of a group together. */
export interface Proposal {
  /** For people, before the first action. */
  readonly text: string;
  readonly groups: Call[][];
  /** Why nothing of the reply can be run, in words for the model. */
  readonly problem?: string;
  /** The whole reply, for formats that find actions inside the text; see `agent_response.written`. */
  readonly written?: string;
  /** Calls that could not be read. */
  readonly unreadCalls?: readonly unknown[];
  readonly taskState?: TaskState;
  /** Set where the reply itself says that the task is done: the summary. */
  readonly completed?: string;
}

/** How actions are written into a reply. `sendsTools`: whether the request carries tool schemas; otherwise the prompt describes them. */
export interface ReplyFormat {
  readonly name: string;
  readonly sendsTools: boolean;
  read(reply: ModelReply): Proposal;
}

/** OpenAI tool calls. Neighbouring calls form one group when `together` says they may. */
export function toolCallFormat(together: (a: Call, b: Call) => boolean): ReplyFormat {
  return {
    name: 'tool_calls',
    sendsTools: true,
    read(reply) {
      const groups: Call[][] = [];
      for (const { id, function: { name, arguments: text } } of reply.toolCalls) {
        const call = { id, tool: name, ...readArguments(text, reply.finishReason) };
        const last = groups.at(-1)?.at(-1);
        if (last && together(last, call)) groups.at(-1)!.push(call);
        else groups.push([call]);
      }
      return { text: reply.text, groups };
    },
  };
}

function readArguments(text: string, finishReason: string): Pick<Call, 'input' | 'rawInput' | 'problem'> {
  if (finishReason === 'length') {
    return { input: {}, rawInput: text, problem: 'The reply was cut at the token limit inside this call, so it was not run. Split the work into smaller calls.' };
  }
  if (text.trim() === '') return { input: {}, ...(text !== '{}' && { rawInput: text }) };
  try {
    const input: unknown = JSON.parse(text);
    return { input, ...(JSON.stringify(input) !== text && { rawInput: text }) };
  } catch (error) {
    return { input: {}, rawInput: text, problem: `The arguments are not JSON (${(error as Error).message}). Nothing was run. Send the call again with valid JSON.` };
  }
}
