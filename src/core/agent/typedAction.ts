import { consentHash } from '../security/consent';
import { actionsFor } from './actionsFor';
import type { AgentParts, StepContext } from './agent';
import { typedCommands } from './history';
import { Failed } from './interrupt';

/** In human mode a person's words are a command: it is recorded like a reply, and typing it is the consent to run it. */
export async function typedAction(parts: AgentParts, { history, emit }: StepContext): Promise<void> {
  const [words] = typedCommands(history);
  if (!words) return;
  const tool = parts.tools.find(({ effect }) => effect === 'executes');
  if (!tool) throw new Failed({ what: 'The command was not run.', why: 'This session has no tool that runs commands.', next: 'Trust the folder or enable a toolset with a terminal, or leave human mode.' });
  const actions = await actionsFor([[{ id: '', tool: tool.name, input: { command: words.text } }]], parts, history);
  emit({
    type: 'agent_response', readUpTo: words.seq + 1, durationMs: 0, text: '', actions, by: 'person',
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, cost: 0 }, model: 'person', finishReason: 'stop', firstTokenMs: null,
  });
  const hashes = Object.fromEntries(await Promise.all(actions.map(async action => [action.id, await consentHash(action, action.risk, history)])));
  emit({ type: 'confirmation_resolved', actionIds: actions.map(({ id }) => id), approved: true, by: 'person', hashes });
}
