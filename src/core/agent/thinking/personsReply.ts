import type { Action, EventOf } from '../../../protocol/events/event';

/** Returns the event for actions that a person wrote instead of the model. */
export function personsReply(
  actions: readonly Action[],
  place: Pick<EventOf<'agent_response'>, 'readUpTo' | 'instead'>,
): Omit<EventOf<'agent_response'>, 'seq' | 'at'> {
  return {
    type: 'agent_response',
    ...place,
    durationMs: 0,
    text: '',
    actions: [...actions],
    by: 'person',
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, cost: 0 },
    model: 'person',
    finishReason: 'stop',
    firstTokenMs: null,
  };
}
