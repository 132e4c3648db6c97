import type { Hook, HookEvent } from '../ports/hook';
import type { HookEnd } from '../hooks/outcome';
import type { NewEvent } from '../../protocol/events/event';
import type { Delta } from '../../protocol/panel/panel';
import type { Condenser } from '../ports/condenser';
import type { Model } from '../ports/model';
import type { ReplyFormat } from '../ports/replyFormat';
import type { Profile } from '../ports/profile';
import type { RiskAnalyzer } from '../ports/analyzer';
import type { ConfirmationPolicy } from '../risk/confirmation';
import type { Dialect } from '../tools/dialects/dialect';
import type { Environment } from '../ports/environment';
import type { Tool } from '../ports/tool';
import type { Children } from '../ports/children';
import type { History } from '../log/history';
import type { Wording } from './wording';

export interface StepContext {
  /** The log as it is now; it grows with every `emit`. */
  readonly history: History;
  readonly signal: AbortSignal;
  emit(event: NewEvent): void;
  /** Resolves when everything emitted so far survives a crash. Rejects when it cannot be kept. */
  durable(): Promise<void>;
  onDelta(delta: Delta): void;
  /** Aborts when a person wants the model asked again at once, in place of a wait that begins now. */
  hurry?(): AbortSignal;
}

export interface AgentParts {
  readonly profile: Profile;
  readonly model: Model;
  readonly format: ReplyFormat;
  readonly wording: Wording;
  readonly tools: readonly Tool[];
  /** How the tools are offered and what is answered to calls in another form; Waymark's own when absent. */
  readonly dialect?: Dialect;
  readonly environment: Environment;
  readonly analyzers: readonly RiskAnalyzer[];
  readonly policies: Record<'always' | 'risky' | 'never', ConfirmationPolicy>;
  readonly condenser?: Condenser;
  /** Absent where no sessions can be begun. */
  readonly children?: Children;
  /** Programs of the folder that a person agreed to. */
  readonly hooks?: Hooks;
  /** Whether somebody can answer a question; without it `ask_user` runs and says that nobody can. */
  readonly attended: boolean;
}

/** Programs of the folder that run at moments of a session. */
export interface Hooks {
  /**
   * Those that a person agreed to, as their files are now, in order. `changed`: of files that are not what was agreed
   * to any more, whose hooks are therefore not among them, a sentence each that says so. `problems`: what keeps hooks
   * from doing what their files say, with file, line and column.
   */
  current(): Promise<{
    readonly hooks: readonly Hook[];
    readonly changed: readonly string[];
    readonly problems: readonly string[];
  }>;
  /** Runs one with `input` as JSON on its standard input. Never rejects: what goes wrong is told in the end of it. */
  run(hook: Hook, input: HookInput, signal: AbortSignal): Promise<HookEnd>;
}

/** The input of a hook. */
export interface HookInput {
  readonly event_type: HookEvent;
  readonly tool_name?: string;
  readonly tool_input?: unknown;
  readonly tool_response?: unknown;
  readonly message?: string;
  readonly working_dir: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}
