import { signal } from '@preact/signals';
import type { Completion } from '../../src/protocol/panel/panel';
import { post } from '../base/host';

/**
 * What is offered for the end of what was typed. `from`: where in the box what a
 * choice replaces begins; it ends at the cursor.
 */
export interface Offered {
  readonly items: readonly Completion[];
  readonly from: number;
  readonly chosen: number;
}

export const offered = signal<Offered | undefined>(undefined);

let asked = 0;
let answered = 0;
let askedAt = 0;
let wish: (() => void) | undefined;
/** Long enough for any mention; of more the end. */
const mostSent = 1000;

/**
 * Asks the host what may be meant by the end of `before`, the text before the
 * cursor, where it may mean anything at all.
 */
export function ask(before: string): void {
  asked++;
  askedAt = before.length;
  wish = undefined;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (!line.includes('@') && !/^\s*\/\S*$/.test(before)) return close();
  post({ type: 'complete', id: asked, text: before.slice(-mostSent) });
}

export function close(): void {
  asked++;
  wish = undefined;
  offered.value = undefined;
}

/** The host's answer; one to an older question comes too late. */
export function take(id: number, length: number, items: readonly Completion[]): void {
  if (id !== asked) return;
  answered = id;
  offered.value = items.length > 0 ? { items, from: askedAt - length, chosen: 0 } : undefined;
  if (offered.value) wish?.();
}

/** Does `act` with a list that fits what was typed: now, or once the host has answered to the last key. */
export function whenFits(act: () => void): void {
  if (answered === asked) act();
  else wish = act;
}

export function move(by: 1 | -1): void {
  const { value } = offered;
  if (value) offered.value = { ...value, chosen: (value.chosen + by + value.items.length) % value.items.length };
}
