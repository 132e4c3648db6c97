import type { Reasoning } from '../../../protocol/events/event';
import type { ToolSchema } from '../../ports/model';
import { pythonStrip } from '../../text/pythonBlanks';
import { pythonDumps, pythonQuoted } from '../pythonJson';
import { objectIn, parseBoundedJson, textIn } from '../reading/json';
import type { LogBuilder, StoredCall } from '../reading/logBuilder';
import { isRecord } from '../../text/parseJson';

/**
 * Returns the fixed prompt of this format. It lists the functions and how to call them, not the run's own system
 * prompt.
 */
export function functionCallingPrompt(tools: readonly ToolSchema[]): string {
  const listed = tools.map(({ name, description, parameters }) => {
    const schema = pythonDumps(JSON.stringify(parameters))!;
    const described = `"name": ${pythonQuoted(name)}, "description": ${pythonQuoted(description)}`;
    return `{${described}, "parameters": ${schema}, "required": null}`;
  });
  return `You can call functions in this conversation. Their signatures are within <tools> </tools> tags. Call one or more if they help with the request of the user; otherwise, answer in plain language. \
Take arguments from the conversation; do not make them up. Results of functions are within <tool_response> </tool_response> tags. The functions:
<tools>
[${listed.join(', ')}]
</tools>
A call is a JSON object of this schema:
{'title': 'FunctionCall', 'type': 'object', 'properties': {'name': {'title': 'Name', 'type': 'string'}, 'arguments': {'title': 'Arguments', 'type': 'object'}}, 'required': ['name', 'arguments']}
Put every call within <tool_call> </tool_call> tags.
Example:
<tool_call>
{'name': <function-name>,'arguments': <args-dict>}
</tool_call>`;
}

/** Returns the names of the functions in such a prompt. */
export function toolNamesIn(prompt: string): string[] {
  const from = prompt.indexOf('<tools>') + '<tools>'.length;
  const to = prompt.indexOf('</tools>', from);
  return namesOfTools(from < '<tools>'.length || to === -1 ? [] : prompt.slice(from, to));
}

/** Returns the names in a list of tools: JSON, or its text. */
export function namesOfTools(tools: unknown): string[] {
  const read = typeof tools === 'string' ? parseBoundedJson(tools) : { value: tools };
  if (!('value' in read) || !Array.isArray(read.value)) return [];
  return read.value.flatMap((tool) => textIn(tool, 'name') ?? textIn(objectIn(tool, 'function'), 'name') ?? []);
}

/** Reads the calls of a turn that only contains JSON: one call, or a list. Invalid calls are shown as text. */
export function readCallTurn(value: string, where: string, builder: LogBuilder): ReturnType<typeof readGptTurn> {
  const read = parseBoundedJson(value);
  const listed: readonly unknown[] = 'value' in read ? [read.value].flat() : [];
  const calls = listed.flatMap((call): StoredCall[] => {
    const called = objectIn(call, 'function') ?? call;
    const tool = textIn(called, 'name');
    return tool !== undefined && isRecord(called)
      ? [{ id: textIn(call, 'id'), tool, arguments: called['arguments'] ?? called['parameters'] }]
      : [];
  });
  if (calls.length > 0 && calls.length === listed.length) return { text: '', calls };
  const tagged = readGptTurn(value, undefined, where, builder);
  if (tagged.calls.length === 0) builder.problem(where, 'It does not name a function to call, so it is shown as text.');
  return tagged;
}

