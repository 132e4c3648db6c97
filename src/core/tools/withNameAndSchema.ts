import type * as z from 'zod';
import { defineTool } from './defineTool';
import type { Tool } from '../ports/tool';

interface Adaptation<Schema extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: Schema;
  accept?(raw: unknown): unknown;
  /** Translates the input into the input of `tool`. */
  translate(input: z.output<Schema>): unknown;
}

/**
 * Exposes a tool under another name and schema. Behavior, touched paths, prompts and permissions are those of the
 * original tool.
 */
export function withNameAndSchema<Schema extends z.ZodType>(
  tool: Tool,
  { translate, ...spec }: Adaptation<Schema>,
): Tool {
  const same = (input: z.output<Schema>) => tool.bind(translate(input));
  return defineTool({
    ...spec,
    effect: tool.effect,
    summarize: (input) => same(input).summary,
    touches: (input) => same(input).touches,
    assess: (input) => same(input).risk,
    allowKey: (input) => same(input).allowKey,
    ...(tool.effect === 'asks' && { question: (input: z.output<Schema>) => same(input).question! }),
    run: (input, context) => same(input).run(context),
  });
}
