/**
 * The public API of Waymark. This file has no imports: copy it into your project from here or from the .vsix (`api/waymark.d.ts`).
 *
 *     const waymark = await vscode.extensions.getExtension<Waymark>('waymark.waymark')?.activate();
 *
 * Declarations stay compatible within a major `version`; additions are possible. The message of every `Error` says what happened, why,
 * and what to do. Nothing here makes a run less safe than one that the user starts; the comments say how.
 */
export interface Waymark {
  /** Version of this API, such as "1.0.0". */
  readonly version: string;

  /**
   * Starts a task in a new session, which is shown in the panel. Waymark asks the user whether your extension, shown by its name, may
   * start tasks in this workspace. A yes is remembered; after a no, the next call asks again. Waymark shows the approvals and questions
   * of the run to the user. The text of the task counts as written by your extension, not by the user, so it is not trusted. Rejects
   * with an `Error` if the task is invalid, the user refuses, the workspace is not trusted, the folder is not open, or no model is
   * chosen.
   */
  runTask(task: Task): Promise<Run>;

  /** Returns the sessions of this workspace, most recently used first. */
  sessions(): Promise<SessionInfo[]>;

  /**
   * Calls `listener` with every event of every session of this window, once it is on disk. Errors thrown by a listener are written to
   * Waymark's output channel and have no other effect.
   */
  onEvent(listener: (event: SessionEvent) => void): Disposable;

  /**
   * Adds a tool for the agent, from its next request on, in trusted workspaces. Profiles that only use their own tools do not get it. The
   * risk of a call follows from the declaration and is at least medium unless the tool only reads. Results count as untrusted text, and
   * the input of each call counts as sent outside the workspace. Throws an `Error` if the tool is invalid or its name is taken.
   */
  registerTool(tool: Tool): Disposable;

  /**
   * Adds a model to "Waymark: Choose Model…", under the name of your extension. Nothing is sent to it unless the user chooses it. After
   * the registration is disposed, runs that already use the model continue with it, and no new run can start with it.
   */
  registerModel(model: Model): Disposable;

  /**
   * Adds skills for the agent, in trusted workspaces. They are text for the model, like skill files in a repository, and grant no
   * permissions. After the registration is disposed, the skills are removed the next time skills are loaded.
   */
  registerSkillSource(source: SkillSource): Disposable;
}

export interface Disposable {
  dispose(): void;
}

export interface Task {
  /** What to do, in words for the agent. */
  readonly task: string;
  /** Additional input for the agent, by name: `{ user_profile: "A teacher", context: "…" }`. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Absolute path of an open workspace folder in which commands start. Default: the first folder. */
  readonly folder?: string;
  /** Name of a profile. Default: the user's setting. */
  readonly profile?: string;
  /** Name of another model of the provider that the user chose. Default: the chosen model. */
  readonly model?: string;
  /**
   * `confirm` (default): asks before risky actions, or before every action if the user's settings say so. `plan`: only reads. A run
   * started by another extension never starts in a mode that asks less.
   */
  readonly mode?: 'confirm' | 'plan';
}

export interface Run {
  /** ID of its session, an argument of the commands `waymark.openSession` and `waymark.showStep`. */
  readonly session: string;
  /** Calls `listener` with the events of this run only. Earlier events are delivered first, immediately after the call. */
  onEvent(listener: (event: SessionEvent) => void): Disposable;
  /** Resolves when the run has ended. A run that waits for the user has not ended. Never rejects. */
  readonly result: Promise<Result>;
  /** Stops the run immediately, like the Stop button in the panel. Resolves when it has stopped and its log says so. */
  stop(): Promise<void>;
}

export interface Result {
  /**
   * `answered`: the agent ended with a message instead of submitting a result, because it asks something or only had to answer.
   * `closed`: the session was closed before the run ended.
   */
  readonly status: 'submitted' | 'answered' | 'limit_exceeded' | 'failed' | 'stopped' | 'closed';
  /** The result in the agent's own words, or why the run ended. */
  readonly summary: string;
}

