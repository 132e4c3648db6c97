import { signal } from '@preact/signals';
import type { RequestOutline, StepDetails, ToInspector, WholeMessage } from '../../src/protocol/inspector/inspector';

/** Details of expanded steps from the host, by run and event. */
export const details = signal<ReadonlyMap<string, StepDetails>>(new Map());
export const requests = signal<ReadonlyMap<string, RequestOutline>>(new Map());
export const messages = signal<ReadonlyMap<string, WholeMessage>>(new Map());

export const callKey = (run: number, seq: number): string => `${run}:${seq}`;
export const messageKey = (run: number, seq: number, index: number): string => `${run}:${seq}:${index}`;

/** Stores details of one call. */
export function receiveCall(message: Extract<ToInspector, { type: 'details' | 'request' | 'message' }>): void {
  switch (message.type) {
    case 'details':
      details.value = new Map(details.value).set(callKey(message.run, message.details.seq), message.details);
      break;
    case 'message':
      messages.value = new Map(messages.value).set(
        messageKey(message.run, message.seq, message.message.index),
        message.message,
      );
      break;
    case 'request': {
      const key = callKey(message.run, message.seq);
      const known = requests.value.get(key)?.messages ?? [];
      const all = new Map([...known, ...message.request.messages].map((line) => [line.index, line]));
      requests.value = new Map(requests.value).set(key, {
        ...message.request,
        messages: [...all.values()].sort((a, b) => a.index - b.index),
      });
    }
  }
}

/** Clears the details of one run, or of all. */
export function forgetCalls(run?: number): void {
  const withoutRun = <Value>(map: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> =>
    run === undefined ? new Map() : new Map([...map].filter(([key]) => !key.startsWith(`${run}:`)));
  details.value = withoutRun(details.value);
  requests.value = withoutRun(requests.value);
  messages.value = withoutRun(messages.value);
}
