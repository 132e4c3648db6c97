import type { DescribedTool } from '../../core/mcp/approval';
import type { Prompt, Resource, ResourceTemplate } from '../../core/mcp/offers';
import type { Connection } from './connect';

/**
 * Reads everything that a server offers. A list that it does not support or cannot return is empty; only the list of
 * tools is required.
 */
export async function listsOf({ client, signedInAfter }: Pick<Connection, 'client' | 'signedInAfter'>): Promise<{
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
