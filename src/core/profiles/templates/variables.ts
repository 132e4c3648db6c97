import type { Limits, Mode, ModelInfo } from '../../../protocol/events/event';
import type { Profile } from '../../ports/profile';
import { Float } from '../../text/templates/engine';

export type Variables = Readonly<Record<string, unknown>>;

/** What a run knows for its templates. Whoever may ask the operating system hands in `platform` and `env`. */
export interface RunFacts {
  readonly task: string;
  /** What was given beside the task, by name. */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly profile: Profile;
  readonly limits: Limits;
  readonly mode: Mode;
  readonly model: ModelInfo;
  /** What the prompt describes for formats that send no schemas. */
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
  /** As `os` of Node tells: type, release, version, machine. */
  readonly platform: {
    readonly system: string;
    readonly release: string;
    readonly version: string;
    readonly machine: string;
  };
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Further values of agent, environment and model settings, by name. */
  readonly settings?: Variables;
  /** `cost` in US dollars. */
  readonly spent: { readonly steps: number; readonly cost: number; readonly seconds: number };
}

/** What every template may use. Later lines win: no variable of the environment can pass for one of the run. */
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
}: RunFacts): Variables {
  return {
    ...Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
    ...platform,
    // Settings of the agent, the environment and the model under the names that mini-swe-agent gives them.
    step_limit: limits.steps,
    cost_limit: new Float(limits.cost),
    wall_time_limit_seconds: limits.seconds,
    max_consecutive_format_errors: profile.patience.formatErrors,
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
export const observationVariables = (run: Variables, output: ActionOutput, action: string): Variables => ({
  ...run,
  output: { ...output },
  action,
});

export interface FormatErrorFacts {
  readonly error: string;
  /** The calls that were found, however many: as the model wrote them, or as far as they could be read. */
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

/** The command of a call; of another call its tool and arguments. */
function commandIn(call: unknown): string {
  const {
    tool,
    input,
    function: named,
  } = call as { tool?: string; input?: { command?: unknown }; function?: { name: string; arguments: string } };
  if (typeof input?.command === 'string') return input.command;
  return named ? `${named.name} ${named.arguments}` : `${tool ?? ''} ${JSON.stringify(input ?? call)}`.trim();
}
