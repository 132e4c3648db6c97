import type { PanelFacts } from '../../protocol/panel/panel';
import type { ChosenMode } from './nextMode';
import { emptyFacts, factsOfNext } from './nextTask';
import type { ShownSession } from './shownSession';

/** What is true of the window around the session that is shown. */
export interface FactsBeside {
  /** Undefined while none is chosen. */
  readonly model: PanelFacts['model'];
  /** The mode that a person chose for the next task. */
  readonly instead: Partial<ChosenMode>;
  readonly sandbox: Pick<PanelFacts, 'sandbox'>;
}

/** What is true of the session that is shown, or of the next task where none is. */
export function shownFacts({ live, glance }: ShownSession, { model, instead, sandbox }: FactsBeside): PanelFacts {
  const chosen = model && { model };
  const next = { ...factsOfNext(), ...instead, ...sandbox };
  if (live) return { ...chosen, ...live.facts(next) };
  if (glance) return { ...chosen, ...glance.facts, ...sandbox };
  return { ...emptyFacts, ...next, ...chosen };
}
