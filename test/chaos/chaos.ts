import type { FaultKind, Tried } from './kinds';
import { Place } from './place';

export interface ChaosResult extends Tried {
  readonly kind: string;
  readonly seed: number;
}

/** Tries a kind of fault once. The same seed does the same, as far as the machine's timing allows. */
export async function tryKind(kind: FaultKind, seed: number): Promise<ChaosResult> {
  const place = await Place.make(seed);
  try {
    const { hit, broken } = await kind.try(place);
    return { kind: kind.name, seed, hit, broken: [...new Set(broken)] };
  } catch (thrown) {
    return { kind: kind.name, seed, hit: true, broken: [(thrown as Error).message] };
  } finally {
    await place.stop();
  }
}
