import { stuckThresholds } from './waymark';
import type { StuckThresholds, Threshold, Profile } from '../ports/profile';

/** Values that override those of a profile. Absent ones stay unchanged. */
export interface ProfileOverrides {
  /**
   * Number of similar steps in a row after which the run stops, by pattern, and the number of replies to look at. 0
   * means never.
   */
  readonly stuck?: Readonly<Partial<Record<keyof StuckThresholds, number>>>;
  readonly wrapUp?: boolean;
  readonly critic?: 'off' | NonNullable<Profile['critic']>['name'];
}

/** Maximum number of times that a critic chosen by a person sends the model back. */
const criticRounds = 3;

/**
 * Returns the profile with some values replaced. If a pattern had a hint before its stop, it keeps one at the same
 * distance.
 */
export function profileWith(profile: Profile, { stuck = {}, wrapUp, critic }: ProfileOverrides): Profile {
  const { critic: profileCritic, ...withoutCritic } = profile;
  const chosenCritic = criticWith(profileCritic, critic);
  return {
    ...withoutCritic,
    ...(chosenCritic && { critic: chosenCritic }),
    ...(Object.keys(stuck).length > 0 && { stuck: stuckWith(profile.stuck, stuck) }),
    ...(wrapUp !== undefined && { wrapUp }),
  };
}

function criticWith(known: Profile['critic'], chosen: ProfileOverrides['critic']): Profile['critic'] {
  if (chosen === undefined) return known;
  return chosen === 'off' ? undefined : { name: chosen, rounds: criticRounds };
}

function stuckWith(
  known: StuckThresholds | null,
  { window, ...stops }: NonNullable<ProfileOverrides['stuck']>,
): StuckThresholds {
  const thresholdOf = (pattern: 'sameResult' | 'sameError' | 'alternating' | 'monologue'): Threshold | null => {
    const stop = stops[pattern];
    if (stop === undefined) return known?.[pattern] ?? null;
    return withStop(known?.[pattern] ?? stuckThresholds[pattern]!, stop);
  };
  return {
    sameResult: thresholdOf('sameResult'),
    sameError: thresholdOf('sameError'),
    alternating: thresholdOf('alternating'),
    monologue: thresholdOf('monologue'),
    ...(known?.sameTool !== undefined && { sameTool: known.sameTool }),
    window: window || known?.window || stuckThresholds.window,
  };
}

/** Moves the stop of a threshold, and its hint by the same distance. A stop of 0 means never, and a hint of 0 none. */
function withStop(threshold: Threshold, stop: number): Threshold | null {
  if (stop === 0) return null;
  const distance = threshold.stop - threshold.hint;
  return { stop, hint: threshold.hint === 0 ? 0 : Math.max(1, stop - distance) };
}
