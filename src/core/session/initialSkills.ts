import type { EventOf } from '../../protocol/events/event';
import type { Profile } from '../ports/profile';
import type { Skills } from '../ports/environment';
import type { Tool } from '../ports/tool';
import { useSkill } from '../tools/native/useSkill';

/** What a session learns from its repository as it begins. */
export interface InitialSkills {
  /** For the system prompt; empty where there is nothing to say. */
  readonly words: string;
  readonly skills: NonNullable<EventOf<'task_started'>['skills']>;
  readonly tools: readonly Tool[];
}

/** Nothing where the profile does not listen, or the folder is not trusted. */
export async function initialSkills(
  profile: Profile,
  tools: readonly Tool[],
  skills: Skills | undefined,
  model: string,
): Promise<InitialSkills> {
  const used =
    profile.skills && skills
      ? (await skills.used(model)).filter(({ kind }) => kind === 'always' || kind === 'skill' || kind === 'persona')
      : [];
  if (used.length === 0) return { words: '', skills: [], tools };
  const asked = used.some(({ kind, modelMayUse }) => kind === 'skill' && modelMayUse);
  const all = asked && !tools.includes(useSkill) ? [...tools, useSkill] : tools;
  const { skillsPrompt } = await import('../skills/prompt');
  const words = skillsPrompt(used, { useSkill: asked, delegate: tools.some(({ effect }) => effect === 'delegates') });
  return { words, skills: used.map(({ name, path, hash, kind }) => ({ name, path, hash, kind })), tools: all };
}
