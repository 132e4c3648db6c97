import { signal } from '@preact/signals';
import type { Completion } from '../src/protocol/panel';
import { post } from './host';

/** What is offered for the end of what was typed. `length`: characters before the cursor that a choice replaces. */
export interface Offered { readonly items: readonly Completion[]; readonly length: number; readonly chosen: number }

export const offered = signal<Offered | undefined>(undefined);

let asked = 0;
/** Long enough for any mention; of more the end. */
const mostSent = 1000;

/** Asks the host what may be meant by the end of `before`, the text before the cursor, where it may mean anything at all. */
export function ask(before: string): void {
  asked++;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (!line.includes('@') && !/^\s*\/\S*$/.test(before)) return close();
  post({ type: 'complete', id: asked, text: before.slice(-mostSent) });
}

export function close(): void {
  asked++;
  offered.value = undefined;
}

/** The host's answer; one to an older question comes too late. */
export function take(id: number, length: number, items: readonly Completion[]): void {
  if (id !== asked) return;
  offered.value = items.length > 0 ? { items, length, chosen: 0 } : undefined;
}

export function move(by: 1 | -1): void {
  const { value } = offered;
  if (value) offered.value = { ...value, chosen: (value.chosen + by + value.items.length) % value.items.length };
}
