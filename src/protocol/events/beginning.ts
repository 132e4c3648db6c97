import * as z from 'zod';
import { AddedTool } from './calls';
import { Asking, Reach } from './risk';

/** A picture for the model: "image/png" and its bytes in base64. */
export const Image = z.object({ mediaType: z.string(), data: z.string() });
export type Image = z.infer<typeof Image>;

/**
 * Something sent with a person's message: what it pointed at or what was open, as it was at that moment. `text` is what
 * the model reads, fenced if others wrote it.
 */
export const ContextPart = z.object({
  /** "file", "selection", "url": the kind of mention, or "editor" for what was open. */
  kind: z.string(),
  /** "@src/a.ts:10-20, lines 10-20 of 240" */
  label: z.string(),
  text: z.string(),
  /** Estimated. */
  tokens: z.number(),
  /** Where the words come from, for the taint meter: a path, an address. */
  source: z.string(),
  /** Who vouches for it; as in core/security/taint/trust.ts. */
  trust: z.enum(['project', 'prose', 'others']),
});
export type ContextPart = z.infer<typeof ContextPart>;

/**
 * A part of the system prompt. `prefix` and `suffix` are a person's words around it, `own` are the words of the way of
 * working, `skills` what the folder teaches, `memory` notes of earlier sessions, `persona` who works.
 */
export const PromptPart = z.object({
  kind: z.enum(['prefix', 'own', 'skills', 'memory', 'persona', 'suffix']),
  text: z.string(),
});
export type PromptPart = z.infer<typeof PromptPart>;

export const Limits = z.object({ steps: z.number(), cost: z.number(), seconds: z.number() });
/** Model calls, US dollars and seconds of work a task may use; 0 is no limit. */
export type Limits = z.infer<typeof Limits>;

export const ConfirmationMode = z.enum(['always', 'risky', 'never']);
export type ConfirmationMode = z.infer<typeof ConfirmationMode>;

/** Who acts and what it may do: ask where it is risky; ask nothing; only look; let the person type each action. */
export const Mode = z.enum(['confirm', 'auto', 'plan', 'human']);
export type Mode = z.infer<typeof Mode>;

export const ModelInfo = z.object({
  name: z.string(),
  /** Where it runs, for a person: "openai-compatible at 127.0.0.1:11434", "VS Code", "tutorial (scripted)". */
  provider: z.string(),
  contextWindow: z.number().nullable(),
  /** True for a model that plays a script; said wherever the name is shown. */
  scripted: z.boolean().optional(),
});
export type ModelInfo = z.infer<typeof ModelInfo>;

/** What the worktree of a session was made from. */
export const Worktree = z.object({
  /** The folder that its changes are brought back to. */
  of: z.string(),
  commit: z.string(),
  /** Whether it began with what was not committed there. */
  uncommitted: z.boolean(),
});
export type Worktree = z.infer<typeof Worktree>;

/** The container that the commands of a session run in. */
export const SessionContainer = z.object({
  /** The program that runs it, as it was named: "docker", "podman", or a path. */
  engine: z.string(),
  image: z.string(),
});
export type SessionContainer = z.infer<typeof SessionContainer>;

/** How a session begins: the task, what the model reads, and what it may do. */
export const taskStarted = () => ({
  task: z.string(),
  title: z.string(),
  /** The system prompt by what it is made of, in order. Absent: `systemPrompt` holds it in one piece. */
  promptParts: z.array(PromptPart).optional(),
  /**
   * The system prompt in one piece: in logs before format 3, and in those that were read from files of other
   * programs.
   */
  systemPrompt: z.string().optional(),
  model: ModelInfo,
  tools: z.array(z.string()),
  cwd: z.string(),
  confirmation: ConfirmationMode,
  limits: Limits,
  mode: Mode.optional(),
  asking: Asking.optional(),
  /** The agent profile by name. */
  profile: z.string().optional(),
  /** The dialect in which tools are offered, by name: Waymark's own when absent. */
  dialect: z.string().optional(),
  /** The trajectory format that the log was read from, by name; absent for a run of Waymark itself. */
  origin: z.string().optional(),
  /** Those of `tools` that others give. */
  addedTools: z.array(AddedTool).optional(),
  /** Where not those of the profile: what `tools` was chosen by. */
  toolsets: z.array(z.string()).optional(),
  disabledToolsets: z.array(z.string()).optional(),
  /** The extension that began it, where no person did: nobody vouches for the words of such a task. */
  by: z.string().optional(),
  /** Whether each message of the user is sent as one of its own; absent: neighbours are joined. */
  ownMessages: z.boolean().optional(),
  /** Whether the end of the run lists what was done; absent: it does not. */
  tellsResults: z.boolean().optional(),
  /** What was given beside the task, by name. */
  inputs: z.record(z.string(), z.string()).optional(),
  /** The first message to the model as the profile words it; the task itself when absent. */
  prompt: z.string().optional(),
  /** What the task points at, and pictures beside it. */
  context: z.array(ContextPart).optional(),
  images: z.array(Image).optional(),
  /**
   * What commands of this session would run, by hash, when it began: `npm:FOLDER#SCRIPT`, `file:PATH`, `git`.
   * Another hash later makes a command high.
   */
  pins: z.record(z.string(), z.string()).optional(),
  /** The commit of the folder that was checked out when the session began. */
  commit: z.string().optional(),
  /**
   * The skills in the system prompt, as they were then: those that always apply with their text, the others by name.
   */
  skills: z.array(z.object({ name: z.string(), path: z.string(), hash: z.string(), kind: z.string() })).optional(),
  /** Where `cwd` is a worktree of its own; absent: the session works in the folder itself. */
  worktree: Worktree.optional(),
  /** Where commands run. Absent, as in all logs from before this field: on this machine, in the sandbox or not. */
  container: SessionContainer.optional(),
  /** The file that says who works; what it may do was narrowed by it. */
  persona: z.object({ name: z.string(), path: z.string(), hash: z.string() }).optional(),
  /** The action of another session that this one works for. `depth` counts the sessions above; 1 when absent. */
  parent: z
    .object({
      session: z.string(),
      actionId: z.string(),
      depth: z.number().int().optional(),
      /** What the session above had let in when it worded the task. */
      reach: Reach.optional(),
      /** Words of the task that it had from there; `trust` is as in core/security/taint/trust.ts. */
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

/** The settings that changed; absent ones stay the same. */
export const settingsChanged = () => ({
  model: ModelInfo.optional(),
  confirmation: ConfirmationMode.optional(),
  limits: Limits.optional(),
  title: z.string().optional(),
  mode: Mode.optional(),
  asking: Asking.optional(),
  /** The tools that others give, from now on. */
  addedTools: z.array(AddedTool).optional(),
  /** Whether the run halts at every checkpoint. */
  stepping: z.boolean().optional(),
  /** Where commands run from now on; null: on this machine. */
  container: SessionContainer.nullable().optional(),
});
