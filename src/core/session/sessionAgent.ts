import { profileNamed } from '../profiles/profiles';
import type { Profile } from '../ports/profile';
import { dialectNamed } from '../tools/dialects/dialects';
import { allNeeds, needsTrust, type Need, type Tool } from '../ports/tool';
import { useSkill } from '../tools/native/useSkill';
import type { AgentEnvironment } from '../ports/addedTools';
import type { Environment } from '../ports/environment';
import { addedFor, finderFor, toolsFor, type ToolChoice } from '../tools/toolsFor';
import type { Agent } from '../agent/agent';
import { assembleAgent, type Assembly } from './assembleAgent';
import { maxSessionDepth, depthOf } from './childSettings';
import { ExternalToolRecorder } from './externalTools';
import { settingsOf, type RunSettings } from '../log/runSettings';
import type { History } from '../log/projection';

/** What the agent of a session is made of, apart from what its log says. */
export interface SessionAgentParts extends Omit<Assembly, 'profile' | 'tools' | 'environment'> {
  readonly environment: AgentEnvironment;
  /** False in an untrusted folder, where nothing may be changed or run. */
  readonly trusted: boolean;
  /** The user's own toolsets. */
  readonly customToolsets?: ToolChoice['custom'];
  /** Overrides the tools that the log asks for. A replay takes them from the run that it repeats. */
  readonly exactTools?: readonly Tool[];
  /** Returns a profile with this user's overrides. Defaults to the built-in profiles. */
  readonly profile?: (name: string) => Profile;
}

/** Returns the agent that a session's log asks for. It is assembled on first use. */
export function sessionAgent({
  trusted,
  customToolsets = {},
  exactTools,
  profile: named = profileNamed,
  children,
  ...parts
}: SessionAgentParts): Pick<Agent, 'step' | 'readAgain'> {
  let assembled: { readonly agent: Agent; readonly tools: readonly Tool[] } | undefined;
  const selectTools = toolSelection();
  const toolsNow = (history: History): readonly Tool[] => {
    if (exactTools) return exactTools;
    const settings = settingsOf(history)!;
    const { environment } = parts;
    const added = environment.added?.tools();
    return selectTools(settings, named(settings.profile), {
      trusted,
      custom: customToolsets,
      added,
      has: portsOf(environment),
    });
  };
  const { added: external } = parts.environment;
  const recorder = external && new ExternalToolRecorder(external);
  const agentOf = (history: History): Agent => {
    const tools = toolsNow(history);
    if (assembled && haveSameItems(tools, assembled.tools)) return assembled.agent;
    const mayDelegate = children && depthOf(history) < maxSessionDepth;
    assembled = {
      tools,
      agent: assembleAgent({
        ...parts,
        ...(mayDelegate && { children }),
        profile: named(settingsOf(history)!.profile),
        tools,
        dialect: dialectNamed(settingsOf(history)!.dialect),
      }),
    };
    return assembled.agent;
  };
  return {
    async step(context) {
      await recorder?.record(() => toolsNow(context.history), context);
      return agentOf(context.history).step(context);
    },
    readAgain: (reply, before) => agentOf(before).readAgain(reply, before),
  };
}

const haveSameItems = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);

/** What decides, beside the settings of a session, which tools it may use. */
export interface AvailableTools {
  /** False in an untrusted folder, where nothing may be changed or run. */
  readonly trusted: boolean;
  /** The user's own toolsets. */
  readonly custom?: ToolChoice['custom'] | undefined;
  /** External tools. */
  readonly added?: readonly Tool[] | undefined;
  /** Available ports, among those that some tools need. */
  readonly has?: readonly Need[];
}

/** Returns the tools that a session may use. */
export function toolsOf(
  {
    toolsets,
    disabledToolsets,
    offersSkills,
    keepsTools,
  }: Pick<RunSettings, 'toolsets' | 'disabledToolsets' | 'offersSkills' | 'keepsTools'>,
  profile: Profile,
  { trusted, custom = {}, added = [], has = [] }: AvailableTools,
): Tool[] {
  const choice: ToolChoice = {
    toolsets: toolsets ?? profile.toolsets,
    custom,
    ...(disabledToolsets && { disabled: disabledToolsets }),
  };
  const own = toolsFor(choice);
  const others = addedFor(choice, keepsTools ? added.filter(({ name }) => keepsTools.includes(name)) : added);
  const mayHave = (tool: Tool, toolset = tool.name): boolean =>
    !own.includes(tool) && !disabledToolsets?.some((name) => name === toolset || name === tool.name);
  const tools = [
    ...own,
    ...finderFor(others, profile, { own, disabled: disabledToolsets }),
    ...others,
    ...(offersSkills && mayHave(useSkill, 'skills') ? [useSkill] : []),
  ];
  const usable = tools.filter(({ needs }) => needs === undefined || has.includes(needs));
  const isForAll = ({ effect, needs }: Tool): boolean =>
    effect !== 'writes' && effect !== 'executes' && !(needs && needsTrust.has(needs));
  return trusted ? usable : usable.filter(isForAll);
}

/** Returns a `toolsOf` that selects again only if something changed: each step and each event asks for it. */
export function toolSelection(): (...given: Parameters<typeof toolsOf>) => readonly Tool[] {
  let last: { readonly from: readonly unknown[]; readonly tools: readonly Tool[] } | undefined;
  return (settings, profile, available) => {
    const { toolsets = profile.toolsets, disabledToolsets, offersSkills, keepsTools } = settings;
    const { trusted, custom, added = [], has = [] } = available;
    const choice = [toolsets, disabledToolsets, offersSkills, keepsTools, profile.format.kind, trusted, custom];
    const from = [...choice, ...has, ...added];
    if (!last || !haveSameItems(last.from, from)) last = { from, tools: toolsOf(settings, profile, available) };
    return last.tools;
  };
}

/** Returns the available ports, among those that some tools need. */
export function portsOf(environment: Pick<Environment, Need>): readonly Need[] {
  return allNeeds.filter((need) => environment[need] !== undefined);
}
