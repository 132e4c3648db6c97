import type { Place } from './place';
import { batchKilled, batchOnFullDisk, queueKilled } from './kinds/batches';
import { forbidden } from './kinds/forbidden';
import { fullDisk } from './kinds/fullDisk';
import { hungUp } from './kinds/hungUp';
import { killed } from './kinds/killed';
import { limited } from './kinds/limited';
import { linked } from './kinds/linked';
import { queueTasks } from './kinds/queueTasks';
import { signalled } from './kinds/signalled';
import { unread } from './kinds/unread';

/** The result of one try. */
export interface Tried {
  /** True if the fault occurred before the run had ended by itself. */
  readonly hit: boolean;
  /** Violated rules, in words. */
  readonly broken: readonly string[];
}

/** A kind of fault and how to cause it in a run. */
export interface FaultKind {
  readonly name: string;
  readonly what: string;
  /** Returns why it cannot be tried on this machine, or undefined. */
  readonly missing?: () => string | undefined;
  /** Tries it once, with the randomness of the place. */
  readonly try: (place: Place) => Promise<Tried>;
}

/** ★ The kinds of faults, in the order in which they are reported. */
export const faultKinds: readonly FaultKind[] = [
  killed,
  signalled,
  hungUp,
  unread,
  fullDisk,
  forbidden,
  limited,
  linked,
  batchKilled,
  batchOnFullDisk,
  queueKilled,
  queueTasks,
];
