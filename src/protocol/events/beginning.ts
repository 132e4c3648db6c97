import * as z from 'zod';
import { AddedTool } from './calls';
import { Asking, Reach } from './risk';

/** An image for the model: its media type, such as "image/png", and its bytes in base64. */
export const Image = z.object({ mediaType: z.string(), data: z.string() });
export type Image = z.infer<typeof Image>;

/**
 * Context sent with a person's message: a mentioned item or the open editor, as it was at that moment. `text` is what
 * the model reads, fenced if it has other authors.
 */
export const ContextPart = z.object({
  /** "file", "selection" or "url": the kind of mention; "editor" for the open editor. */
  kind: z.string(),
  /** Label for people: "@src/a.ts:10-20, lines 10-20 of 240". */
  label: z.string(),
  text: z.string(),
  /** Estimated number of tokens. */
  tokens: z.number(),
  /** Source of the text, for the taint meter: a path or a URL. */
  source: z.string(),
  /** Trust level of the source; see core/security/taint/trust.ts. */
  trust: z.enum(['project', 'prose', 'others']),
});
export type ContextPart = z.infer<typeof ContextPart>;

/**
 * A part of the system prompt. `prefix` and `suffix` are a person's additions, `own` is the profile's text, `skills`
 * are the folder's skills, `memory` are notes of earlier sessions, `persona` describes the role.
 */
export const PromptPart = z.object({
  kind: z.enum(['prefix', 'own', 'skills', 'memory', 'persona', 'suffix']),
  text: z.string(),
});
export type PromptPart = z.infer<typeof PromptPart>;

export const Limits = z.object({ steps: z.number(), cost: z.number(), seconds: z.number() });
/** Maximum model calls, US dollars and seconds of work per task; 0 means no limit. */
export type Limits = z.infer<typeof Limits>;

/** Which actions wait for approval: all, those with a risk, or none. */
export const ConfirmationMode = z.enum(['always', 'risky', 'never']);
export type ConfirmationMode = z.infer<typeof ConfirmationMode>;

/** Mode of a session: ask before risky actions, never ask, only read, or let the person type each action. */
export const Mode = z.enum(['confirm', 'auto', 'plan', 'human']);
export type Mode = z.infer<typeof Mode>;

/** The model of a run. `contextWindow` is in tokens; null if unknown. */
export const ModelInfo = z.object({
  name: z.string(),
  /** Where the model runs, for people: "openai-compatible at 127.0.0.1:11434", "VS Code", "tutorial (scripted)". */
  provider: z.string(),
  contextWindow: z.number().nullable(),
  /** True for a model that plays a script. Displayed wherever the name is. */
  scripted: z.boolean().optional(),
  /** True for a model that never gets images. */
  textOnly: z.boolean().optional(),
});
export type ModelInfo = z.infer<typeof ModelInfo>;

/** Origin of a session's worktree. */
export const Worktree = z.object({
  /** Folder that its changes are brought back to. */
  of: z.string(),
  commit: z.string(),
  /** True if the worktree began with the uncommitted changes of that folder. */
  uncommitted: z.boolean(),
});
export type Worktree = z.infer<typeof Worktree>;

/** Container in which the commands of a session run. */
export const SessionContainer = z.object({
  /** Container engine as configured: "docker", "podman", or a path. */
  engine: z.string(),
  image: z.string(),
});
export type SessionContainer = z.infer<typeof SessionContainer>;

/** The start of a session: the task, what the model reads, and what it may do. */
export const taskStarted = () => ({
  task: z.string(),
  title: z.string(),
  /** Parts of the system prompt, in order. If absent, `systemPrompt` contains it in one piece. */
  promptParts: z.array(PromptPart).optional(),
  /** System prompt in one piece: in logs before format 3, and in logs read from files of other programs. */
  systemPrompt: z.string().optional(),
  model: ModelInfo,
  tools: z.array(z.string()),
  cwd: z.string(),
  confirmation: ConfirmationMode,
  limits: Limits,
  mode: Mode.optional(),
  asking: Asking.optional(),
  /** Name of the agent profile. */
  profile: z.string().optional(),
  /** Name of the dialect in which tools are offered; Waymark's own if absent. */
  dialect: z.string().optional(),
  /** Name of the trajectory format that the log was read from; absent for a run of Waymark. */
  origin: z.string().optional(),
  /** Added tools among `tools`, such as those of MCP servers and extensions. */
  addedTools: z.array(AddedTool).optional(),
  /** Toolsets from which `tools` was chosen, if they differ from the profile's. */
  toolsets: z.array(z.string()).optional(),
  disabledToolsets: z.array(z.string()).optional(),
  /** Extension that started the session; absent if a person did. The text of such a task is not trusted. */
  by: z.string().optional(),
  /** True if each user message is sent separately; if absent, adjacent ones are joined. */
  ownMessages: z.boolean().optional(),
  /** True if the end of the run lists what was done. */
  tellsResults: z.boolean().optional(),
  /** Inputs of the task other than its text, by name. */
  inputs: z.record(z.string(), z.string()).optional(),
  /** First message to the model in the profile's wording; the task itself if absent. */
  prompt: z.string().optional(),
  /** Items mentioned in the task, and images sent with it. */
  context: z.array(ContextPart).optional(),
  images: z.array(Image).optional(),
  /**
   * Hashes of what commands of this session would run at its start: `npm:FOLDER#SCRIPT`, `file:PATH`, `git`. If a hash
   * differs later, the command is high risk.
   */
  pins: z.record(z.string(), z.string()).optional(),
  /** Commit that was checked out in the folder when the session began. */
  commit: z.string().optional(),
  /** Skills in the system prompt at that time. Skills that always apply include their text, others only their name. */
  skills: z.array(z.object({ name: z.string(), path: z.string(), hash: z.string(), kind: z.string() })).optional(),
  /** Set if `cwd` is a worktree of the session; absent if the session works in the folder itself. */
  worktree: Worktree.optional(),
  /**
   * Container in which commands run. Absent if they run on this machine, sandboxed or not, and in logs from before this
   * field.
   */
  container: SessionContainer.optional(),
  /** File that defines the persona, which may also restrict what the session can do. */
  persona: z.object({ name: z.string(), path: z.string(), hash: z.string() }).optional(),
  /** Action of another session that started this one. `depth` is the number of ancestor sessions; 1 if absent. */
  parent: z
    .object({
      session: z.string(),
      actionId: z.string(),
      depth: z.number().int().optional(),
      /** Untrusted and secret data that the parent session had read when it wrote the task. */
      reach: Reach.optional(),
      /** Words of the task that the parent copied from such sources. For `trust`, see core/security/taint/trust.ts. */
      borrowed: z
        .array(
          z.object({
            word: z.string(),
            source: z.string(),
            trust: z.enum(['prose', 'others']),
            line: z.number().optional(),
          }),
        )
        .optional(),
    })
    .optional(),
});

/** Changed settings; absent ones stay the same. */
export const settingsChanged = () => ({
  model: ModelInfo.optional(),
  confirmation: ConfirmationMode.optional(),
  limits: Limits.optional(),
  title: z.string().optional(),
  mode: Mode.optional(),
  asking: Asking.optional(),
  /** Added tools from here on. */
  addedTools: z.array(AddedTool).optional(),
  /** True if the run pauses at every checkpoint. */
  stepping: z.boolean().optional(),
  /** Container for commands from here on; null means that they run on this machine. */
  container: SessionContainer.nullable().optional(),
});
