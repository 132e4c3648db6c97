import type { Action, EventOf } from '../../../protocol/events/event';
import type { History } from '../../log/history';
import { ModelProblem, type Model, type ModelReply } from '../../ports/model';

/** What a log says of one action: that it was asked for, and what came of it. */
export interface RecordedAction {
  /** The number of the reply that asked for it, from 1. */
  readonly step: number;
  readonly action: Action;
  /** Absent where it never reported. */
  readonly observation?: EventOf<'observation'>;
}

/** The actions of a log in the order in which they were asked for. */
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
 * A model that says what another one said in a log: the replies that asked for something, in
 * order. `left` tells how many are to come.
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
      if (!reply) throw new ModelProblem('script', 'The recorded replies are played.', 'None is left.', '');
      return replyOf(reply, reword);
    },
  };
}

/** As the model wrote them, or in the words of Waymark where it used others. */
const callArguments = ({ input, rawInput, called }: Action): string =>
  (called ? undefined : rawInput) ?? JSON.stringify(input) ?? '{}';

/** Whatever form its calls had: what was read out of it is what is done again. Nothing is paid for it. */
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
