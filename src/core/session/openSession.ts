import type { Action, Limits } from '../../protocol/events/event';
import type { Agent } from '../agent/agent';
import { runSessionEndHooks } from '../agent/hooks';
import { settingsOf } from '../log/runSettings';
import type { History } from '../log/projection';
import type { WritableLog } from '../ports/eventStore';
import type { Model } from '../ports/model';
import type { Profile } from '../ports/profile';
import type { Tool } from '../ports/tool';
import { recordedHooks } from './assembleAgent';
import { firstEvents, type TaskSettings } from './firstEvents';
import { Conversation } from './conversation';
import type { ConversationListener } from './publication';
import { SessionTools } from './sessionTools';
import type { EditPreview } from '../tools/files/editPreview';
import { seenVersions } from '../log/seenFiles';
import { portsOf, sessionAgent, type SessionAgentParts } from './sessionAgent';
import { resolveChoices } from './resolveChoices';

type SessionAgent = Pick<Agent, 'step' | 'readAgain'>;

/** What every session has, whoever opens it: the window, the command line, a parent session or a replay. */
export interface SessionParts extends Omit<SessionAgentParts, 'profile' | 'sampling'>, WritableLog {
  readonly listener?: ConversationListener;
  /** Returns a profile with this user's overrides. Throws an `Error` with a message for people. */
  profileOf(name: string): Profile | Promise<Profile>;
  /** Returns how to sample several candidates per reply, or undefined for one. */
  samplingOf?(): SessionAgentParts['sampling'] | Promise<SessionAgentParts['sampling']>;
  /** Set for child sessions: wraps the agent to apply the parent's limits. */
  wrapAgent?(agent: Pick<Agent, 'step'>): Pick<Agent, 'step'>;
}

/** Choices for a task. Absent limits default to the profile's. */
export interface TaskChoices extends Omit<TaskSettings, 'limits'> {
  /** Name of the profile. */
  readonly profile: string;
  readonly limits: Partial<Limits>;
  /** Patterns of commands that this user always allows. */
  readonly allowPatterns: readonly string[];
}

/** A session that is ready to run. */
export interface OpenedSession {
  readonly conversation: Conversation;
  /** Reads other candidates the same way as it read the replies. */
  readonly agent: SessionAgent;
  readonly tools: SessionTools;
  /**
   * Returns what a waiting action would change in files if it ran now. Returns undefined if it is no edit of files by a
   * tool of Waymark, or needs more than files.
   */
  editPreview(action: Action): Promise<EditPreview | undefined>;
  /**
   * Writes the first events of a session with an empty log. External tools are started first, then the profile is
   * looked up, then the persona narrows both, and only the remaining tools are described to the model. If the profile
   * or its templates cannot be used, throws an `Error` with a message for people and writes nothing.
   */
  begin(task: string, model: Model, choices: TaskChoices): Promise<void>;
  /**
   * Runs the hooks of the end of a session, before its environment is disposed of. Their failures do not matter then.
   * `maxSeconds`: how long all of them together may run.
   */
  runEndHooks(maxSeconds: number): Promise<void>;
}

/** Opens a session: its agent, and the conversation with its log. */
export function openSession(parts: SessionParts): OpenedSession {
  const { listener, wrapAgent } = parts;
  const agent = preparedAgent(parts);
  const conversation = new Conversation(wrapAgent ? wrapAgent(agent) : agent, parts, listener);
  const { environment, trusted, customToolsets = {} } = parts;
  const tools = new SessionTools({ environment, trusted, customToolsets }, () => conversation.history);
  return {
    agent,
    conversation,
    tools,
    editPreview: (action) => previewOf(action, tools.toolNamed(action.tool), environment, conversation.history),
    async begin(task, model, choices) {
      model.connect?.();
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
      const first = await firstEvents(task, beginning, surroundings, settings);
      for (const event of first) conversation.append(event);
      allowAll(conversation, choices.allowPatterns);
    },
    async runEndHooks(maxSeconds) {
      if (!parts.hooks) return;
      const { history, append: emit } = conversation;
      const hooks = recordedHooks(parts.hooks, environment.checkpoints);
      await runSessionEndHooks(hooks, { history, emit, maxSeconds }).catch(() => undefined);
    },
  };
}

async function previewOf(
  action: Action,
  tool: Tool | undefined,
  environment: SessionParts['environment'],
  history: History,
): Promise<EditPreview | undefined> {
  if (!tool) return undefined;
  const { editPreview } = await import('../tools/files/editPreview');
  const versionSeen = (path: string): string | undefined => seenVersions(history).get(path);
  try {
    return await editPreview(tool, tool.bind(action.input), environment, { history, versionSeen });
  } catch {
    // The tool needs more than files, so its arguments are all that can be shown.
    return undefined;
  }
}

/** Adds patterns of always allowed commands as rules of a session. */
export function allowAll(conversation: Conversation, patterns: readonly string[]): void {
  for (const key of patterns)
    conversation.append({ type: 'allow_rule_added', rule: { tool: '*', key, pattern: true } });
}

/** Starts external tools if necessary and returns them. */
async function preparedTools({ environment: { added } }: SessionParts): Promise<readonly Tool[]> {
  await added?.prepare(new AbortController().signal);
  return added?.tools() ?? [];
}

/**
 * Returns an agent whose profile and judge are looked up at the first step. A failed lookup is repeated at the next
 * step.
 */
function preparedAgent({ profileOf, samplingOf, ...parts }: SessionParts): SessionAgent {
  let agent: Promise<SessionAgent> | undefined;
  const prepare = async (history: History): Promise<SessionAgent> => {
    const [profile, sampling] = await Promise.all([profileOf(settingsOf(history)!.profile), samplingOf?.()]);
    return sessionAgent({ ...parts, profile: () => profile, ...(sampling && { sampling }) });
  };
  const agentFor = (history: History): Promise<SessionAgent> =>
    (agent ??= prepare(history).catch((error: unknown) => {
      agent = undefined;
      throw error;
    }));
  return {
    step: async (context) => (await agentFor(context.history)).step(context),
    readAgain: async (reply, before) => (await agentFor(before)).readAgain(reply, before),
  };
}