export interface SessionInfo {
  readonly id: string;
  readonly title: string;
  /** Time of its last event, in ms since 1970. */
  readonly updatedAt: number;
  /** State for display, such as "ready" or "finished". */
  readonly status: string;
  /** True if the agent is running in this session, in this window. */
  readonly running: boolean;
}

/**
 * An entry of a session's log, as a copy: changing it has no effect. Secrets are masked. The types and fields declared here are stable.
 * Other types and fields occur as well and may change in any version, so ignore them in a `switch`.
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

/** `seq`: index in the log of its session. `at`: time in ms since 1970. */
export type EventOf<Type extends string, Fields> = {
  readonly session: string;
  readonly type: Type;
  readonly seq: number;
  readonly at: number;
} & Fields;

export interface Action {
  /** Unique within its session. */
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** One line for people, such as "Edit src/add.ts". */
  readonly summary: string;
  readonly risk: { readonly level: RiskLevel; readonly reasons: readonly string[] };
}

export interface ModelName {
  readonly name: string;
  readonly provider: string;
}

export type RiskLevel = 'low' | 'medium' | 'high' | 'unknown';

export interface Tool<Input = Record<string, unknown>> {
  /**
   * 1–60 letters, digits, "_" and "-". The model and the settings for toolsets use this name with the prefix "ext_".
   */
  readonly name: string;
  /** What the tool does and when to use it, for the model. */
  readonly description: string;
  /** JSON Schema of an object, draft 7. If an input does not match, the model gets an error and `run` is not called. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** `reads`: changes nothing, anywhere. `writes`: changes files. `executes` (default): anything else. */
  readonly effect?: 'reads' | 'writes' | 'executes';
  /**
   * Risk of a call. Default: low for a tool that only reads. For other tools the risk is then unknown, so each call needs approval.
   * `low` counts as `medium`, except for a tool that only reads.
   */
  readonly risk?: 'low' | 'medium' | 'high';
  /** Returns one line that tells the user what a call will do. */
  summarize?(input: Input): string;
  /** Runs a call. The model gets the message of an error that it throws. */
  run(input: Input, context: ToolContext): Promise<string | ToolResult>;
}

export interface ToolContext {
  /** Absolute path of the session's working folder. */
  readonly folder: string;
  /** Aborted when the run is stopped. */
  readonly signal: AbortSignal;
  /** Shows text in the panel while the tool is running. The text is not saved. */
  progress(text: string): void;
}

export interface ToolResult {
  readonly content: string;
  /** True if `content` reports a failure. Throw an `Error` instead if the tool itself did not work. */
  readonly failed?: boolean;
}

export interface Model {
  /** Stable and unique within your extension; the settings contain it. */
  readonly id: string;
  /** Name for people. */
  readonly name: string;
  /** In tokens; unknown if absent. */
  readonly contextWindow?: number;
  /** Returns one reply. Reject with an `Error` with a message for people. Stop when `signal` is aborted. */
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
  /** Shows text as it arrives. All parts together must equal the reply's `text`. */
  onText(text: string): void;
}

export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls: readonly ModelToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

/** `arguments`: JSON text. */
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface ModelReply {
  readonly text: string;
  readonly toolCalls?: readonly ModelToolCall[];
  /** Tokens, and cost in US dollars, as far as known. */
  readonly usage?: {
    readonly inputTokens?: number;
    readonly outputTokens?: number;
    readonly cachedTokens?: number;
    readonly cost?: number;
  };
  /** "length" for a reply truncated at its token limit, "content_filter" for a refused one. */
  readonly finishReason?: string;
}

export interface SkillSource {
  /** Called when skills are loaded: for the first task, and again after `onDidChange` has fired. */
  find(): Promise<readonly Skill[]> | readonly Skill[];
  /** Registers a listener to call when `find` would return something else. */
  onDidChange?(listener: () => void): Disposable;
}

export interface Skill {
  /** 1–64 lowercase letters, digits and single hyphens. */
  readonly name: string;
  /** When to use the skill, in 1–1,024 characters. The model sees the description and requests the text when it needs it. */
  readonly description: string;
  /** The skill as Markdown. */
  readonly text: string;
  /** Words in a user message that add the text immediately. */
  readonly triggers?: readonly string[];
}
