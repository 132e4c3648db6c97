import { profileNamed } from '../profiles/profiles';
import type { Profile } from '../profiles/profile';
import type { Tool } from '../tools/tool';
import { useSkill } from '../tools/useSkill';
import { toolsFor, type ToolChoice } from '../tools/toolsFor';
import type { Agent } from './agent';
import { assembleAgent, type Assembly } from './assemble';
import { deepest, depthOf } from './childSettings';
import { settingsOf, type History, type RunSettings } from './history';

export interface SessionAgentParts extends Omit<Assembly, 'profile' | 'tools'> {
  /** Whether the folder is trusted: without it nothing is changed and nothing run. */
  readonly trusted: boolean;
  /** Toolsets of a person's own. */
  readonly customToolsets?: ToolChoice['custom'];
  /** Profiles as this person has them; the built-in ones when absent. */
  readonly profile?: (name: string) => Profile;
}

/** The agent that a session's own log asks for; put together when it is first needed. */
export function sessionAgent({ trusted, customToolsets = {}, profile: named = profileNamed, children, ...parts }: SessionAgentParts): Pick<Agent, 'step' | 'readAgain'> {
  let agent: Agent | undefined;
  const agentOf = (history: History): Agent => {
    if (agent) return agent;
    const settings = settingsOf(history)!;
    const profile = named(settings.profile);
    const mayDelegate = children && depthOf(history) < deepest;
    return (agent = assembleAgent({ ...parts, ...(mayDelegate && { children }), profile, tools: toolsOf(settings, profile, trusted, customToolsets) }));
  };
  return {
    step: context => agentOf(context.history).step(context),
    readAgain: (reply, before) => agentOf(before).readAgain(reply, before),
  };
}

/** The tools that a session may use. */
export function toolsOf({ toolsets, disabledToolsets, offersSkills }: Pick<RunSettings, 'toolsets' | 'disabledToolsets' | 'offersSkills'>, profile: Profile, trusted: boolean, custom: NonNullable<ToolChoice['custom']> = {}): Tool[] {
  const chosen = toolsFor({ toolsets: toolsets ?? profile.toolsets, custom, ...(disabledToolsets && { disabled: disabledToolsets }) });
  const tools = offersSkills && !disabledToolsets?.some(name => name === 'skills' || name === useSkill.name) && !chosen.includes(useSkill) ? [...chosen, useSkill] : chosen;
  return trusted ? tools : tools.filter(({ effect }) => effect !== 'writes' && effect !== 'executes');
}
