import type { Limits } from '../../protocol/events/event';
import type { Profile } from '../ports/profile';
import type { Skill } from '../ports/skill';
import { type Tool, allNeeds } from '../ports/tool';
import { refuseUnavailable } from '../tools/toolsFor';
import { narrowByPersona, smallerLimit, type Powers, toolsExceeding } from './narrowByPersona';
import { toolsOf, type AvailableTools } from './sessionAgent';

/** Choices for a run. Absent limits default to the profile's. */
interface Choices extends Omit<Powers, 'limits'> {
  readonly limits: Partial<Limits>;
  readonly toolsets?: readonly string[];
  readonly persona?: Skill;
}

/** The profile that the user chose, and the tools that exist where the run works. */
interface Offer extends AvailableTools {
  readonly profile: Profile;
  /** Returns a profile with this user's overrides. Throws an `Error` with a message for people. */
  profileOf(name: string): Profile | Promise<Profile>;
}

/** A profile, and what a run with it may use. */
interface Resolved<Given> {
  readonly profile: Profile;
  readonly settings: Given & { readonly limits: Limits };
  readonly tools: readonly Tool[];
}

/** Returns the profile of a run and its powers. A persona never adds powers. */
export async function resolveChoices<Given extends Choices>(
  choices: Given,
  { profile: chosenProfile, profileOf, ...available }: Offer,
): Promise<Resolved<Given>> {
  const { persona } = choices;
  const withoutPersona = { ...choices, limits: { ...chosenProfile.limits, ...choices.limits } };
  refuseUnavailable(choices.toolsets ?? [], available.custom ?? {}, available.has ?? []);
  if (!persona) {
    const tools = toolsOf(withoutPersona, chosenProfile, available);
    return { profile: chosenProfile, settings: withoutPersona, tools };
  }
  // Considers all ports: the session may be resumed where more of them exist, and the persona's restrictions must apply
  // there, too.
  const withAllPorts = { ...available, has: allNeeds };
  const toolsBefore = toolsOf(withoutPersona, chosenProfile, withAllPorts);
  const profile = await profileOf(persona.persona?.profile ?? chosenProfile.name);
  const toolsOfProfile = toolsOf(withoutPersona, profile, withAllPorts);
  const powers = {
    ...withoutPersona,
    limits: smallerLimits(withoutPersona.limits, { ...profile.limits, ...choices.limits }),
    disabledToolsets: [...(choices.disabledToolsets ?? []), ...toolsExceeding(toolsOfProfile, toolsBefore)],
  };
  const settings = narrowByPersona(persona, powers, toolsOfProfile);
  return { profile, settings, tools: toolsOf(settings, profile, available) };
}

const smallerLimits = (a: Limits, b: Limits): Limits => ({
  steps: smallerLimit(a.steps, b.steps),
  cost: smallerLimit(a.cost, b.cost),
  seconds: smallerLimit(a.seconds, b.seconds),
});
