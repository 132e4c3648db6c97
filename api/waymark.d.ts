/**
 * The public API of Waymark. This file stands for itself: copy it beside your sources, or take it out of the .vsix (`api/waymark.d.ts`).
 *
 *     const waymark = await vscode.extensions.getExtension<Waymark>('waymark.waymark')?.activate();
 *
 * What is declared here stays as it is while the first number of `version` does; things may be added. Every `Error` says what happened,
 * why, and what to do. Nothing here makes a run less safe than one that the person began: see each part.
 */
export interface Waymark {
  /** Of this API, as "1.0.0". */
  readonly version: string;

  /**
   * Begins a task in a session of its own, which is shown in the panel. The person is asked once, by the name of your extension, whether
   * it may begin tasks in this workspace; what the run asks about afterwards is asked in the panel and nowhere else. The words of the
   * task are yours, not the person's: nobody vouches for what stands in them. Rejects with an
   * `Error` when the person says no, in a folder that is not trusted, for a folder that is not open, and while no model is chosen.
   */
  runTask(task: Task): Promise<Run>;

  /** The sessions of this workspace, the latest first. */
  sessions(): Promise<SessionInfo[]>;

  /** Hears every event of every session of this window, once it is on disk. A listener that throws is told of in Waymark's output channel and stops nothing. */
  onEvent(listener: (event: SessionEvent) => void): Disposable;

  /**
   * Gives the agent a tool, from its next request on, in trusted folders; profiles that have tools of their own alone do not get it. It is judged by what it declares, never below medium unless it
   * only reads; what it answers counts as untrusted text; and each call counts as one that leaves the workspace. Throws for a name that
   * is taken or cannot be one.
   */
  registerTool(tool: Tool): Disposable;

  /**
   * Offers a model in "Waymark: Choose Model…", under the name of your extension. Nothing is sent to it before the person chooses it. Where it is taken
   * back, a run that began with it goes on with it, and no other begins.
   */
  registerModel(model: Model): Disposable;

  /**
   * Teaches the agent skills, in trusted folders: data like the files in a repository, which can decide nothing. Those of a
   * source that is taken back are gone with the next look at them.
   */
  registerSkillSource(source: SkillSource): Disposable;
}

export interface Disposable {
  dispose(): void;
}

export interface Task {
  /** What is to be done, in words for the agent. */
  readonly task: string;
  /** What the agent is given beside the task, by name: `{ user_profile: "A teacher", context: "…" }`. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Absolute path of an open workspace folder, in which commands begin; the first one when absent. */
  readonly folder?: string;
  /** The name of a profile; as the person set it when absent. */
  readonly profile?: string;
  /** The name of another model of the provider that the person chose; the chosen one when absent. */
  readonly model?: string;
  /** `confirm`: asks before what is risky, or before everything where the person set that. `plan`: only looks. `confirm` when absent: a run that another extension began never starts without questions. */
  readonly mode?: 'confirm' | 'plan';
}

export interface Run {
  /** The id of its session: `waymark.openSession` and `waymark.showStep` take it. */
  readonly session: string;
  /** Hears the events of this run alone, from the first one on: those that were before are heard at once. */
  onEvent(listener: (event: SessionEvent) => void): Disposable;
  /** How it ended. A run that waits for the person has not ended. Never rejects. */
  readonly result: Promise<Result>;
  /** Stops it at once, as the button in the panel does. Resolves when it rests and that is in its log. */
  stop(): Promise<void>;
}

export interface Result {
  /** `answered`: the agent came to rest with words, not with a finished task: it asks something, or had only to answer. `closed`: the session was closed before it ended. */
  readonly status: 'submitted' | 'answered' | 'limit_exceeded' | 'failed' | 'stopped' | 'closed';
  /** What came of it, in the agent's own words, or why it ended. */
  readonly summary: string;
}

export interface SessionInfo {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since 1970 of its last event. */
  readonly updatedAt: number;
  /** "ready", "finished" and so on: for display. */
  readonly status: string;
  /** Whether it works at this moment, in this window. */
  readonly running: boolean;
}

/**
 * What is written to the log of a session, as plain data of its own: changing it changes nothing. Secrets are masked in it. The kinds and
 * fields that are declared here are stable; others come, too, and may change with any version: let a `switch` pass them by.
 */
