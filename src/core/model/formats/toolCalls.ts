import type { ModelReply, ToolCall, ToolSchema } from '../../ports/model';
import type { ReadCall, Proposal, ReplyFormat } from '../../ports/replyFormat';
import { maxValueDepth, isDeeperThan } from '../../text/parseJson';
import { readLooseJson } from '../../text/looseJson';

/**
 * OpenAI tool calls. Adjacent calls form a group if `together` returns true. A call that cannot be parsed has a
 * `problem` of its own.
 */
export function toolCallFormat(together: (a: ReadCall, b: ReadCall) => boolean): ReplyFormat {
  return {
    name: 'tool_calls',
    sendsTools: true,
    read: (reply) => ({
      text: reply.text,
      groups: groupCalls(
        reply.toolCalls.map((call) => readCall(call, reply, withoutRepetition(call.function.arguments))),
        together,
      ),
    }),
  };
}

/**
 * OpenAI tool calls, all or nothing: no call, an invalid call or, if `tools` are given, a call that no tool accepts is
 * a problem of the whole reply. Stops at the first bad call.
 */
export function strictToolCallFormat(
  together: (a: ReadCall, b: ReadCall) => boolean,
  tools: readonly ToolSchema[] = [],
): ReplyFormat {
  return {
    name: 'strict_tool_calls',
    sendsTools: true,
    read(reply) {
      if (reply.toolCalls.length === 0)
        return problemProposal(
          reply,
          reply.finishReason === 'length'
            ? `The reply contains no tool call. ${cut}`
            : 'The reply contains no tool call.',
        );
      const calls: ReadCall[] = [];
      for (const raw of reply.toolCalls) {
        const call = readCall(raw, reply);
        const problem = [whyUnfit(call, tools), call.problem].filter(Boolean).join(' ');
        if (problem)
          return problemProposal(
            reply,
            `Tool call ${calls.length + 1} of ${reply.toolCalls.length} (${call.tool || 'without a name'}) is not valid. ${problem}`,
          );
        calls.push(call);
      }
      return { text: reply.text, groups: groupCalls(calls, together) };
    },
  };
}

const cut = 'It was cut off at the token limit.';

function problemProposal(reply: ModelReply, problem: string): Proposal {
  return { text: reply.text, groups: [], problem, unreadCalls: reply.toolCalls };
}

/** Returns why no tool accepts a call. Undefined if no tools are given. */
function whyUnfit({ tool: name, input, problem }: ReadCall, tools: readonly ToolSchema[]): string | undefined {
  if (tools.length === 0) return undefined;
  const tool = tools.find((known) => known.name === name);
  if (!tool)
    return `There is no tool named ${JSON.stringify(name)}. Tools: ${tools.map((known) => known.name).join(', ')}.`;
  if (problem !== undefined) return undefined;
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return 'The arguments are not a JSON object.';
  const missing = (Array.isArray(tool.parameters.required) ? (tool.parameters.required as string[]) : []).filter(
    (key) => !Object.hasOwn(input, key),
  );
  return missing.length > 0 ? `Missing: ${missing.join(', ')}.` : undefined;
}

function groupCalls(calls: readonly ReadCall[], together: (a: ReadCall, b: ReadCall) => boolean): ReadCall[][] {
  const groups: ReadCall[][] = [];
  for (const call of calls) {
    const last = groups.at(-1)?.at(-1);
    if (last && together(last, call)) groups.at(-1)!.push(call);
    else groups.push([call]);
  }
  return groups;
}

/**
 * Removes what proxies add to arguments: an empty object before them, as Anthropic's streams begin with one, or the
 * whole arguments again after their pieces.
 */
function withoutRepetition(text: string): string {
  const begun = /^\s*\{\s*\}\s*(?=\{)/.exec(text)?.[0].length ?? 0;
  const middle = (begun + text.length) / 2;
  const isTwice = text[middle - 1] === '}' && text[middle] === '{' && text.slice(begun, middle) === text.slice(middle);
  return text.slice(begun, isTwice ? middle : text.length);
}

function readCall(
  call: ToolCall,
  { toolCalls, finishReason }: ModelReply,
  text: string = call.function.arguments,
): ReadCall {
  const {
    id,
    function: { name },
    signature,
  } = call;
  const problem = whyUnfinished(finishReason, call === toolCalls.at(-1) ? 'last' : 'earlier');
  const read = problem === undefined ? readArguments(text) : { input: {}, rawInput: text, problem };
  return { id, tool: name, ...read, ...(signature !== undefined && { signature }) };
}

/**
 * Returns why no call of a reply that the token limit or a filter ended is run, even if it happens to be complete.
 * Undefined for other replies.
 */
function whyUnfinished(finishReason: string, place: 'last' | 'earlier'): string | undefined {
  if (finishReason === 'length')
    return place === 'last'
      ? 'The reply was cut off at the token limit in or after this call, so it was not run. Split the work into smaller calls.'
      : 'The reply was cut off at the token limit after this call, so it was not run either. Call it again if it is still needed.';
  if (/^(content_filter|safety|refusal)$/.test(finishReason))
    return place === 'last'
      ? 'The provider’s content filter stopped the reply at this call, so it was not run.'
      : 'The provider’s content filter stopped the reply after this call, so it was not run either.';
  return undefined;
}

/** Parses arguments; none mean an empty object. */
function readArguments(text: string): Pick<ReadCall, 'input' | 'rawInput' | 'problem' | 'repaired'> {
  if (text.trim() === '') return { input: {}, rawInput: text };
  try {
    const input: unknown = JSON.parse(text);
    if (isDeeperThan(maxValueDepth, input))
      return { input: {}, problem: 'The arguments are nested too deeply. Nothing was run.' };
    return { input, ...(JSON.stringify(input) !== text && { rawInput: text }) };
  } catch {
    return { input: {}, rawInput: text, ...whyNotJson(text) };
  }
}

function whyNotJson(text: string): Pick<ReadCall, 'problem' | 'repaired'> {
  const notJsonWords = (why: string, at: number): string => {
    const before = text.slice(0, at).split('\n');
    const place =
      before.length > 1 ? `line ${before.length}, column ${before.at(-1)!.length + 1}` : `character ${at + 1}`;
    return `The arguments are not JSON: at ${place}, ${why}. Nothing was run. Send the call again with valid JSON.`;
  };
  const read = readLooseJson(text);
  if (read.problem !== undefined) return { problem: notJsonWords(read.problem, read.offset) };
  const end = read.end + /^\s*/.exec(text.slice(read.end))![0].length;
  if (end < text.length) return { problem: notJsonWords('there is more text after the value', end) };
  const [slip] = read.slips;
  return {
    problem: notJsonWords(slip?.description ?? 'a whitespace character that JSON does not allow', slip?.offset ?? end),
    repaired: read.value,
  };
}
