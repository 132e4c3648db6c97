import type { ToolSchema } from '../../ports/model';
import type { Tool } from '../../ports/tool';
import type { Dialect, Form } from './dialect';

/**
 * Returns the form in which a tool is offered, or the tool itself if the dialect has no form for it. Returns undefined
 * if another tool replaces it.
 */
export function offeredForm(tool: Tool, dialect: Dialect, tools: readonly Tool[]): Tool | Form | undefined {
  const replaced = dialect.replaced.some(([one, by]) => one === tool && tools.includes(by));
  return replaced ? undefined : (formOf(tool, dialect) ?? tool);
}

export const formOf = (tool: Tool, dialect: Dialect): Form | undefined =>
  dialect.forms.find((form) => form.tool === tool);

/** Returns the schemas of the tools that the model is offered. */
export function offeredTools(tools: readonly Tool[], dialect: Dialect): ToolSchema[] {
  const forms = tools.flatMap((tool) => offeredForm(tool, dialect, tools) ?? []);
  return forms.map(({ name, description, parameters }) => ({ name, description, parameters }));
}
