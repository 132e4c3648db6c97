import * as z from 'zod';

/** One run of changed lines. `lines` carry their unified-diff mark: ' ', '+' or '-'. Line numbers start at 1. */
export const Hunk = z.object({
  oldStart: z.number(),
  oldLines: z.number(),
  newStart: z.number(),
  newLines: z.number(),
  lines: z.array(z.string()),
});
export type Hunk = z.infer<typeof Hunk>;

export const FileChange = z.object({
  path: z.string(),
  kind: z.enum(['created', 'modified', 'deleted']),
  added: z.number(),
  removed: z.number(),
  hunks: z.array(Hunk),
  /** Of a moved file: its path before. Absent: it is where it was. */
  from: z.string().optional(),
  /**
   * What the file held afterwards, as `FileSnapshot.version`; absent for a deleted file, and
   * for a moved one that the model never read.
   */
  version: z.string().optional(),
});
export type FileChange = z.infer<typeof FileChange>;

export const CommandEnd = z.enum([
  'exited',
  'timed_out',
  'interrupted',
  'waiting_for_input',
  'shell_died',
  'too_much_output',
]);
export type CommandEnd = z.infer<typeof CommandEnd>;

export const Todo = z.object({
  text: z.string(),
  state: z.enum(['pending', 'active', 'done', 'cancelled']),
  /** What a later change calls it; absent where lists are only replaced. */
  id: z.string().optional(),
});
export type Todo = z.infer<typeof Todo>;

/** What came of a session that an action began. `usage` counts its own children too. */
export const ChildReport = z.object({
  session: z.string(),
  title: z.string(),
  status: z.enum(['submitted', 'answered', 'limit_exceeded', 'failed', 'stopped', 'not_run']),
  summary: z.string(),
  steps: z.number(),
  seconds: z.number(),
  /** What it let in, so that its words count as they would here. */
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

/** What an observation means to a person: the model reads `content`, the card is drawn from this. */
export const Details = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('read'),
    path: z.string(),
    version: z.string(),
    fromLine: z.number(),
    toLine: z.number(),
    totalLines: z.number(),
    /** What the three numbers count if not lines; absent for a picture. */
    of: z.enum(['pages', 'picture']).optional(),
  }),
  z.object({
    kind: z.literal('page'),
    /** Where the page is from. */
    address: z.string(),
    /** As the server says, such as "text/html". */
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
    /** The edit waited for review, and no file was changed by the action. Absent: the files were changed. */
    held: z.literal(true).optional(),
  }),
  z.object({
    kind: z.literal('command'),
    end: CommandEnd,
    exitCode: z.number().nullable(),
    durationMs: z.number(),
    cwd: z.string(),
    tty: z.boolean(),
    /** Bytes the command printed; `content` may show fewer. */
    outputBytes: z.number(),
    /** How many characters at the beginning of `content` are what the command printed; the rest says how it ended. */
    outputCharacters: z.number().optional(),
    /** Where the whole output can be read, when it was cut. */
    fullOutput: z.string().optional(),
    /** On which side of a sandbox it ran; absent where there is none. */
    sandbox: z.enum(['inside', 'outside']).optional(),
    /** What the sandbox kept it from, as its last words say. */
    denied: z.enum(['network', 'files']).optional(),
  }),
  z.object({ kind: z.literal('todo'), items: z.array(Todo) }),
  z.object({ kind: z.literal('answer'), text: z.string() }),
  z.object({ kind: z.literal('note'), text: z.string() }),
  z.object({
    kind: z.literal('delegate'),
    children: z.array(ChildReport),
    /** The plan they follow, as pairs of child numbers: the second waits for the first. */ edges: z
      .array(z.tuple([z.number(), z.number()]))
      .optional(),
  }),
]);
export type Details = z.infer<typeof Details>;

/** What an action may leave that no undo of files takes back. */
export type LastingKind = 'network' | 'git' | 'packages' | 'outside' | 'database' | 'running' | 'other_tool';
