import { toolChanges, toolHash, type Approval, type DescribedTool, type ToolChanges } from '../../core/mcp/approval';
import { mcpTool, type CallTool } from '../../core/mcp/mcpTool';
import { toolNames } from '../../core/mcp/toolNames';
import type { Tool } from '../../core/ports/tool';
import type { Prompt, Resource, ResourceTemplate } from '../../core/mcp/offers';
import type { McpConnection } from './connectToServer';

const none: ToolChanges = { same: [], added: [], changed: [], gone: [] };

/** The tools of one server that the model may see: the approved ones, in their approved form. */
export class OfferedTools {
  /** How the listed tools differ from the approved ones. */
  changes: ToolChanges = none;
  list: readonly Tool[] = [];
  /** How the server was started that listed these tools (`launchHash`). */
  private launch = '';

  constructor(
    private readonly server: string,
    /** Prefix of the names of its tools. */ private readonly prefix: string,
    /** Prefixes of other servers with which no name may begin. */ private readonly longer: readonly string[],
    /** Calls a tool of the server if it was started with this hash. */
    private readonly call: (launch: string) => CallTool,
  ) {}

  /** All tools that the server lists, approved or not. */
  get listed(): readonly DescribedTool[] {
    return [...this.changes.same, ...this.changes.added, ...this.changes.changed];
  }

  /** Returns whether a tool is approved, and still belongs to the server that was started with this hash. */
  isAgreed(name: string, launch: string): boolean {
    return launch === this.launch && this.changes.same.some((tool) => tool.name === name);
  }

  /**
   * `listed`: all tools that the server lists, `launch`: how it was started. An unchanged tool stays the same object.
   */
  async update(agreed: Approval['tools'], listed: readonly DescribedTool[], launch: string): Promise<void> {
    if (launch !== this.launch) this.list = [];
    this.launch = launch;
    this.changes = await toolChanges(agreed, listed);
    const names = toolNames(
      this.prefix,
      listed.map(({ name }) => name),
      this.longer,
    );
    const known = new Map(this.list.map((tool) => [approvalKey(tool.name, tool.from!.hash), tool]));
    const offered = this.changes.same.map(async (tool) => {
      const name = names.get(tool.name);
      if (name === undefined) return [];
      const hash = await toolHash(tool);
      const same = known.get(approvalKey(name, hash));
      return [same ?? mcpTool(tool, { name, hash, launch, server: this.server, call: this.call(launch) })];
    });
    this.list = (await Promise.all(offered)).flat();
  }

  clear(): void {
    this.changes = none;
    this.list = [];
  }
}

const approvalKey = (name: string, hash: string | undefined): string => `${name} ${hash}`;

/**
 * Reads everything that a server offers. A list that it does not support or cannot return is empty; only the list of
 * tools is required.
 */
export async function listsOf({ client, signedInAfter }: Pick<McpConnection, 'client' | 'signedInAfter'>): Promise<{
  tools: DescribedTool[];
  prompts: Prompt[];
  resources: Resource[];
  templates: ResourceTemplate[];
}> {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const options = { timeout: 30_000, cacheMode: 'refresh' } as const;
  /** Reads a list, again after the user signed in if the server requires that. */
  const read = <List>(list: () => Promise<List>): Promise<List> =>
    list().catch(async (error: unknown) => {
      if (!(await signedInAfter(error))) throw error;
      return list();
    });
  const [toolList, promptList, resourceList, templateList] = await Promise.all([
    tools ? read(() => client.listTools(undefined, options)).catch(throwReadable) : undefined,
    prompts ? read(() => client.listPrompts(undefined, options)).catch(() => undefined) : undefined,
    resources ? read(() => client.listResources(undefined, options)).catch(() => undefined) : undefined,
    resources ? read(() => client.listResourceTemplates(undefined, options)).catch(() => undefined) : undefined,
  ]);
  return {
    tools: (toolList?.tools ?? []).map(({ name, title, description, inputSchema, annotations }) => ({
      name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      inputSchema: inputSchema as Record<string, unknown>,
      ...(annotations && { annotations: annotations as Record<string, unknown> }),
    })),
    prompts: (promptList?.prompts ?? []).map(({ name, description = '', arguments: inputs = [] }) => ({
      name,
      description,
      inputs: inputs.map((input) => ({
        name: input.name,
        description: input.description ?? '',
        required: input.required === true,
      })),
    })),
    resources: (resourceList?.resources ?? []).map(({ uri, name, description = '', mimeType = '' }) => ({
      uri,
      name,
      description,
      mediaType: mimeType,
    })),
    templates: (templateList?.resourceTemplates ?? []).map(({ uriTemplate, name, description = '' }) => ({
      template: uriTemplate,
      name,
      description,
    })),
  };
}

/** The package reports a malformed list as JSON with everything that it expected. */
function throwReadable(error: unknown): never {
  const { code } = error as { code?: unknown };
  if (code === 'LIST_PAGINATION_EXCEEDED')
    throw new Error('Its list of tools does not end: after 64 pages there is still a next one.', { cause: error });
  if (code === 'INVALID_RESULT')
    throw new Error(
      'Its list of tools does not follow the Model Context Protocol, so it cannot be read. A newer version of the server may help.',
      { cause: error },
    );
  throw error;
}
