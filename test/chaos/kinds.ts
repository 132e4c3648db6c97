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

/** What came of one try. */
export interface Tried {
  /** Whether the fault came before the run had ended by itself. */
  readonly hit: boolean;
  /** What did not hold, in words. */
  readonly broken: readonly string[];
}

/** One kind of fault, and what is done to a run to cause it. */
export interface FaultKind {
  readonly name: string;
  readonly what: string;
  /** Why it cannot be tried on this machine. */
  readonly missing?: () => string | undefined;
  /** Does it once, as chance says. */
  readonly try: (place: Place) => Promise<Tried>;
}

/** ★ The kinds of faults, in the order in which they are told. */
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
