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
  const { critic: known, ...rest } = profile;
  const used = criticWith(known, critic);
  return {
    ...rest,
    ...(used && { critic: used }),
    ...(Object.keys(stuck).length > 0 && { stuck: stuckWith(profile.stuck, stuck) }),
    ...(wrapUp !== undefined && { wrapUp }),
  };
}

function criticWith(known: Profile['critic'], chosen: ProfileOverrides['critic']): Profile['critic'] {
  if (chosen === undefined) return known;
  return chosen === 'off' ? undefined : { name: chosen, rounds: criticRounds };
}

const patterns = ['sameResult', 'sameError', 'alternating', 'monologue'] as const;

function stuckWith(
  known: StuckThresholds | null,
  { window, ...stops }: NonNullable<ProfileOverrides['stuck']>,
): StuckThresholds {
  const of = (pattern: (typeof patterns)[number]): Threshold | null =>
    stops[pattern] === undefined
      ? (known?.[pattern] ?? null)
      : threshold(stops[pattern], known?.[pattern] ?? stuckThresholds[pattern]!);
  return {
    sameResult: of('sameResult'),
    sameError: of('sameError'),
    alternating: of('alternating'),
    monologue: of('monologue'),
    ...(known?.sameTool !== undefined && { sameTool: known.sameTool }),
    window: window || known?.window || stuckThresholds.window,
  };
}

function threshold(stop: number, { hint, stop: usual }: Threshold): Threshold | null {
  if (stop === 0) return null;
  return { stop, hint: hint === 0 ? 0 : Math.max(1, stop - (usual - hint)) };
}
