import { statusOf } from '../../log/status';
import type { History } from '../../log/projection';
import { resultsToWrite } from '../agentResults';
import { withoutUndefined, type JsonObject } from '../reading/json';
import { finishedEvent, startOf } from '../writing';
import { idFor, responseId } from './openhandsEvents';

/** Contents of `base_state.json`: data about the whole conversation. */
export function baseState(history: History, session: string): JsonObject {
  const { model, tools, cwd, limits, confirmation } = startOf(history)!;
  const policies = {
    always: { kind: 'AlwaysConfirm' },
    risky: { threshold: 'HIGH', confirm_unknown: true, kind: 'ConfirmRisky' },
    never: { kind: 'NeverConfirm' },
  };
  return {
    id: idFor(session, 0, 'conversation'),
    agent: {
      llm: { model: model.name, usage_id: 'agent' },
      tools: tools.map((tool) => ({ name: tool, params: {} })),
      kind: 'Agent',
    },
    workspace: { working_dir: cwd, kind: 'LocalWorkspace' },
    max_iterations: limits.steps || 500,
    stuck_detection: true,
    execution_status: executionStatus(history),
    confirmation_policy: policies[confirmation],
    activated_knowledge_skills: [],
    blocked_actions: {},
    blocked_messages: {},
    stats: { usage_to_metrics: { agent: metricsOf(history) } },
    // The SDK reserves this field for agent-specific data.
    ...(finishedEvent(history)?.results && { agent_state: resultsToWrite(history) }),
  };
}

function executionStatus(history: History): string {
  const end = finishedEvent(history);
  if (end?.status === 'submitted') return 'finished';
  if (end?.status === 'stopped') return 'paused';
  if (end) return end.cause === 'going_in_circles' ? 'stuck' : 'error';
  switch (statusOf(history)) {
    case 'waiting_for_confirmation':
    case 'waiting_for_answer':
      return 'waiting_for_confirmation';
    case 'paused':
      return 'paused';
    default:
      return history.findLast((event) => event.type === 'agent_response' || event.type === 'user_message')?.type ===
        'agent_response' && statusOf(history) === 'idle'
        ? 'finished'
        : 'idle';
  }
}

function metricsOf(history: History): JsonObject {
  const calls = history.filter((event) => event.type === 'agent_response').filter(({ by }) => by !== 'person');
  const window = startOf(history)!.model.contextWindow ?? 0;
  const counted = calls.filter(({ usage }) => usage.inputTokens !== null || usage.outputTokens !== null);
  const usages = counted.map(({ seq, model, usage }) => ({
    model,
    prompt_tokens: usage.inputTokens ?? 0,
    completion_tokens: usage.outputTokens ?? 0,
    cache_read_tokens: usage.cachedTokens ?? 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
    context_window: window,
    per_turn_token: (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0),
    response_id: responseId(seq),
  }));
  const sum = (field: 'prompt_tokens' | 'completion_tokens' | 'cache_read_tokens'): number =>
    usages.reduce((all, usage) => all + usage[field], 0);
  const costs = calls.filter(({ usage }) => usage.cost !== null);
  return withoutUndefined({
    model_name: startOf(history)!.model.name,
    accumulated_cost: costs.reduce((all, { usage }) => all + usage.cost!, 0),
    accumulated_token_usage: {
      model: startOf(history)!.model.name,
      prompt_tokens: sum('prompt_tokens'),
      completion_tokens: sum('completion_tokens'),
      cache_read_tokens: sum('cache_read_tokens'),
      cache_write_tokens: 0,
      reasoning_tokens: 0,
      context_window: window,
      per_turn_token: usages.at(-1)?.per_turn_token ?? 0,
      response_id: '',
    },
    costs: costs.map(({ model, usage, at }) => ({ model, cost: usage.cost, timestamp: at / 1000 })),
    response_latencies: calls.map(({ model, durationMs, seq }) => ({
      model,
      latency: durationMs / 1000,
      response_id: responseId(seq),
    })),
    token_usages: usages,
  });
}
