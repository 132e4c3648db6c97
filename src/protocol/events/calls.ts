import * as z from 'zod';

/**
 * Who gives a tool that is not one of Waymark's own: "the MCP server github", its name
 * there, and the hash of what it says of itself.
 */
export const ToolOrigin = z.object({ source: z.string(), tool: z.string(), hash: z.string().optional() });
export type ToolOrigin = z.infer<typeof ToolOrigin>;

/** A tool that a session got besides Waymark's own, as the model sees it. */
export const AddedTool = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  from: ToolOrigin,
});
export type AddedTool = z.infer<typeof AddedTool>;

/**
 * How a model called a tool of Waymark in the words of a dialect. Arguments that differ
 * from the action's input are its `rawInput`.
 */
export const Called = z.object({
  name: z.string(),
  /**
   * Names of arguments that are not those of the offered form. Set, like `note`, where the call was not in that form.
   */
  words: z.array(z.string()).optional(),
  /** What the model was told about it, once for each such form. */
  note: z.string().optional(),
});
export type Called = z.infer<typeof Called>;
