import { isRecord, parseJson } from '../../text/parseJson';
import type { ToolSchema } from '../../ports/model';
import type { ReadCall } from '../../ports/replyFormat';
import { fitArguments } from './fitArguments';

/**
 * Calls that a model wrote in its own notation at the end of a reply, which its server should have turned into tool
 * calls but left in the text, as Ollama often does (ollama/ollama#16686, #18530).
 */
export interface CallsInText {
  /** Text before the calls. */
  readonly text: string;
  readonly calls: readonly ReadCall[];
  /** Each call as it is written. */
  readonly written: readonly string[];
}

/** Where models begin a call if their server does not turn it into a tool call. */
const callMarks = /<tool_call>|<function[=_]|<invoke name=|\[TOOL_CALLS\]|<\|tool_call|<\|python_tag\|>|<｜tool▁call/u;
/** Words where a call in one of these forms has the name of its tool. */
const namedWords = /(?<=["'=>\].])\w{1,64}(?=["'>:{\s])/g;

/** Returns the tool that a reply calls in its last lines, in the text instead of in a tool call. */
export function toolCalledInText(text: string, tools: readonly Pick<ToolSchema, 'name'>[]): string | undefined {
  const callStart = text.search(callMarks);
  if (callStart < 0 || !/[>}\])]$/.test(text.trimEnd().slice(-1))) return undefined;
  const words = new Set(text.slice(callStart).match(namedWords));
  return tools.find(({ name }) => words.has(name))?.name;
}

/**
 * Reads the calls at the end of a reply: those of Qwen Coder, of Hermes and Qwen, of Llama, and of Anthropic. Undefined
 * if anything else follows the first call, or if a call is incomplete, of no tool in `tools` or without a required
 * argument.
 */
export function readCallsInText(text: string, tools: readonly ToolSchema[]): CallsInText | undefined {
  const start = text.search(/<tool_call>|<function_calls>|<function=|<invoke name=/);
  if (start < 0) return undefined;
  const calls: ReadCall[] = [];
  const written: string[] = [];
  for (let at = start; ;) {
    at = endOfMatch(between, text, at);
    if (at === text.length) break;
    const call = writtenCallAt(text, at);
    const tool = call && tools.find(({ name }) => name === call.tool);
    if (!tool) return undefined;
    const input = fitArguments(call.input, tool.parameters);
    if (!requiredOf(tool).every((name) => Object.hasOwn(input, name))) return undefined;
    calls.push({ id: '', tool: tool.name, input });
    written.push(text.slice(at, call.end));
    at = call.end;
  }
  return calls.length === 0 ? undefined : { text: text.slice(0, start).trimEnd(), calls, written };
}

interface WrittenCall {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  /** Index after the call. */
  readonly end: number;
}

/** Space and tags around calls. Qwen Coder often omits the opening one. */
const between = /(?:\s|<\/?(?:tool_call|function_calls)>)*/y;
const openingTag = /<(?:function=([\w.-]+)|invoke name="([\w.-]+)")>\s*/y;
const parameterTag = /<parameter(?:=([\w.-]+)| name="([\w.-]+)")>\n?/y;

function writtenCallAt(text: string, at: number): WrittenCall | undefined {
  if (text[at] === '{') return jsonCallAt(text, at);
  const opening = matchAt(openingTag, text, at);
  const tool = opening?.[1] ?? opening?.[2];
  if (!opening || tool === undefined) return undefined;
  const closing = opening[1] === undefined ? '</invoke>' : '</function>';
  const start = at + opening[0].length;
  if (text[start] === '{') return llamaCall(text, { tool, start, closing });
  const input: Record<string, unknown> = {};
  for (let next = start; ;) {
    const parameter = matchAt(parameterTag, text, next);
    if (!parameter) {
      const isClosed = text.startsWith(closing, next);
      return isClosed ? { tool, input, end: next + closing.length } : undefined;
    }
    const value = next + parameter[0].length;
    const end = endOfValue(text, value, closing);
    if (!end) return undefined;
    input[parameter[1] ?? parameter[2]!] = text.slice(value, end.value).replace(/\n$/, '');
    next = end.next;
  }
}

/**
 * Returns where the value of a parameter ends, and where what follows begins. A value may contain closing tags: only one
 * before another parameter or before the end of the call counts. Models sometimes omit the last one.
 */
function endOfValue(text: string, from: number, closing: string): { value: number; next: number } | undefined {
  const tag = '</parameter>';
  for (let at = text.indexOf(tag, from); at >= 0; at = text.indexOf(tag, at + 1)) {
    const next = endOfMatch(/\s*/y, text, at + tag.length);
    if (text.startsWith('<parameter', next) || text.startsWith(closing, next)) return { value: at, next };
  }
  const end = text.indexOf(closing, from);
  return end < 0 ? undefined : { value: end, next: end };
}

/** Reads a call such as `<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>`. */
function jsonCallAt(text: string, at: number): WrittenCall | undefined {
  const closing = text.indexOf('</tool_call>', at);
  const end = closing < 0 ? text.length : closing;
  const value = parseJson(text.slice(at, end));
  if (!isRecord(value) || typeof value['name'] !== 'string') return undefined;
  const input = value['arguments'] ?? value['parameters'] ?? {};
  return isRecord(input) ? { tool: value['name'], input, end } : undefined;
}

/** Reads the rest of a call such as `<function=read_file>{"path": "a"}</function>`. */
function llamaCall(
  text: string,
  { tool, start, closing }: { readonly tool: string; readonly start: number; readonly closing: string },
): WrittenCall | undefined {
  const end = text.indexOf(closing, start);
  const input = parseJson(text.slice(start, end < 0 ? text.length : end));
  return end >= 0 && isRecord(input) ? { tool, input, end: end + closing.length } : undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const endOfMatch = (pattern: RegExp, text: string, at: number): number =>
  at + (matchAt(pattern, text, at)?.[0].length ?? 0);

const requiredOf = ({ parameters }: ToolSchema): string[] =>
  Array.isArray(parameters['required']) ? (parameters['required'] as string[]) : [];
