import { withoutInvisible } from '../text/spotlight';
import { addedTool } from '../tools/addedTool';
import type { Tool, ToolContext, ToolResult } from '../ports/tool';
import type { DescribedTool } from './approval';

/** Calls a tool of a server. Throws an `Error` with a message for the model if there is no result. */
export type CallTool = (
  tool: string,
  input: Record<string, unknown>,
  context: Pick<ToolContext, 'signal' | 'progress' | 'environment'>,
) => Promise<ToolResult>;

/** Name of a server as a source: in logs, on cards and in the taint meter. */
export const serverSource = (server: string): string =>
  `the MCP server ${withoutInvisible(server).replace(/[\s<>]+/g, ' ')}`;

/**
 * Returns a tool of a server for the model. Only the server knows what it does, so it always needs approval, whatever
 * the server claims. An allow rule applies only to this tool with exactly this description, and only while the server is
 * started as it was then: another program under the same name may describe its tools in the same words.
 */
export function mcpTool(
  described: DescribedTool,
  {
    name,
    server,
    hash,
    launch,
    call,
  }: {
    readonly name: string;
    readonly server: string;
    readonly hash: string;
    /** The `launchHash` with which the server was started. */
    readonly launch: string;
    readonly call: CallTool;
  },
): Tool {
  const source = serverSource(server);
  const hints = hintsOf(described);
  return addedTool({
    name,
    description: described.description ?? described.title ?? '',
    parameters: described.inputSchema,
    from: { source, tool: described.name, hash },
    effect: 'executes',
    risk: {
      level: 'unknown',
      reasons: [
        `Calls ${shortName(described.name)}; only ${source} knows what it does.${hints === '' ? '' : ` According to the server, ${hints}.`}`,
      ],
      reach: { untrusted: [source], network: [source] },
      categories: ['network'],
    },
    summarize: () => `Call ${shortName(described.name)} of ${source}`,
    allowKey: `${described.name} of ${source} (${hash.slice(0, 12)}, started as ${launch.slice(0, 12)})`,
    run: (input, context) => call(described.name, input, context),
  });
}

const shortName = (name: string): string => withoutInvisible(name).replace(/\s+/g, ' ').slice(0, 100);

function hintsOf({ annotations = {} }: DescribedTool): string {
  const hints = [
    annotations['readOnlyHint'] === true && 'it only reads',
    annotations['destructiveHint'] === true && 'it may destroy data',
    annotations['openWorldHint'] === true && 'it reaches external systems',
  ];
  return hints.filter(Boolean).join(', ');
}
