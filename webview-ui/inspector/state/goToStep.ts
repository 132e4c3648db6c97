import { post } from '../../base/host';
import { find, setOpen, tags, view, stepToReveal } from './store';

/** Moves from a chart or graph to the step and expands it. */
export function goToStep(seq: number): void {
  find('');
  tags.value = new Set();
  view.value = 'steps';
  setOpen(0, seq, true);
  stepToReveal.value = { run: 0, seq };
}

export const openSession = (id: string): void => post({ type: 'open_session', id });
