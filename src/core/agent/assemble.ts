import type { ConfirmationMode, Limits, Mode, NewEvent } from '../../protocol/event';
import type { Model } from '../model/model';
import { toolCallFormat, type Call } from '../model/replyFormat';
import type { Profile } from '../profiles/profile';
import { analyzers } from '../security/analyzers';
import { confirmationPolicies } from '../security/confirmation';
import type { Environment } from '../tools/environment';
import type { Tool } from '../tools/tool';
import { Agent } from './agent';
import type { Children } from './children';
import { modeChange } from './modes';
import { systemPrompt, titleOf, type Surroundings } from './prompt';
import { plainWording } from './wording';

export interface Assembly {
  readonly profile: Profile;
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly environment: Environment;
  /** Absent where no sessions can be begun. */
  readonly children?: Children;
  /** Whether a person can answer questions. */
  readonly attended: boolean;
}

/** The agent that a profile describes. */
export function assembleAgent({ profile, model, tools, environment, children, attended }: Assembly): Agent {
  return new Agent({
    profile, model, tools, environment, attended, analyzers, policies: confirmationPolicies, wording: plainWording,
    format: toolCallFormat(together(profile, tools)), ...(children && { children }),
  });
}

/** Which neighbouring calls of one reply form a group, where the reply itself does not say. */
function together({ parallel }: Profile, tools: readonly Tool[]): (a: Call, b: Call) => boolean {
  const effectOf = new Map(tools.map(({ name, effect }) => [name, effect]));
  const alone = new Set<string | undefined>(['asks', 'ends', undefined]);
  return (a, b) => {
    const [left, right] = [effectOf.get(a.tool), effectOf.get(b.tool)];
    if (parallel === 'none' || alone.has(left) || alone.has(right)) return false;
    return parallel === 'all' || (left === right && (left === 'reads' || left === 'delegates'));
  };
}

/** What a person chose for a task. What is absent is as the profile says. */
export interface TaskSettings {
  readonly mode: Mode;
  readonly confirmation: ConfirmationMode;
  readonly limits: Limits;
  readonly toolsets?: readonly string[];
  readonly disabledToolsets?: readonly string[];
  readonly parent?: { readonly session: string; readonly actionId: string };
}

/** The first events of a session. */
export async function taskStarted(task: string, { profile, model, tools }: Pick<Assembly, 'profile' | 'model' | 'tools'>, surroundings: Surroundings, { mode, confirmation, limits, toolsets, disabledToolsets, parent }: TaskSettings): Promise<NewEvent[]> {
  const change = modeChange(undefined, mode);
  return [
    {
      type: 'task_started', task, title: titleOf(task), systemPrompt: systemPrompt(surroundings), model: model.info, tools: tools.map(({ name }) => name),
      cwd: surroundings.root, mode, profile: profile.name, confirmation, limits,
      ...(toolsets && { toolsets: [...toolsets] }), ...(disabledToolsets && { disabledToolsets: [...disabledToolsets] }), ...(parent && { parent }),
    },
    ...(change ? [{ type: 'feedback', cause: 'mode_changed', text: change } as const] : []),
  ];
}
