import { specTypeSchemas, type Transport } from '@modelcontextprotocol/client';
import { showInvisibleInLine } from '../../protocol/plain/invisible';
import { schemaProblem } from '../../core/mcp/schemaProblem';
import { withCommas } from '../../core/text/withCommas';
import { truncate } from '../../protocol/plain/truncate';

/**
 * Removes malformed tools from what a server lists, before the package reads it: because of one of them it would reject
 * the whole list, and a model server would reject every request. Also removes those that Waymark cannot call. `warn` is
 * called for each. Call this before the transport is connected.
 */
export function dropUnusableTools(transport: Pick<Transport, 'onmessage'>, warn: (words: string) => void): void {
  transport.onmessage = (message) => {
    const result = 'result' in message ? (message.result as Record<string, unknown>) : undefined;
    if (!Array.isArray(result?.['tools'])) return;
    result['tools'] = result['tools'].filter((tool: unknown) => {
      const wrong = whatIsWrong(tool);
      if (wrong !== undefined) {
        const name = JSON.stringify((tool as { name?: unknown } | null)?.name ?? 'without a name');
        warn(`The tool ${shortWords(name, 100)} is not offered: ${shortWords(wrong, 300)}.`);
      }
      return wrong === undefined;
    });
  };
}

/** Returns words of a server for people, short and with invisible characters named. */
const shortWords = (words: string, most: number): string => showInvisibleInLine(truncate(words, most));

/**
 * Maximum length of one tool with its description and schema, in characters: each request to the model contains them.
 */
const maxToolLength = 100_000;

function whatIsWrong(tool: unknown): string | undefined {
  if (JSON.stringify(tool).length > maxToolLength) return `it is longer than ${withCommas(maxToolLength)} characters`;
  const checked = specTypeSchemas.Tool['~standard'].validate(tool);
  const issue = 'issues' in checked ? checked.issues?.[0] : undefined;
  if (!issue) {
    const { name, inputSchema, execution } = tool as {
      name: string;
      inputSchema: unknown;
      execution?: { taskSupport?: unknown };
    };
    // Approvals are stored as an object with the names as keys. Its reader leaves this key out.
    if (name === '__proto__') return 'its name must not be "__proto__"';
    if (execution?.taskSupport === 'required') return 'it runs only as a task of the protocol, which is not supported';
    return schemaProblem(inputSchema, 'its inputSchema');
  }
  const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
  const value = path.reduce<unknown>(
    (inside, key) => (inside as Record<string, unknown> | null | undefined)?.[key],
    tool,
  );
  if (path.length === 0) return 'it is not an object';
  const wrong = value === undefined ? 'is missing' : `must not be ${JSON.stringify(value).slice(0, 100)}`;
  return `its ${path.join('.')} ${wrong}`;
}
