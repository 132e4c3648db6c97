import type { Hook } from '../ports/hook';
import type { HookEnd } from '../hooks/outcome';
import type { HookMoment, NewEvent } from '../../protocol/events/event';
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
import type { History } from '../log/projection';
import type { Wording } from './wording';

/** What a step reads and writes. */
export interface StepContext {
  /** The log at this moment. It grows with every `emit`. */
  readonly history: History;
  readonly signal: AbortSignal;
  emit(event: NewEvent): void;
  /** Resolves when everything emitted so far is on disk and survives a crash. Rejects if it cannot be written. */
  durable(): Promise<void>;
  onDelta(delta: Delta): void;
  /** Aborts when a person wants the model asked again at once, which cuts short a wait that begins now. */
  hurry?(): AbortSignal;
}

/** The parts that an agent is made of. */
export interface AgentParts {
  readonly profile: Profile;
  readonly model: Model;
  readonly format: ReplyFormat;
  readonly wording: Wording;
  readonly tools: readonly Tool[];
  /** How tools are offered and calls in other forms are answered. Defaults to Waymark's own dialect. */
  readonly dialect?: Dialect;
  readonly environment: Environment;
  readonly analyzers: readonly RiskAnalyzer[];
  readonly policies: Record<'always' | 'risky' | 'never', ConfirmationPolicy>;
  readonly condenser?: Condenser;
  /** Absent if child sessions cannot be started. */
  readonly children?: Children;
  /** Hooks of the folder that a person has approved. */
  readonly hooks?: Hooks;
  /** True if somebody can answer a question. If false, `ask_user` runs and says that nobody can. */
  readonly attended: boolean;
}

/** Programs of the folder that run on events of a session. */
export interface Hooks {
  /**
   * Approved hooks, with the current content of their files, in order. `changed`: a sentence for each file that changed
   * since it was approved; its hooks are left out. `problems`: why hooks cannot do what their files say, with file,
   * line and column.
   */
  current(): Promise<{
    readonly hooks: readonly Hook[];
    readonly changed: readonly string[];
    readonly problems: readonly string[];
  }>;
  /** Runs a hook with `input` as JSON on stdin. Never rejects; the returned `HookEnd` contains any problem. */
  run(hook: Hook, input: HookInput, signal: AbortSignal): Promise<HookEnd>;
}

/** Input of a hook, passed as JSON. */
interface HookInput {
  readonly event_type: HookMoment;
  readonly tool_name?: string;
  readonly tool_input?: unknown;
  readonly tool_response?: unknown;
  readonly message?: string;
  readonly working_dir: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}
