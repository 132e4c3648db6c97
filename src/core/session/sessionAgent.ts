import { profileNamed } from '../profiles/profiles';
import type { Profile } from '../ports/profile';
import { dialectNamed } from '../tools/dialects/dialects';
import { everyNeed, needsTrust, type Need, type Tool } from '../ports/tool';
import { useSkill } from '../tools/native/useSkill';
import type { Environment } from '../ports/environment';
import { addedFor, toolsFor, type ToolChoice } from '../tools/toolsFor';
import type { Agent } from '../agent/agent';
import { assembleAgent, type Assembly } from './assemble';
import { deepest, depthOf } from './childSettings';
import { tellGiven } from './givenTools';
import { settingsOf, type History, type RunSettings } from '../log/history';

export interface SessionAgentParts extends Omit<Assembly, 'profile' | 'tools'> {
  /** Whether the folder is trusted: without it nothing is changed and nothing run. */
  readonly trusted: boolean;
  /** Toolsets of a person's own. */
  readonly customToolsets?: ToolChoice['custom'];
  /** Exactly these tools, whatever the log asks for: a replay knows them from the run that it does again. */
  readonly exactTools?: readonly Tool[];
  /** Profiles as this person has them; the built-in ones when absent. */
  readonly profile?: (name: string) => Profile;
}

/** The agent that a session's own log asks for; put together when it is first needed. */
export function sessionAgent({
  trusted,
  customToolsets = {},
  exactTools,
  profile: named = profileNamed,
  children,
  ...parts
}: SessionAgentParts): Pick<Agent, 'step' | 'readAgain'> {
  let known: { readonly agent: Agent; readonly tools: readonly Tool[] } | undefined;
  const toolsNow = (history: History): readonly Tool[] => {
    if (exactTools) return exactTools;
    const settings = settingsOf(history)!;
    const { environment } = parts;
    const profile = named(settings.profile);
    return toolsOf(settings, profile, trusted, customToolsets, environment.added?.tools(), portsOf(environment));
  };
  const agentOf = (history: History): Agent => {
    const tools = toolsNow(history);
    if (known && tools.length === known.tools.length && tools.every((tool, at) => tool === known!.tools[at]))
      return known.agent;
    const mayDelegate = children && depthOf(history) < deepest;
    known = {
      tools,
      agent: assembleAgent({
        ...parts,
        ...(mayDelegate && { children }),
        profile: named(settingsOf(history)!.profile),
        tools,
        dialect: dialectNamed(settingsOf(history)!.dialect),
      }),
    };
    return known.agent;
  };
  return {
    async step(context) {
      const { added } = parts.environment;
      if (added) await tellGiven(added, () => toolsNow(context.history), context);
      return agentOf(context.history).step(context);
    },
    readAgain: (reply, before) => agentOf(before).readAgain(reply, before),
  };
}

/**
 * The tools that a session may use. `added`: those that others give. `has`: the ports
 * there are, of those that some tools need.
 */
export function toolsOf(
  {
    toolsets,
    disabledToolsets,
    offersSkills,
    keepsTools,
  }: Pick<RunSettings, 'toolsets' | 'disabledToolsets' | 'offersSkills' | 'keepsTools'>,
  profile: Profile,
  trusted: boolean,
  custom: NonNullable<ToolChoice['custom']> = {},
  added: readonly Tool[] = [],
  has: readonly Need[] = [],
): Tool[] {
  const choice: ToolChoice = {
    toolsets: toolsets ?? profile.toolsets,
    custom,
    ...(disabledToolsets && { disabled: disabledToolsets }),
  };
  const chosen = [
    ...toolsFor(choice),
    ...addedFor(choice, keepsTools ? added.filter(({ name }) => keepsTools.includes(name)) : added),
  ];
  const tools =
    offersSkills &&
    !disabledToolsets?.some((name) => name === 'skills' || name === useSkill.name) &&
    !chosen.includes(useSkill)
      ? [...chosen, useSkill]
      : chosen;
  const usable = tools.filter(({ needs }) => needs === undefined || has.includes(needs));
  const isForAll = ({ effect, needs }: Tool): boolean =>
    effect !== 'writes' && effect !== 'executes' && !(needs && needsTrust.has(needs));
  return trusted ? usable : usable.filter(isForAll);
}

/** The ports that the environment has, of those that some tools need. */
export function portsOf(environment: Pick<Environment, Need>): readonly Need[] {
  return everyNeed.filter((need) => environment[need] !== undefined);
}
