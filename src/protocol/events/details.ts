import * as z from 'zod';

/** A hunk of changed lines. `lines` start with their unified-diff marker: ' ', '+' or '-'. Line numbers start at 1. */
export const Hunk = z.object({
  oldStart: z.number(),
  oldLines: z.number(),
  newStart: z.number(),
  newLines: z.number(),
  lines: z.array(z.string()),
});
export type Hunk = z.infer<typeof Hunk>;

/** What an edit changed in one file. `added` and `removed` are numbers of lines. */
export const FileChange = z.object({
  path: z.string(),
  kind: z.enum(['created', 'modified', 'deleted']),
  added: z.number(),
  removed: z.number(),
  hunks: z.array(Hunk),
  /** Previous path of a moved file; absent if it was not moved. */
  from: z.string().optional(),
  /**
   * Version after the change, as in `FileSnapshot.version`. Absent for a deleted file, and for a moved one that the
   * model never read.
   */
  version: z.string().optional(),
});
export type FileChange = z.infer<typeof FileChange>;

/** How a command ended. After `waiting_for_input` it is still running. */
export const CommandEnd = z.enum([
  'exited',
  'timed_out',
  'interrupted',
  'waiting_for_input',
  'shell_died',
  'too_much_output',
  'not_run',
]);
export type CommandEnd = z.infer<typeof CommandEnd>;

/** An entry of the agent's task list. */
export const Todo = z.object({
  text: z.string(),
  state: z.enum(['pending', 'active', 'done', 'cancelled']),
  /** Id for later changes; absent if lists are only replaced as a whole. */
  id: z.string().optional(),
});
export type Todo = z.infer<typeof Todo>;

/** Result of a session that an action started. `usage` includes its own child sessions. */
export const ChildReport = z.object({
  session: z.string(),
  title: z.string(),
  status: z.enum(['submitted', 'answered', 'limit_exceeded', 'failed', 'stopped', 'not_run']),
  summary: z.string(),
  steps: z.number(),
  seconds: z.number(),
  /** Untrusted sources that it read, so that its report is treated like those. */
  untrusted: z.array(z.string()).optional(),
  secret: z.array(z.string()).optional(),
  usage: z.object({
    inputTokens: z.number().nullable(),
    outputTokens: z.number().nullable(),
    cachedTokens: z.number().nullable(),
    cost: z.number().nullable(),
  }),
});
export type ChildReport = z.infer<typeof ChildReport>;

/** Structured result of an action for display. The model reads `content` instead. */
export const Details = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('read'),
    path: z.string(),
    version: z.string(),
    fromLine: z.number(),
    toLine: z.number(),
    totalLines: z.number(),
    /** Unit of the three numbers if not lines. Absent for an image. */
    of: z.enum(['pages', 'picture']).optional(),
  }),
  z.object({
    kind: z.literal('page'),
    /** URL of the page. */
    address: z.string(),
    /** Content type from the server, such as "text/html". */
    type: z.string(),
    bytes: z.number(),
    title: z.string().optional(),
  }),
  z.object({ kind: z.literal('list'), path: z.string(), entries: z.number(), truncated: z.boolean() }),
  z.object({
    kind: z.literal('search'),
    query: z.string(),
    files: z.number(),
    matches: z.number(),
    truncated: z.boolean(),
  }),
  z.object({
    kind: z.literal('edit'),
    changes: z.array(FileChange),
    /** Set if the edit was held for review and no file was changed. If absent, the files were changed. */
    held: z.literal(true).optional(),
  }),
  z.object({
    kind: z.literal('command'),
    end: CommandEnd,
    exitCode: z.number().nullable(),
    durationMs: z.number(),
    cwd: z.string(),
    tty: z.boolean(),
    /** Bytes that the command printed; `content` may contain fewer. */
    outputBytes: z.number(),
    /** Number of characters at the beginning of `content` that the command printed; the rest describes how it ended. */
    outputCharacters: z.number().optional(),
    /** File with the full output, if it was truncated. */
    fullOutput: z.string().optional(),
    /** Whether it ran inside or outside the sandbox; absent if there is none. */
    sandbox: z.enum(['inside', 'outside']).optional(),
    /** What the sandbox denied, judging by the end of the output. */
    denied: z.enum(['network', 'files']).optional(),
    /** True if the sandbox had no network, not even allowed domains. */
    offline: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('todo'), items: z.array(Todo) }),
  z.object({
    kind: z.literal('tools'),
    query: z.string(),
    /** Names of the deferred tools that later requests offer. */
    found: z.array(z.string()),
  }),
  z.object({ kind: z.literal('answer'), text: z.string() }),
  z.object({ kind: z.literal('note'), text: z.string() }),
  z.object({
    kind: z.literal('delegate'),
    children: z.array(ChildReport),
    /** Dependencies of the plan, as pairs of child indexes: the second waits for the first. */
    edges: z.array(z.tuple([z.number(), z.number()])).optional(),
  }),
]);
export type Details = z.infer<typeof Details>;

/** Kind of effect that remains after files are restored. */
export type LastingKind = 'network' | 'git' | 'packages' | 'outside' | 'database' | 'running' | 'other_tool';
