import type { Limits } from '../../protocol/events/event';
import type { Profile } from '../ports/profile';
import type { Skill } from '../ports/skill';
import { refuseUnavailable, type ToolChoice } from '../tools/toolsFor';
import { everyNeed, type Need, type Tool } from '../ports/tool';
import { narrowByPersona, smaller, type Powers } from './narrowByPersona';
import { toolsExceeding } from './toolsExceeding';
import { toolsOf } from './sessionAgent';

/** What a person chose for a run; limits that are absent are the profile's. */
interface Chosen extends Omit<Powers, 'limits'> {
  readonly limits: Partial<Limits>;
  readonly toolsets?: readonly string[];
  readonly persona?: Skill;
}

interface Place {
  /** The one that the person chose. */
  readonly profile: Profile;
  /** Profiles as this person has them. Throws an `Error` in words. */
  profileOf(name: string): Profile | Promise<Profile>;
  readonly trusted: boolean;
  readonly custom?: NonNullable<ToolChoice['custom']>;
  readonly added?: readonly Tool[] | undefined;
  /** The ports there are, of those that some tools need. */
  readonly has?: readonly Need[];
}

/** The profile that a run works with, and what it may do: with a persona, in nothing more than it might without. */
export async function resolveChoices<Given extends Chosen>(
  given: Given,
  { profile: usual, profileOf, trusted, custom = {}, added, has = [] }: Place,
): Promise<{
  readonly profile: Profile;
  readonly settings: Given & { readonly limits: Limits };
  readonly tools: readonly Tool[];
}> {
  const { persona } = given;
  const usually = { ...given, limits: { ...usual.limits, ...given.limits } };
  refuseUnavailable(given.toolsets ?? [], custom, has);
  if (!persona)
    return { profile: usual, settings: usually, tools: toolsOf(usually, usual, trusted, custom, added, has) };
  // A session may go on where there are more ports: what a persona may not do it may not do there.
  const had = toolsOf(usually, usual, trusted, custom, added, everyNeed);
  const profile = await profileOf(persona.persona?.profile ?? usual.name);
  const { steps, cost, seconds } = { ...profile.limits, ...given.limits };
  const limits = {
    steps: smaller(usually.limits.steps, steps),
    cost: smaller(usually.limits.cost, cost),
    seconds: smaller(usually.limits.seconds, seconds),
  };
  const wanted = toolsOf(usually, profile, trusted, custom, added, everyNeed);
  const powers = {
    ...usually,
    limits,
    disabledToolsets: [...(given.disabledToolsets ?? []), ...toolsExceeding(wanted, had)],
  };
  const settings = narrowByPersona(persona, powers, wanted);
  return { profile, settings, tools: toolsOf(settings, profile, trusted, custom, added, has) };
}
