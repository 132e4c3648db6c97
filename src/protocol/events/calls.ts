import * as z from 'zod';

/** Provider of an added tool: "the MCP server github", the tool's name there, and the hash of its self-description. */
export const ToolOrigin = z.object({ source: z.string(), tool: z.string(), hash: z.string().optional() });
export type ToolOrigin = z.infer<typeof ToolOrigin>;

/** A tool that a session has besides Waymark's own, as the model sees it. */
export const AddedTool = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  from: ToolOrigin,
  /** What a call does. Absent if it may do anything, and in logs of earlier versions. */
  effect: z.enum(['reads', 'writes']).optional(),
  /** Set if it is offered only after the model has found it, because there are too many to send with each request. */
  deferred: z.literal(true).optional(),
});
export type AddedTool = z.infer<typeof AddedTool>;

/**
 * How a model called one of Waymark's tools in another dialect. If the arguments differ from the action's input, they
 * are in `rawInput`.
 */
export const Called = z.object({
  name: z.string(),
  /** Argument names that the offered form does not have. Like `note`, only set if the call used another form. */
  words: z.array(z.string()).optional(),
  /** Note to the model about it, sent once per form. */
  note: z.string().optional(),
});
export type Called = z.infer<typeof Called>;
