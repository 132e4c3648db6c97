import type { Action, EventOf } from '../../../protocol/events/event';
import type { History } from '../../log/projection';
import { ModelProblem, type Model, type ModelReply } from '../../ports/model';

/** An action in a log, with its result. */
export interface RecordedAction {
  /** Number of the reply that called it, from 1. */
  readonly step: number;
  readonly action: Action;
  /** Absent if it never finished. */
  readonly observation?: EventOf<'observation'>;
}

/** Returns the actions of a log in the order of their calls. */
export function recordedActions(history: History): RecordedAction[] {
  const results = new Map(
    history.flatMap((event) => (event.type === 'observation' ? [[event.actionId, event] as const] : [])),
  );
  return history
    .filter((event) => event.type === 'agent_response')
    .flatMap(({ actions }, index) =>
      actions.map((action) => {
        const observation = results.get(action.id);
        return { step: index + 1, action, ...(observation && { observation }) };
      }),
    );
}

/**
 * Returns a model that replays the replies of a log that called tools, in order. `left` is the number of remaining
 * replies.
 */
export function recordedModel(
  history: History,
  reword: (callArguments: string) => string,
): Model & { readonly left: number } {
  const { model } = history.find((event) => event.type === 'task_started')!;
  const replies = history.filter(
    (event): event is EventOf<'agent_response'> => event.type === 'agent_response' && event.actions.length > 0,
  );
  let at = 0;
  return {
    get left() {
      return replies.length - at;
    },
    info: { ...model, provider: 'a recorded run', contextWindow: null, scripted: true },
    async complete() {
      const reply = replies[at++];
      if (!reply)
        throw new ModelProblem('script', {
          what: 'The recorded replies are replayed.',
          why: 'None is left.',
          next: '',
        });
      return replyOf(reply, reword);
    },
  };
}

/** Arguments as the model wrote them, or in Waymark's form if the model used another dialect. */
const callArguments = ({ input, rawInput, called }: Action): string =>
  (called ? undefined : rawInput) ?? JSON.stringify(input) ?? '{}';

/** All calls become tool calls, regardless of their original form. They cost nothing. */
const replyOf = (
  { text, model, actions }: EventOf<'agent_response'>,
  reword: (callArguments: string) => string,
): ModelReply => ({
  text,
  model,
  finishReason: 'tool_calls',
  firstTokenMs: null,
  usage: { inputTokens: null, outputTokens: null, cachedTokens: null, cost: 0 },
  toolCalls: actions.map((action) => ({
    id: action.id,
    type: 'function',
    function: { name: action.tool, arguments: reword(callArguments(action)) },
  })),
});
