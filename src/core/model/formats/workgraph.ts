import type { ModelReply, ToolSchema } from '../../ports/model';
import type { ReadCall, Proposal, ReplyFormat } from '../../ports/replyFormat';
import { asText, fieldOf } from '../../text/looseFields';
import { fitArguments, withTarget } from './fitArguments';
import {
  structuredReplyFrom,
  StructureProblem,
  type StructuredAction,
  type StructuredReply,
  jsonStructureIn,
  xmlStructureIn,
  type Structure,
} from './workgraphReply';

const structureIn: Readonly<Record<'xml' | 'json', (text: string) => Structure>> = {
  xml: xmlStructureIn,
  json: jsonStructureIn,
};

/**
 * The structured reply format: text for people, task status and groups of actions. A reply without structure is an
 * answer.
 */
export function workgraphFormat(syntax: 'xml' | 'json', tools: readonly ToolSchema[] = []): ReplyFormat {
  return {
    name: `workgraph_${syntax}`,
    sendsTools: false,
    hidesStream: true,
    read(reply) {
      const { text, finishReason } = reply;
      try {
        const structure = structureIn[syntax](text);
        if (!structure) return { text, groups: [] };
        if (finishReason === 'length') throw new StructureProblem('it is incomplete');
        const textAround = [text.slice(0, structure.from), text.slice(structure.to)]
          .map(withoutFence)
          .filter(Boolean)
          .join('\n\n');
        return proposalFrom(reply, structuredReplyFrom(structure.fields), textAround, tools);
      } catch (thrown) {
        if (!(thrown instanceof StructureProblem)) throw thrown;
        const why =
          finishReason === 'length'
            ? 'was cut off at the token limit. Ask for fewer actions in one reply'
            : `cannot be read: ${thrown.message}`;
        return { text, written: text, groups: [], problem: `The structured reply ${why}. Nothing was run.` };
      }
    },
  };
}

function proposalFrom(
  reply: ModelReply,
  { instantResponse, taskState, groups }: StructuredReply,
  textAround: string,
  tools: readonly ToolSchema[],
): Proposal {
  const text = instantResponse || textAround;
  const done = groups.length === 0 || taskState.status === 'completed';
  const proposal = {
    text,
    written: reply.text,
    taskState: { ...taskState, status: done ? ('completed' as const) : (taskState.status ?? 'ongoing') },
  };
  const calls = callsOf(groups, text, tools);
  if (!done) return { ...proposal, groups: calls };
  const dropped = calls.flat().map(({ tool, input }) => ({ tool, input }));
  return {
    ...proposal,
    groups: [],
    completed: text || taskState.description || '',
    ...(dropped.length > 0 && { unreadCalls: dropped, notice: droppedNotice(dropped) }),
  };
}

function droppedNotice(dropped: readonly { readonly tool: string }[]): string {
  const actions = dropped.length === 1 ? 'an action' : `${dropped.length} actions`;
  const tools = dropped.map(({ tool }) => tool).join(', ');
  return `The reply says that the task is completed but still asks for ${actions} (${tools}). None of it was run. To run it, say so.`;
}

/** Actions after a question are not run, because the answer may change them. */
function callsOf(groups: StructuredReply['groups'], text: string, tools: readonly ToolSchema[]): ReadCall[][] {
  const questionGroup = groups.findIndex((group) => group.some(isQuestion));
  return groups.map((group, index) => {
    const calls = group.map((action) => (isQuestion(action) ? questionOf(action, text) : callOf(action, tools)));
    const isAfterQuestion = questionGroup !== -1 && index > questionGroup;
    return isAfterQuestion ? calls.map((call) => ({ ...call, problem: afterQuestion })) : calls;
  });
}

const afterQuestion =
  'Not run: it came after a question, and the user was asked first. Ask for it again if the answer still allows it.';

function callOf({ type, target, args }: StructuredAction, tools: readonly ToolSchema[]): ReadCall {
  const parameters = tools.find(({ name }) => name === type)?.parameters;
  if (!parameters) return { id: '', tool: type, input: args };
  const fitted = fitArguments(args, parameters);
  return { id: '', tool: type, input: target ? withTarget(fitted, target, parameters) : fitted };
}

const isQuestion = ({ type }: StructuredAction): boolean => /^UserInputsRequired(\.|$)/i.test(type);

/** Converts `UserInputsRequired.<subtype>` to a call of `ask_user`. */
function questionOf({ args, target }: StructuredAction, text: string): ReadCall {
  const question =
    asText(fieldOf(args, 'question', 'prompt', 'message')).trim() || target || text || 'What should be done?';
  const { choices } = fitArguments({ choices: fieldOf(args, 'choices', 'options') ?? '' }, choicesSchema) as {
    choices: unknown[];
  };
  return { id: '', tool: 'ask_user', input: { question, ...(choices.length > 0 && { choices }) } };
}

const choicesSchema = { properties: { choices: { type: 'array', items: { type: 'string' } } } };

const withoutFence = (text: string): string => text.replace(/^[ \t]*```[ \t]*$|^```\w*[ \t]*$/gm, '').trim();
