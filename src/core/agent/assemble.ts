import type { ConfirmationMode, Limits, NewEvent } from '../../protocol/event';
import type { Model } from '../model/model';
import { toolCallFormat } from '../model/replyFormat';
import { analyzers } from '../security/analyzers';
import { confirmationPolicies } from '../security/confirmation';
import type { Environment } from '../tools/environment';
import type { Tool } from '../tools/tool';
import { Agent } from './agent';
import { systemPrompt, titleOf, type Surroundings } from './prompt';

export interface Assembly {
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly environment: Environment;
  /** Whether a person can answer questions. */
  readonly attended: boolean;
}

/** The agent as it is by default: OpenAI tool calls, reads of one reply together, all analyzers. */
export function assembleAgent({ model, tools, environment, attended }: Assembly): Agent {
  const reads = new Set(tools.filter(tool => tool.effect === 'reads').map(tool => tool.name));
  return new Agent({ model, tools, environment, attended, analyzers, policies: confirmationPolicies, format: toolCallFormat((a, b) => reads.has(a.tool) && reads.has(b.tool)) });
}

/** The first event of a session. */
export function taskStarted(task: string, { model, tools }: Pick<Assembly, 'model' | 'tools'>, surroundings: Surroundings, settings: { confirmation: ConfirmationMode; limits: Limits }): NewEvent {
  return {
    type: 'task_started', task, title: titleOf(task), systemPrompt: systemPrompt(surroundings), model: model.info, tools: tools.map(({ name }) => name),
    cwd: surroundings.root, confirmation: settings.confirmation, limits: settings.limits,
  };
}
