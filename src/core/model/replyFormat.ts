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

/** What a reply asks for. Groups run in order, the calls of a group together. `problem` is told to the model when no call can be read. */
export interface Proposal { readonly text: string; readonly groups: Call[][]; readonly problem?: string }

export interface ReplyFormat { read(reply: ModelReply): Proposal }

/** OpenAI tool calls. Neighbouring calls form one group when `together` says they may. */
export function toolCallFormat(together: (a: Call, b: Call) => boolean): ReplyFormat {
  return {
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
