import { withoutInvisible } from '../text/spotlight';
import { addedTool } from '../tools/addedTool';
import type { Tool, ToolContext, ToolResult } from '../ports/tool';
import type { ToldTool } from './approval';

/** Calls a tool of a server. Throws an `Error` in words for the model where it gives no answer. */
export type CallTool = (
  tool: string,
  input: Record<string, unknown>,
  context: Pick<ToolContext, 'signal' | 'progress' | 'environment'>,
) => Promise<ToolResult>;

/** How a server is called wherever it is a source: in logs, on cards, by the taint meter. */
export const sourceOf = (server: string): string =>
  `the MCP server ${withoutInvisible(server).replace(/[\s<>]+/g, ' ')}`;

/**
 * A tool of a server as the model has it. What it does only its server knows, so nobody can judge it
 * and a person is asked, whatever the server says of it; a standing permission holds for this tool
 * with exactly this description and no other.
 */
export function mcpTool(
  told: ToldTool,
  {
    name,
    server,
    hash,
    call,
  }: { readonly name: string; readonly server: string; readonly hash: string; readonly call: CallTool },
): Tool {
  const source = sourceOf(server);
  const hints = hintsOf(told);
  return addedTool({
    name,
    description: told.description ?? told.title ?? '',
    parameters: told.inputSchema,
    from: { source, tool: told.name, hash },
    effect: 'executes',
    risk: {
      level: 'unknown',
      reasons: [
        `Only ${source} knows what ${shortName(told.name)} does.${hints === '' ? '' : ` It says itself: ${hints}.`}`,
      ],
      reach: { untrusted: [source], network: [source] },
      categories: ['network'],
    },
    summarize: () => `Call ${shortName(told.name)} of ${source}`,
    allowKey: `${told.name} of ${source} (${hash.slice(0, 12)})`,
    run: (input, context) => call(told.name, input, context),
  });
}

const shortName = (name: string): string => withoutInvisible(name).replace(/\s+/g, ' ').slice(0, 100);

function hintsOf({ annotations = {} }: ToldTool): string {
  const said = [
    annotations['readOnlyHint'] === true && 'it only reads',
    annotations['destructiveHint'] === true && 'it may destroy',
    annotations['openWorldHint'] === true && 'it reaches other places',
  ];
  return said.filter(Boolean).join(', ');
}
