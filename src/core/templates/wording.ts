import type { NewEvent } from '../../protocol/event';
import { settingsOf, type History } from '../agent/history';
import { systemPrompt } from '../agent/prompt';
import { spentOnTask } from '../agent/spending';
import type { Wording } from '../agent/wording';
import { checkTemplates, templateIn, type TemplateSources } from './checkTemplates';
import { observationText } from './observation';
import { render } from './render';
import { samplesFor } from './samples';
import { formatErrorVariables, runVariables, type RunFacts, type SessionFacts, type Variables } from './variables';

/** How a profile's templates tell the model what happens. `sources`: where templates come from that a person wrote. */
export function templateWording(facts: SessionFacts, sources: TemplateSources = {}): Wording {
  const { profile } = facts;
  const { formatError } = profile.templates;
  return {
    observation: (action, result, history) => observationText(profile, result, commandOf(action), runOf(facts, history), sources),
    async formatError(error, { calls, finishReason }, history) {
      if (formatError === undefined) return error;
      const variables = formatErrorVariables(runOf(facts, history), { error, actions: calls.map(commandOf), hasToolCalls: profile.format.kind === 'tool_calls' && calls.length > 0, finishReason });
      return render(formatError, variables, sources.formatError ?? templateIn(profile.name, 'formatError'));
    },
  };
}

type TaskStarted = Extract<NewEvent, { type: 'task_started' }>;

/** The first words of a run: the system prompt, and the first message where it is not the task itself. Tries all templates before; throws `TemplateProblem`. */
export async function openingWords(facts: Omit<RunFacts, 'spent'>, sources: TemplateSources = {}): Promise<Pick<TaskStarted, 'systemPrompt' | 'prompt'>> {
  const { profile: { name, templates }, surroundings } = facts;
  const { system, instance } = templates;
  if (Object.keys(templates).length === 0) return { systemPrompt: systemPrompt(surroundings) };
  const run = runVariables({ ...facts, spent: { steps: 0, cost: 0, seconds: 0 } });
  const named = { ...Object.fromEntries((Object.keys(templates) as (keyof typeof templates)[]).map(each => [each, templateIn(name, each)])), ...sources };
  await checkTemplates(templates, named, samplesFor(run));
  return {
    systemPrompt: system === undefined ? systemPrompt(surroundings) : await render(system, run, named.system!),
    ...(instance !== undefined && { prompt: await render(instance, run, named.instance!) }),
  };
}

function runOf(facts: SessionFacts, history: History): Variables {
  const { limits, mode, model } = settingsOf(history)!;
  const { steps, seconds, usage } = spentOnTask(history);
  const task = history.find(event => event.type === 'task_started')!.task;
  return runVariables({ ...facts, task, limits, mode, model, spent: { steps, seconds, cost: usage.cost ?? 0 } });
}

/** The command of a shell call; of another call its tool and arguments. */
function commandOf(call: unknown): string {
  const { tool, input, summary, function: named } = call as { tool?: string; input?: { command?: unknown }; summary?: string; function?: { name: string; arguments: string } };
  if (typeof input?.command === 'string') return input.command;
  return summary ?? (named ? `${named.name} ${named.arguments}` : `${tool ?? ''} ${JSON.stringify(input)}`);
}
