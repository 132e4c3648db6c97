import { signal } from '@preact/signals';
import type { Completion } from '../../src/protocol/panel/panel';
import { post } from '../base/host';

/** Completions for the text before the cursor. `from`: start of the range to replace, which ends at the cursor. */
interface Offered {
  readonly items: readonly Completion[];
  readonly from: number;
  readonly chosen: number;
}

export const offered = signal<Offered | undefined>(undefined);

let requestCount = 0;
let answeredCount = 0;
let requestedAt = 0;
let pendingRequest: (() => void) | undefined;
/** Long enough for any mention. Of longer text, the end is sent. */
const maxSentCharacters = 1000;

/** Requests completions for the end of `before`, the text before the cursor, if it can be completed at all. */
export function requestCompletions(before: string): void {
  requestCount++;
  requestedAt = before.length;
  pendingRequest = undefined;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (!line.includes('@') && !/^\s*\/\S*$/.test(before)) return close();
  post({ type: 'complete', id: requestCount, text: before.slice(-maxSentCharacters) });
}

export function close(): void {
  requestCount++;
  pendingRequest = undefined;
  offered.value = undefined;
}

/** Handles the host's answer. Answers to an older request are ignored. */
export function take(id: number, length: number, items: readonly Completion[]): void {
  if (id !== requestCount) return;
  answeredCount = id;
  offered.value = items.length > 0 ? { items, from: requestedAt - length, chosen: 0 } : undefined;
  if (offered.value) pendingRequest?.();
}

/** Calls `act` once the list matches the typed text: immediately, or after the host has answered to the last key. */
export function whenListFits(act: () => void): void {
  if (answeredCount === requestCount) act();
  else pendingRequest = act;
}

export function move(by: 1 | -1): void {
  const { value } = offered;
  if (value) offered.value = { ...value, chosen: (value.chosen + by + value.items.length) % value.items.length };
}
