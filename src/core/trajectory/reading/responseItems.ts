import { contentText, foreignResultText } from './contentParts';
import { listIn, textIn, type JsonObject } from './json';
import type { StoredCall } from './logBuilder';
import { isRecord } from '../../text/parseJson';

/**
 * One item of OpenAI's Responses API, which has no role: a call, a result or a thought. Undefined for anything else.
 */
type ReadItem =
  | { readonly kind: 'call'; readonly call: StoredCall }
  | { readonly kind: 'result'; readonly id: string | undefined; readonly content: string }
  | { readonly kind: 'thought'; readonly text: string };

/** Results of calls of any kind: `function_call_output`, `custom_tool_call_output`, `local_shell_call_output` … */
const resultType = /_call_output$/;
/** Calls of functions, of free-form tools, and of tools that the provider runs itself: `web_search_call` … */
const callType = /(?:^|_)call$/;

/** Parses an item of a response: a call, a result or reasoning. Returns undefined for messages and unknown items. */
export function itemOf(value: unknown): ReadItem | undefined {
  const type = textIn(value, 'type') ?? '';
  if (!isRecord(value) || textIn(value, 'role') !== undefined) return undefined;
  const id = textIn(value, 'call_id') ?? textIn(value, 'id');
  if (resultType.test(type)) return { kind: 'result', id, content: foreignResultText(value['output']) };
  if (type === 'reasoning') return { kind: 'thought', text: thoughtOf(value) };
  if (!callType.test(type)) return undefined;
  return {
    kind: 'call',
    call: { id, tool: textIn(value, 'name') ?? type.replace(/_call$/, ''), arguments: argumentsOf(value) },
  };
}

/** Returns the full thought if it is available, else the summary. */
function thoughtOf(item: JsonObject): string {
  const text = contentText(item['content']) ?? '';
  const summary = contentText(item['summary']) ?? '';
  if (text !== '' || summary !== '') return text || summary;
  return textIn(item, 'encrypted_content') === undefined ? '' : '[encrypted by the provider]';
}

function argumentsOf(item: JsonObject): unknown {
  if ('arguments' in item) return item['arguments'];
  if ('input' in item) return { input: item['input'] };
  return item['action'] ?? {};
}

/** Items of one response of that API. */
export interface ReadOutput {
  readonly text: string;
  readonly thoughts: string;
  readonly calls: readonly StoredCall[];
  /** Items of unknown kinds, with their indexes. */
  readonly unknown: readonly { readonly index: number; readonly kind: string }[];
}

/** Joins the items of a response into one reply. `unknown` in the result lists items of other types. */
export function responseOutput(items: readonly unknown[]): ReadOutput {
  const read = items.map((item, index) => ({ item, index, found: itemOf(item) }));
  const isMessage = (item: unknown): boolean =>
    textIn(item, 'role') !== undefined || textIn(item, 'type') === 'message';
  return {
    text: read
      .flatMap(({ item }) => (isMessage(item) ? (contentText((item as JsonObject)['content']) ?? []) : []))
      .filter(Boolean)
      .join('\n'),
    thoughts: read
      .flatMap(({ found }) => (found?.kind === 'thought' ? found.text : []))
      .filter(Boolean)
      .join('\n'),
    calls: read.flatMap(({ found }) => (found?.kind === 'call' ? found.call : [])),
    unknown: read.flatMap(({ item, index, found }) =>
      found || isMessage(item) ? [] : { index, kind: textIn(item, 'type') ?? typeof item },
    ),
  };
}

/** True if a list is the output of a Responses API response. */
export const isOutput = (value: unknown): boolean =>
  (listIn(value, 'output') ?? []).some((item) => textIn(item, 'type') !== undefined);
