import type { Action } from '../../../protocol/events/event';
import { staysWithin } from '../../security/allowRules';
import { asksAlways } from '../../risk/confirmation';
import { actionsFor } from '../thinking/actionsFor';
import { personsReply } from '../thinking/typedAction';
import type { AgentParts, StepContext } from '../agentParts';
import { decisionOn, pendingActions } from '../../log/openActions';
import type { History } from '../../log/projection';
import { currentHash } from './permission';
import { resolveAction } from './resolvedAction';
import { runAction } from './runAction';

/**
 * For each command that a person edited while approving: adds the edited command as the person's own action and rejects
 * the model's. Returns true if there was one. The edited command needs no second approval unless its risk is higher
 * than what the card showed.
 */
export async function putEditedActions(parts: AgentParts, context: StepContext): Promise<boolean> {
  const { history } = context;
  const edited = pendingActions(history).filter(({ id }) => editOf(id, history) !== undefined);
  for (const action of edited) await putEdited(action, parts, context);
  return edited.length > 0;
}

const editOf = (actionId: string, history: History): string | undefined =>
  decisionOn(actionId, history)?.edited?.[actionId];

async function putEdited(action: Action, parts: AgentParts, context: StepContext): Promise<void> {
  const { history, signal, emit } = context;
  const decision = decisionOn(action.id, history)!;
  const resolved = resolveAction(action, parts.tools);
  const { tool, call } = resolved;
  const input = call?.withCommand?.(editOf(action.id, history)!);
  const isThere = history.some((event) => event.type === 'agent_response' && event.instead === action.id);
  if (tool && input !== undefined && !isThere) {
    const [own] = await actionsFor([[{ id: '', tool: tool.name, input }]], parts, history);
    const placed = { ...own!, group: action.group };
    const hash = await currentHash(resolveAction(placed, parts.tools), placed.risk, parts, history);
    signal.throwIfAborted();
    // Messages that arrived after the model's reply reach the model with its next request.
    emit(personsReply([placed], { readUpTo: readUpToOf(action, history), instead: action.id }));
    const isNoMore = !asksAlways(placed.risk) && staysWithin(placed.risk, { within: action.risk });
    if (isNoMore)
      emit({
        type: 'confirmation_resolved',
        actionIds: [placed.id],
        approved: true,
        by: 'person',
        hashes: { [placed.id]: hash },
        ...(decision.outside && { outside: [placed.id] }),
      });
  }
  await runAction(resolved, { parts, context, forbidden: undefined, outsideSandbox: false });
}

/** How far the reply that contains the action has read the log. */
function readUpToOf({ id: wanted }: Action, history: History): number {
  const reply = history.findLast(
    (event) => event.type === 'agent_response' && event.actions.some(({ id }) => id === wanted),
  );
  return reply?.type === 'agent_response' ? reply.readUpTo : 0;
}
