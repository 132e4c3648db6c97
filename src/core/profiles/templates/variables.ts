import type { Limits, Mode, ModelInfo } from '../../../protocol/events/event';
import type { Profile } from '../../ports/profile';
import { Float } from '../../text/templates/engine';

/** The values that a template can use, by name. */
export type Variables = Readonly<Record<string, unknown>>;

/**
 * Facts of a run for its templates. The caller provides `platform` and `env`, because core code must not ask the
 * operating system.
 */
export interface TemplateFacts {
  readonly task: string;
  /** Inputs in addition to the task, by name. */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly profile: Profile;
  readonly limits: Limits;
  readonly mode: Mode;
  readonly model: ModelInfo;
  /** Tools that the prompt describes for formats that send no schemas. */
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  }[];
  readonly folder: {
    readonly root: string;
    readonly otherFolders: readonly string[];
    readonly shell: string;
    readonly mayAct: boolean;
  };
  /** Type, release, version and machine as in Node's `os` module. */
  readonly platform: {
    readonly system: string;
    readonly release: string;
    readonly version: string;
    readonly machine: string;
  };
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Additional values of agent, environment and model settings, by name. */
  readonly settings?: Variables;
  /** `cost` in US dollars. */
  readonly spent: { readonly steps: number; readonly cost: number; readonly seconds: number };
}

/**
 * Returns the variables for all templates. Later entries win, so an environment variable cannot replace a variable of
 * the run.
 */
export function runVariables({
  task,
  inputs = {},
  profile,
  limits,
  mode,
  model,
  tools,
  folder,
  platform,
  env = {},
  settings = {},
  spent,
}: TemplateFacts): Variables {
  return {
    ...Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
    ...platform,
    // Settings of agent, environment and model, with the names of mini-swe-agent.
    step_limit: limits.steps,
    cost_limit: new Float(limits.cost),
    wall_time_limit_seconds: limits.seconds,
    max_consecutive_format_errors: profile.failureLimits.formatErrors,
    system_template: profile.templates.system ?? '',
    instance_template: profile.templates.instance ?? '',
    observation_template: profile.templates.observation ?? '',
    format_error_template: profile.templates.formatError ?? '',
    mode,
    cwd: folder.root,
    timeout: 30,
    model_name: model.name,
    provider: model.provider,
    context_window: model.contextWindow,
    ...settings,
    profile: profile.name,
    truncation: profile.truncation ?? noTruncation,
    folders: [folder.root, ...folder.otherFolders],
    shell: folder.shell,
    may_act: folder.mayAct,
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    n_model_calls: spent.steps,
    model_cost: new Float(spent.cost),
    elapsed_seconds: new Float(spent.seconds),
    task,
    inputs: { ...inputs },
  };
}

const noTruncation = { limit: Number.MAX_SAFE_INTEGER, head: 0, tail: 0 };

/** Result of an action, with the names used in templates. */
export interface ActionOutput {
  readonly output: string;
  /** Total number of characters, or of bytes if `output` is already shortened. */
  readonly characters: number;
  /** -1 if it did not run to its end. */
  readonly returncode: number;
  /** Empty if there is no problem. */
  readonly exception_info: string;
  /** Path of the whole output if `output` is already shortened, otherwise empty. */
  readonly full_output: string;
}

/** Variables for the observation and timeout templates. `action`: the command, or the call in one line. */
export const observationVariables = (run: Variables, output: ActionOutput, action: string): Variables => ({
  ...run,
  output: { ...output },
  action,
});

interface FormatErrorFacts {
  readonly error: string;
  /** All calls that were found, as the model wrote them or as far as they could be parsed. */
  readonly actions: readonly unknown[];
  readonly hasToolCalls: boolean;
  readonly finishReason: string;
}

export const formatErrorVariables = (
  run: Variables,
  { error, actions, hasToolCalls, finishReason }: FormatErrorFacts,
): Variables => ({
  ...run,
  error,
  actions: actions.map(commandIn),
  has_tool_calls: hasToolCalls,
  finish_reason: finishReason,
});

/** Returns the command of a call. For calls without one, its tool and arguments. */
function commandIn(call: unknown): string {
  const {
    tool,
    input,
    function: named,
  } = call as { tool?: string; input?: { command?: unknown }; function?: { name: string; arguments: string } };
  if (typeof input?.command === 'string') return input.command;
  return named ? `${named.name} ${named.arguments}` : `${tool ?? ''} ${JSON.stringify(input ?? call)}`.trim();
}