export type SessionEvent =
  | EventOf<
      'task_started',
      {
        readonly task: string;
        readonly title: string;
        readonly cwd: string;
        readonly profile?: string | undefined;
        readonly mode?: string | undefined;
        readonly tools: readonly string[];
        readonly model: ModelName;
      }
    >
  | EventOf<'user_message', { readonly text: string }>
  | EventOf<'agent_response', { readonly text: string; readonly actions: readonly Action[] }>
  | EventOf<'confirmation_requested', { readonly actionIds: readonly string[] }>
  | EventOf<
      'confirmation_resolved',
      { readonly actionIds: readonly string[]; readonly approved: boolean; readonly by: 'person' | 'rule' }
    >
  | EventOf<'action_started', { readonly actionId: string }>
  | EventOf<
      'observation',
      {
        readonly actionId: string;
        readonly outcome: 'ok' | 'error' | 'timeout' | 'rejected' | 'skipped' | 'interrupted' | 'unknown';
        readonly content: string;
      }
    >
  | EventOf<'paused', { readonly reason: string }>
  | EventOf<
      'finished',
      { readonly status: 'submitted' | 'limit_exceeded' | 'failed' | 'stopped'; readonly summary: string }
    >;

/** `seq` is its place in the log of its session, from 0; `at` is milliseconds since 1970. */
export type EventOf<Type extends string, Fields> = {
  readonly session: string;
  readonly type: Type;
  readonly seq: number;
  readonly at: number;
} & Fields;

export interface Action {
  /** Unique in its session. */
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** One line for a person: "Edit src/add.ts". */
  readonly summary: string;
  readonly risk: { readonly level: RiskLevel; readonly reasons: readonly string[] };
}

export interface ModelName {
  readonly name: string;
  readonly provider: string;
}

export type RiskLevel = 'low' | 'medium' | 'high' | 'unknown';

export interface Tool<Input = Record<string, unknown>> {
  /** Letters, digits, "_" and "-", at most 60. The model calls it by this name with "ext_" before it, and so do the settings for toolsets. */
  readonly name: string;
  /** For the model: what it does, when to use it. */
  readonly description: string;
  /** JSON Schema of an object, draft 7. A call whose input does not fit it is sent back to the model and never reaches `run`. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** `reads`: it changes nothing, anywhere. `writes`: it changes files. `executes`: anything else; this when absent. */
  readonly effect?: 'reads' | 'writes' | 'executes';
  /** How dangerous a call is. Absent: low for what only reads; for the rest nobody could judge it, so each call is asked about. Below medium counts as medium, except for what only reads. */
  readonly risk?: 'low' | 'medium' | 'high';
  /** One line that tells the person what a call will do. */
  summarize?(input: Input): string;
  /** Carries a call out. What it throws is told to the model. */
  run(input: Input, context: ToolContext): Promise<string | ToolResult>;
}

export interface ToolContext {
  /** Absolute path of the folder that the session works in. */
  readonly folder: string;
  /** Aborted when the run is stopped. */
  readonly signal: AbortSignal;
  /** Shows text in the panel while it works; it is not kept. */
  progress(text: string): void;
}

export interface ToolResult {
  readonly content: string;
  /** Bad news, not a crash. */
  readonly failed?: boolean;
}

export interface Model {
  /** Unique in your extension, stable: the settings name it. */
  readonly id: string;
  /** For a person. */
  readonly name: string;
  /** Tokens; unknown when absent. */
  readonly contextWindow?: number;
  /** Writes one reply. Reject with an `Error` in words for the person. An aborted `signal` must end it. */
  complete(request: ModelRequest): Promise<ModelReply>;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  }[];
  readonly signal: AbortSignal;
  /** Shows text while it arrives. It must add up to the reply's `text`. */
  onText(text: string): void;
}

export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls: readonly ModelToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

/** `arguments` is JSON text. */
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface ModelReply {
  readonly text: string;
  readonly toolCalls?: readonly ModelToolCall[];
  /** Tokens and US dollars, as far as they are known. */
  readonly usage?: {
    readonly inputTokens?: number;
    readonly outputTokens?: number;
    readonly cachedTokens?: number;
    readonly cost?: number;
  };
  /** "length" for a reply that was cut at its limit, "content_filter" for one that was refused. */
  readonly finishReason?: string;
}

export interface SkillSource {
  /** Called when skills are looked for: with the first task, and again after `changed`. */
  find(): Promise<readonly Skill[]> | readonly Skill[];
  /** Call its argument when `find` would answer something else. */
  onDidChange?(listener: () => void): Disposable;
}

export interface Skill {
  /** 1–64 lower case letters, digits and single hyphens. */
  readonly name: string;
  /** When to use it: 1–1,024 characters. The model reads these, and asks for the text when it needs it. */
  readonly description: string;
  /** Markdown. */
  readonly text: string;
  /** Words in a message of the person that bring the text at once. */
  readonly triggers?: readonly string[];
}
