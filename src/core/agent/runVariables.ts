import type { Profile } from '../ports/profile';
import { runVariables, type Variables } from '../profiles/templates/variables';
import type { Tool } from '../ports/tool';
import type { Limits, Mode, ModelInfo } from '../../protocol/events/event';
import { settingsOf } from '../log/runSettings';
import type { History } from '../log/projection';
import type { Surroundings } from './prompt';
import { taskSpending } from '../log/spending';

export interface VariableSources {
  readonly profile: Profile;
  readonly tools: readonly Tool[];
  readonly surroundings: Surroundings;
}

interface Start {
  readonly task: string;
  readonly inputs?: Readonly<Record<string, string>> | undefined;
  readonly model: ModelInfo;
  readonly mode: Mode;
  readonly limits: Limits;
}

const unknownMachine = { system: '', release: '', version: '', machine: '' };

/** Variables for templates before the run has begun. */
export function variablesAtStart(
  { profile, tools, surroundings }: VariableSources,
  { task, inputs, model, mode, limits }: Start,
  spent = { steps: 0, cost: 0, seconds: 0 },
): Variables {
  const {
    root,
    otherFolders,
    shell,
    mayAct,
    machine = { ...unknownMachine, system: surroundings.platform },
    env,
  } = surroundings;
  return runVariables({
    task,
    ...(inputs && { inputs }),
    profile,
    limits,
    mode,
    model,
    tools,
    folder: { root, otherFolders, shell, mayAct },
    platform: machine,
    ...(env && { env }),
    spent,
  });
}

/** Variables for templates during a run. */
export function variablesOf(known: VariableSources, history: History): Variables {
  const settings = settingsOf(history)!;
  const started = history.find((event) => event.type === 'task_started');
  const { steps, seconds, usage } = taskSpending(history);
  return variablesAtStart(
    known,
    { ...settings, task: started?.task ?? '', inputs: started?.inputs },
    { steps, seconds, cost: usage.cost ?? 0 },
  );
}