/** Reads a model turn: its thinking, text and calls. The ids of calls are only in their results. */
export function readGptTurn(
  value: string,
  next: unknown,
  where: string,
  builder: LogBuilder,
): { text: string; reasoning?: Reasoning; calls: StoredCall[] } {
  const thought = /^<think>\n?([\s\S]*?)\n?<\/think>\n?/.exec(value);
  const rest = thought ? value.slice(thought[0].length) : value;
  const ids = readToolTurn(textIn(next, 'value') ?? '').map(({ id }) => id);
  const found = elements(rest, 'tool_call');
  const calls = found.flatMap(({ inside: json }, index): StoredCall[] => {
    const call = parseBoundedJson(json);
    const tool = 'value' in call ? textIn(call.value, 'name') : undefined;
    if (tool !== undefined && 'value' in call)
      return [{ id: ids[index], tool, arguments: argumentsText(json, call.value) }];
    builder.problem(where, `Call ${index + 1} names no function, so it is skipped.`);
    return [];
  });
  const text =
    calls.length > 0 ? rest.slice(0, found[0]!.start).replace(/\n$/, '') + rest.slice(found.at(-1)!.end) : rest;
  const reasoning = thought?.[1]?.trim() ? { text: thought[1] } : undefined;
  return { text, calls, ...(reasoning && { reasoning }) };
}

/** Returns the arguments as written, if they can be found in the text of the call. */
function argumentsText(json: string, call: unknown): unknown {
  const value = (call as { arguments?: unknown }).arguments;
  const [, text] = /^\{\s*"name"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"arguments"\s*:([\s\S]*)\}$/.exec(json) ?? [];
  return typeof value === 'object' && value !== null && text !== undefined && pythonDumps(text) !== undefined
    ? text.trim()
    : value;
}

/** Finds the elements with a tag. Their content is JSON on a line of its own, so it may contain the tag itself. */
function elements(text: string, tag: string): { inside: string; start: number; end: number }[] {
  const lines = [...text.matchAll(new RegExp(`<${tag}>\\n([^\\n]*)\\n</${tag}>`, 'g'))].map(
    ({ 0: whole, 1: inside = '', index }) => ({ inside, start: index, end: index + whole.length }),
  );
  if (lines.length > 0) return lines;
  const [open, close] = [`<${tag}>`, `</${tag}>`];
  const found: { inside: string; start: number; end: number }[] = [];
  for (let start = text.indexOf(open); start !== -1; start = text.indexOf(open, found.at(-1)!.end)) {
    const until = text.indexOf(close, start + open.length);
    if (until === -1) break;
    found.push({ inside: text.slice(start + open.length, until).trim(), start, end: until + close.length });
  }
  return found;
}

/**
 * Reads the results of one turn. `open` is the number of calls that wait for one; a list with that many values holds
 * one result per call.
 */
export function readToolTurn(value: string, open = 1): { id: string | undefined; content: string }[] {
  const responses = elements(value, 'tool_response').map(({ inside }) => inside);
  if (responses.length === 0) {
    const listed = open > 1 && value.trimStart().startsWith('[') ? parseBoundedJson(value) : { value: undefined };
    const listedResults =
      'value' in listed && Array.isArray(listed.value) && listed.value.length === open
        ? (listed.value as unknown[])
        : undefined;
    if (listedResults)
      return listedResults.map((each) => ({
        id: undefined,
        content: typeof each === 'string' ? each : JSON.stringify(each),
      }));
    return [{ id: undefined, content: value }];
  }
  return responses.map((json) => {
    const response = parseBoundedJson(json);
    if (
      !('value' in response) ||
      typeof response.value !== 'object' ||
      response.value === null ||
      !('content' in response.value)
    )
      return { id: undefined, content: pythonStrip(json) };
    const { content } = response.value;
    return {
      id: textIn(response.value, 'tool_call_id'),
      content: typeof content === 'string' ? content : (contentJson(json) ?? JSON.stringify(content)),
    };
  });
}

/** Returns a result that is an object, as Python writes it. */
function contentJson(json: string): string | undefined {
  const whole = json.trimEnd();
  const [, text] = whole.endsWith('}') ? (/"content"\s*:\s*([[{][\s\S]*)$/.exec(whole.slice(0, -1)) ?? []) : [];
  return text === undefined ? undefined : pythonDumps(text.trim());
}
