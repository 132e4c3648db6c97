import { stuckThresholds } from './stuckThresholds';
import type { StuckThresholds, Threshold, Profile } from '../ports/profile';

/** What a person wants otherwise than a profile says. What is absent is as it says. */
export interface ProfileOverrides {
  /** After how many like steps in a row the run stops, by pattern, and how many replies are looked at; 0 is never. */
  readonly stuck?: Readonly<Partial<Record<keyof StuckThresholds, number>>>;
  readonly wrapUp?: boolean;
  readonly critic?: 'off' | NonNullable<Profile['critic']>['name'];
}

/** How often a critic that a person chose sends the model back. */
const criticRounds = 3;

/** The profile with some of its numbers replaced. Where one hints before it stops, it still does, as long before. */
export function profileWith(profile: Profile, { stuck = {}, wrapUp, critic }: ProfileOverrides): Profile {
  const { critic: known, ...rest } = profile;
  const used = critic === undefined ? known : critic === 'off' ? undefined : { name: critic, rounds: criticRounds };
  return {
    ...rest,
    ...(used && { critic: used }),
    ...(Object.keys(stuck).length > 0 && { stuck: stuckWith(profile.stuck, stuck) }),
    ...(wrapUp !== undefined && { wrapUp }),
  };
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
    window: window || known?.window || stuckThresholds.window,
  };
}

function threshold(stop: number, { hint, stop: usual }: Threshold): Threshold | null {
  if (stop === 0) return null;
  return { stop, hint: hint === 0 ? 0 : Math.max(1, stop - (usual - hint)) };
}
