import type { ToolSchema } from '../../ports/model';
import type { Tool } from '../../ports/tool';
import type { Dialect, Form } from './dialect';

/**
 * How a tool is offered; undefined where it is not, because another one does its work.
 * Tools without a form speak for themselves.
 */
export function offeredForm(tool: Tool, dialect: Dialect, tools: readonly Tool[]): Tool | Form | undefined {
  const replaced = dialect.replaced.some(([one, by]) => one === tool && tools.includes(by));
  return replaced ? undefined : (formOf(tool, dialect) ?? tool);
}

export const formOf = (tool: Tool, dialect: Dialect): Form | undefined =>
  dialect.forms.find((form) => form.tool === tool);

/** The tools as a model is told of them. */
export function offeredTools(tools: readonly Tool[], dialect: Dialect): ToolSchema[] {
  const forms = tools.flatMap((tool) => offeredForm(tool, dialect, tools) ?? []);
  return forms.map(({ name, description, parameters }) => ({ name, description, parameters }));
}
