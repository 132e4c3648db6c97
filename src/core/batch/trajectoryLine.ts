import * as z from 'zod';
import type { History } from '../log/projection';
import { knownToolsets } from '../tools/toolsets';
import { pythonTurns } from '../trajectory/formats/sharegpt';
import { pythonDumps } from '../trajectory/pythonJson';
import { localTime } from '../trajectory/times';
import type { TaskResult } from './taskResult';
import { withEveryTool } from './toolUse';

/** Names of all built-in tools, in alphabetical order. */
export const everyTool: readonly string[] = [
  ...new Set(knownToolsets.flatMap(({ tools }) => tools.map(({ name }) => name))),
].sort();

/**
 * Tools that were called but do not exist, or are not built in. Such conversations are left out of
 * `trajectories.jsonl`.
 */
export const unknownToolsIn = (use: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(use).filter((tool) => !knownTools.has(tool));
const knownTools: ReadonlySet<string> = new Set(everyTool);

/** Fields of a line in addition to the conversation. */
type LineExtras = Pick<
  TaskResult,
  'index' | 'batch' | 'completed' | 'partial' | 'steps' | 'toolsets' | 'tools' | 'model'
>;

/**
 * Formats a line of `batch_N.jsonl` with its newline. Fields, order and spaces are as written by the batch runner of
 * Hermes Agent. `id`: the id from the dataset; datasets of Hermes Agent have none.
 */
export function trajectoryLine(history: History, extras: LineExtras, at: number, id?: string): string {
  const { conversations } = pythonTurns(history);
  const tools = withEveryTool(extras.tools, everyTool);
  const failures = Object.fromEntries(Object.entries(tools).map(([tool, { failure }]) => [tool, failure]));
  const fields: [string, unknown][] = [
    [
      'metadata',
      { batch_num: extras.batch, timestamp: localTime(at), model: extras.model, ...(id && { task_id: id }) },
    ],
    ['completed', extras.completed],
    ['partial', extras.partial],
    ['api_calls', extras.steps],
    ['toolsets_used', extras.toolsets],
    ['tool_stats', tools],
    ['tool_error_counts', failures],
  ];
  const rest = fields.map(([name, value]) => `"${name}": ${pythonDumps(JSON.stringify(value))!}`);
  return `{"prompt_index": ${extras.index}, "conversations": ${conversations}, ${rest.join(', ')}}\n`;
}

/** Fields to read from an existing line, which Hermes Agent may have written. */
const WrittenLine = z.object({
  prompt_index: z.number(),
  conversations: z.array(z.object({ from: z.string(), value: z.string() })),
  metadata: z.object({ task_id: z.string().optional(), model: z.string().optional() }).optional(),
  completed: z.boolean().optional(),
  partial: z.boolean().optional(),
  api_calls: z.number().optional(),
  toolsets_used: z.array(z.string()).optional(),
  tool_stats: z.record(z.string(), z.unknown()).optional(),
  failed: z.boolean().optional(),
});
type WrittenLine = z.infer<typeof WrittenLine>;

/** Returns undefined if the text is not a line of a batch file. */
export function readLine(text: string): WrittenLine | undefined {
  try {
    return WrittenLine.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The task as the person wrote it, trimmed. */
export const promptOf = ({ conversations }: WrittenLine): string =>
  (conversations.find(({ from }) => from === 'human')?.value ?? '').trim();

/** Returns a key for a line that does not depend on the order of the dataset. `hash`: hashes a text. */
export function keyOfLine(line: WrittenLine, hash: (text: string) => string): string {
  return lineKey({ id: line.metadata?.task_id, index: line.prompt_index, prompt: promptOf(line) }, hash);
}

/** Key of the line of a task, whether or not it is written yet. */
export const lineKey = (
  { id, index, prompt }: { readonly id: string | undefined; readonly index: number; readonly prompt: string },
  hash: (text: string) => string,
): string => id ?? `${index} ${hash(prompt.trim())}`;
