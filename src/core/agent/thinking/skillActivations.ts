import type { Action, Event, EventOf, NewEvent } from '../../../protocol/events/event';
import type { Skill } from '../../ports/skill';
import type { Environment } from '../../ports/environment';
import type { AgentParts } from '../agentParts';
import { settingsOf } from '../../log/runSettings';
import { viewOf } from '../../model/messages';
import { projection, type History } from '../../log/projection';

/** What may activate skills since the last reply, and the skills whose text the model already sees. */
interface Fresh {
  messages: { readonly seq: number; readonly text: string }[];
  actions: Map<string, Action>;
  touching: Action[];
  readonly awake: Set<string>;
}

const freshIn = projection<Fresh>(
  () => ({ messages: [], actions: new Map(), touching: [], awake: new Set() }),
  (fresh, event) => {
    switch (event.type) {
      case 'task_started':
        fresh.messages.push({ seq: event.seq, text: event.task });
        break;
      case 'user_message':
        fresh.messages.push({ seq: event.seq, text: event.text });
        break;
      case 'agent_response':
        fresh.messages = fresh.messages.filter(({ seq }) => seq >= event.readUpTo);
        fresh.touching = [];
        fresh.actions = new Map(event.actions.map((action) => [action.id, action]));
        break;
      case 'observation': {
        const action = fresh.actions.get(event.actionId);
        if (action && (event.outcome === 'ok' || event.outcome === 'error')) fresh.touching.push(action);
        break;
      }
      case 'skill_woken':
        fresh.awake.add(event.path);
        fresh.messages = [];
        break;
    }
  },
);

/**
 * Returns events for the skills activated by messages and actions since the last reply. A skill removed by a
 * condensation can be activated again.
 */
export async function skillActivations(
  {
    environment: { skills, root },
    tools,
    profile,
  }: Pick<AgentParts, 'tools' | 'profile'> & { readonly environment: Pick<Environment, 'skills' | 'root'> },
  history: History,
): Promise<NewEvent[]> {
  const { messages, touching, awake } = freshIn(viewOf(history) as readonly Event[]);
  if (!skills || !profile.skills || (messages.length === 0 && touching.length === 0)) return [];
  const skillsToWake = (await skills.listUsed(settingsOf(history)!.model.name)).filter(canWake);
  if (skillsToWake.length === 0) return [];
  const { skillsActivatedBy, activatedSkillText } = await import('../../skills/activate');
  const touched = [...new Set(touching.flatMap((action) => pathsOf(action, tools, root)))];
  const activated = new Set(awake);
  return [...messages.map(({ text }) => ({ message: text })), { touched }].flatMap((occasion) =>
    skillsActivatedBy(occasion, skillsToWake, activated).map(
      ({ skill, cause }): Omit<EventOf<'skill_woken'>, 'seq' | 'at'> => {
        activated.add(skill.path);
        return {
          type: 'skill_woken',
          name: skill.name,
          path: skill.path,
          hash: skill.hash,
          by: cause.by,
          what: cause.what,
          text: activatedSkillText(skill, cause, 'message' in occasion ? occasion.message : ''),
        };
      },
    ),
  );
}

const canWake = ({ kind }: Skill): boolean => kind !== 'always' && kind !== 'persona';

/** Paths that a call touched, relative to the workspace folder. */
function pathsOf({ tool: name, input, problem }: Action, tools: AgentParts['tools'], root: string): string[] {
  const tool = problem === undefined ? tools.find((each) => each.name === name) : undefined;
  if (!tool) return [];
  const { reads = [], writes = [] } = tool.bind(input).touches;
  return [...reads, ...writes]
    .map((path) => path.replaceAll('\\', '/'))
    .map((path) => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path.replace(/^(?:\.\/)+/, '')));
}
