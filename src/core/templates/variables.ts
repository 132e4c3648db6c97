import type { Limits, Mode, ModelInfo } from '../../protocol/event';
import type { Surroundings } from '../agent/prompt';
import type { Profile } from '../profiles/profile';
import { Float } from './engine';

export type Variables = Readonly<Record<string, unknown>>;

/** What stays the same while a session lasts. Whoever may ask the operating system hands in `machine` and `env`. */
export interface SessionFacts {
  readonly profile: Profile;
  readonly surroundings: Surroundings;
  /** What the prompt describes for formats that send no schemas. */
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: Readonly<Record<string, unknown>> }[];
  /** As `os` of Node tells: type, release, version, machine. */
  readonly machine: { readonly system: string; readonly release: string; readonly version: string; readonly machine: string };
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Further values of agent, environment and model settings, by name. */
  readonly settings?: Variables;
}

/** What a run knows for its templates. */
export interface RunFacts extends SessionFacts {
  readonly task: string;
  readonly limits: Limits;
  readonly mode: Mode;
  readonly model: ModelInfo;
  /** `cost` in US dollars. */
  readonly spent: { readonly steps: number; readonly cost: number; readonly seconds: number };
}

/** What every template may use. Later lines win: no variable of the environment can pass for one of the run. */
export function runVariables({ task, profile, limits, mode, model, tools, surroundings, machine, env = {}, settings = {}, spent }: RunFacts): Variables {
  return {
    ...Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
    ...machine,
    // Settings of the agent, the environment and the model under the names that mini-swe-agent gives them.
    step_limit: limits.steps, cost_limit: new Float(limits.cost), wall_time_limit_seconds: limits.seconds, max_consecutive_format_errors: profile.patience.formatErrors,
    system_template: profile.templates.system ?? '', instance_template: profile.templates.instance ?? '',
    observation_template: profile.templates.observation ?? '', format_error_template: profile.templates.formatError ?? '',
    mode, cwd: surroundings.root, timeout: 30, model_name: model.name, provider: model.provider, context_window: model.contextWindow,
    ...settings,
    profile: profile.name, truncation: profile.truncation ?? noTruncation,
    folders: [surroundings.root, ...surroundings.otherFolders], shell: surroundings.shell, may_act: surroundings.mayAct,
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    n_model_calls: spent.steps, model_cost: new Float(spent.cost), elapsed_seconds: new Float(spent.seconds),
    task,
  };
}

const noTruncation = { limit: Number.MAX_SAFE_INTEGER, head: 0, tail: 0 };

/** What came of an action. Names as templates use them. */
export interface ActionOutput {
  readonly output: string;
  /** How many characters there were in all; bytes, where `output` is shortened already. */
  readonly characters: number;
  /** -1 for what did not run to its end. */
  readonly returncode: number;
  /** Empty when all is well. */
  readonly exception_info: string;
  /** The file that holds the whole output, where `output` is shortened already; else empty. */
  readonly full_output: string;
}

/** For the observation and time-out templates. `action`: the command, or the call in one line. */
export const observationVariables = (run: Variables, output: ActionOutput, action: string): Variables => ({ ...run, output: { ...output }, action });

export interface FormatErrorFacts {
  readonly error: string;
  /** The commands that were found, however many. */
  readonly actions: readonly unknown[];
  readonly hasToolCalls: boolean;
  readonly finishReason: string;
}

export const formatErrorVariables = (run: Variables, { error, actions, hasToolCalls, finishReason }: FormatErrorFacts): Variables =>
  ({ ...run, error, actions: [...actions], has_tool_calls: hasToolCalls, finish_reason: finishReason });
