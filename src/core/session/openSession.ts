import type { Limits } from '../../protocol/events/event';
import type { Agent } from '../agent/agent';
import { settingsOf, type History } from '../log/history';
import type { EventStore } from '../ports/eventStore';
import type { Model } from '../ports/model';
import type { Profile } from '../ports/profile';
import type { Tool } from '../ports/tool';
import { taskStarted, type TaskSettings } from './assemble';
import { Conversation } from './conversation';
import type { ConversationListener } from './publication';
import { resolveChoices } from './resolveChoices';
import { portsOf, sessionAgent, type SessionAgentParts } from './sessionAgent';

export type SessionAgent = Pick<Agent, 'step' | 'readAgain'>;

/** What any session has, whoever opens it: the window, the command line, a session that works for another, a replay. */
export interface SessionParts extends Omit<SessionAgentParts, 'profile' | 'sampling'> {
  /** What its log holds so far; empty for a session that only begins. */
  readonly events: History;
  readonly store: EventStore;
  readonly listener?: ConversationListener;
  /** The profile as this person has it. Throws an `Error` in words. */
  profileOf(name: string): Profile | Promise<Profile>;
  /** Several candidates for each reply; undefined where one is enough. */
  samplingOf?(): SessionAgentParts['sampling'] | Promise<SessionAgentParts['sampling']>;
  /** Set while it works for another session: what that one lets it do. */
  within?(agent: Pick<Agent, 'step'>): Pick<Agent, 'step'>;
}

/** What a person chose for a task; limits that are absent are the profile's. */
export interface TaskChoices extends Omit<TaskSettings, 'limits'> {
  /** The name of the profile. */
  readonly profile: string;
  readonly limits: Partial<Limits>;
  /** Commands that this person always allows. */
  readonly allowPatterns: readonly string[];
}

export interface OpenedSession {
  readonly conversation: Conversation;
  /** Reads other candidates as it read the replies. */
  readonly agent: SessionAgent;
  /**
   * Writes the first events of a session whose log is empty. Tools of others are begun first, then the profile is
   * looked up, then the persona narrows both, and only what is left is told to the model. Throws an `Error` in words,
   * and nothing is written, where the profile or its templates cannot be used.
   */
  begin(task: string, model: Model, choices: TaskChoices): Promise<void>;
}

/** Opens a session: its agent, and the conversation that keeps its log. */
export function openSession(parts: SessionParts): OpenedSession {
  const { events, store, listener, within } = parts;
  const agent = preparedAgent(parts);
  const conversation = new Conversation(within ? within(agent) : agent, events, store, listener);
  return {
    agent,
    conversation,
    async begin(task, model, choices) {
      const added = await preparedTools(parts);
      const { environment, surroundings, profileOf, trusted, customToolsets, exactTools } = parts;
      const { profile, settings, tools } = await resolveChoices(choices, {
        profile: await profileOf(choices.profile),
        profileOf: (name) => profileOf(name),
        trusted,
        added,
        has: portsOf(environment),
        ...(customToolsets && { custom: customToolsets }),
      });
      const { memory, scripts, skills, terminal } = environment;
      const beginning = { profile, model, tools: exactTools ?? tools, memory, scripts, skills, terminal };
      const first = await taskStarted(task, beginning, surroundings, settings);
      for (const event of first) conversation.append(event);
      allowAll(conversation, choices.allowPatterns);
    },
  };
}

/** Commands that a person always allows, as rules of a session. */
export function allowAll(conversation: Conversation, patterns: readonly string[]): void {
  for (const key of patterns)
    conversation.append({ type: 'allow_rule_added', rule: { tool: '*', key, pattern: true } });
}

/** Tools that others give, begun where they have to be. */
async function preparedTools({ environment: { added } }: SessionParts): Promise<readonly Tool[]> {
  await added?.prepare(new AbortController().signal);
  return added?.tools() ?? [];
}

/**
 * The agent, whose profile and judge are looked up with the first step. What could not be
 * found is looked up again with the next one.
 */
function preparedAgent({ profileOf, samplingOf, ...parts }: SessionParts): SessionAgent {
  let agent: Promise<SessionAgent> | undefined;
  const prepare = async (history: History): Promise<SessionAgent> => {
    const [profile, sampling] = await Promise.all([profileOf(settingsOf(history)!.profile), samplingOf?.()]);
    return sessionAgent({ ...parts, profile: () => profile, ...(sampling && { sampling }) });
  };
  const prepared = (history: History): Promise<SessionAgent> =>
    (agent ??= prepare(history).catch((error: unknown) => {
      agent = undefined;
      throw error;
    }));
  return {
    step: async (context) => (await prepared(context.history)).step(context),
    readAgain: async (reply, before) => (await prepared(before)).readAgain(reply, before),
  };
}
