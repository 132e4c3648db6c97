import { actionsFor } from './actionsFor';
import type { AgentParts, StepContext } from '../agentParts';
import { typedCommands } from '../../log/status';
import { Failed } from '../interrupt';
import { currentHash } from '../acting/permission';
import { resolveAction } from '../acting/resolvedAction';
import { typedCommand } from '../../security/sandbox';
import type { Action, EventOf } from '../../../protocol/events/event';

/**
 * In human mode a message is a command. It is recorded like a reply, and typing it is the consent to run it. It runs in
 * the sandbox as usual, unless it starts with `outsidePrefix`.
 */
export async function typedAction(parts: AgentParts, { history, emit }: StepContext): Promise<void> {
  const [message] = typedCommands(history);
  if (!message) return;
  const tool = parts.tools.find(({ effect }) => effect === 'executes');
  if (!tool)
    throw new Failed({
      what: 'The command was not run.',
      why: 'This session has no tool that runs commands.',
      next: 'Trust the folder or enable a toolset with a terminal, or leave human mode.',
    });
  const { command, outside } = typedCommand(message.text);
  const actions = await actionsFor([[{ id: '', tool: tool.name, input: { command } }]], parts, history);
  emit(personsReply(actions, { readUpTo: message.seq + 1 }));
  const ids = actions.map(({ id }) => id);
  const hashes = Object.fromEntries(
    await Promise.all(
      actions.map(async (action) => {
        const resolved = resolveAction(action, parts.tools);
        return [action.id, await currentHash(resolved, action.risk, parts, history)] as const;
      }),
    ),
  );
  emit({
    type: 'confirmation_resolved',
    actionIds: ids,
    approved: true,
    by: 'person',
    hashes,
    ...(outside && { outside: ids }),
  });
}

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
