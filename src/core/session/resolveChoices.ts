import type { Limits } from '../../protocol/events/event';
import type { Profile } from '../ports/profile';
import type { Skill } from '../ports/skill';
import { refuseUnavailable } from '../tools/toolsFor';
import { allNeeds, type Tool } from '../ports/tool';
import { narrowByPersona, smaller, type Powers } from './narrowByPersona';
import { toolsExceeding } from './toolsExceeding';
import { toolsOf, type AvailableTools } from './sessionAgent';

/** Choices for a run. Absent limits default to the profile's. */
interface Chosen extends Omit<Powers, 'limits'> {
  readonly limits: Partial<Limits>;
  readonly toolsets?: readonly string[];
  readonly persona?: Skill;
}

interface Place extends AvailableTools {
  /** The profile chosen by the user. */
  readonly profile: Profile;
  /** Returns a profile with this user's overrides. Throws an `Error` with a message for people. */
  profileOf(name: string): Profile | Promise<Profile>;
}

/** Returns the profile of a run and its powers. A persona never adds powers. */
export async function resolveChoices<Given extends Chosen>(
  given: Given,
  { profile: usual, profileOf, ...available }: Place,
): Promise<{
  readonly profile: Profile;
  readonly settings: Given & { readonly limits: Limits };
  readonly tools: readonly Tool[];
}> {
  const { persona } = given;
  const usually = { ...given, limits: { ...usual.limits, ...given.limits } };
  refuseUnavailable(given.toolsets ?? [], available.custom ?? {}, available.has ?? []);
  if (!persona) return { profile: usual, settings: usually, tools: toolsOf(usually, usual, available) };
  // Considers all ports: the session may be resumed where more of them exist, and the persona's restrictions must apply
  // there, too.
  const withAllPorts = { ...available, has: allNeeds };
  const had = toolsOf(usually, usual, withAllPorts);
  const profile = await profileOf(persona.persona?.profile ?? usual.name);
  const { steps, cost, seconds } = { ...profile.limits, ...given.limits };
  const limits = {
    steps: smaller(usually.limits.steps, steps),
    cost: smaller(usually.limits.cost, cost),
    seconds: smaller(usually.limits.seconds, seconds),
  };
  const wanted = toolsOf(usually, profile, withAllPorts);
  const powers = {
    ...usually,
    limits,
    disabledToolsets: [...(given.disabledToolsets ?? []), ...toolsExceeding(wanted, had)],
  };
  const settings = narrowByPersona(persona, powers, wanted);
  return { profile, settings, tools: toolsOf(settings, profile, available) };
}
