import type { Action, EventOf } from '../../../protocol/events/event';
import type { History } from '../../log/projection';
import { ModelProblem, type Model, type ModelReply } from '../../ports/model';
import type { RunSettings } from '../../log/runSettings';
import { toolsOf } from '../../session/sessionAgent';
import type { Profile } from '../../ports/profile';
import { profileNamed } from '../../profiles/profiles';
import type { Need, Tool } from '../../ports/tool';
import { findTools } from '../../tools/native/findTools';
import { toolsFor } from '../../tools/toolsFor';
import { toolsOrNone } from '../toolDefinitions';

/** An action in a log, with its result. */
export interface RecordedAction {
  /** Number of the reply that called it, from 1. */
  readonly step: number;
  readonly action: Action;
  /** Absent if it never finished. */
  readonly observation?: EventOf<'observation'>;
}

/** Returns the actions of a log in the order of their calls. */
export function recordedActions(history: History): RecordedAction[] {
  const results = new Map(
    history.flatMap((event) => (event.type === 'observation' ? [[event.actionId, event] as const] : [])),
  );
  return history
    .filter((event) => event.type === 'agent_response')
    .flatMap(({ actions }, index) =>
      actions.map((action) => {
        const observation = results.get(action.id);
        return { step: index + 1, action, ...(observation && { observation }) };
      }),
    );
}

/** Returns the names of the tools of MCP servers and extensions that a session had at any time, and of their search. */
export function addedToolNames(history: History): ReadonlySet<string> {
  const added = history.flatMap((event) => ('addedTools' in event ? (event.addedTools ?? []) : []));
  const search = added.some(({ deferred }) => deferred) ? [findTools.name] : [];
  return new Set([...added.map(({ name }) => name), ...search]);
}

/**
 * Returns a model that replays the replies of a log that called tools, in order. `left` is the number of remaining
 * replies.
 */
export function recordedModel(
  history: History,
  reword: (callArguments: string) => string,
): Model & { readonly repliesLeft: number } {
  const { model } = history.find((event) => event.type === 'task_started')!;
  const replies = history.filter(
    (event): event is EventOf<'agent_response'> => event.type === 'agent_response' && event.actions.length > 0,
  );
  let at = 0;
  return {
    get repliesLeft() {
      return replies.length - at;
    },
    info: { ...model, provider: 'a recorded run', contextWindow: null, scripted: true },
    async complete() {
      const reply = replies[at++];
      if (!reply)
        throw new ModelProblem('script', {
          what: 'The recorded replies are replayed.',
          why: 'None is left.',
          next: '',
        });
      return replyOf(reply, reword);
    },
  };
}

/** Arguments as the model wrote them, or in Waymark's form if the model used another dialect. */
const callArguments = ({ input, rawInput, called }: Action): string =>
  (called ? undefined : rawInput) ?? JSON.stringify(input) ?? '{}';

/** All calls become tool calls, regardless of their original form. They cost nothing. */
const replyOf = (
  { text, model, actions }: EventOf<'agent_response'>,
  reword: (callArguments: string) => string,
): ModelReply => ({
  text,
  model,
  finishReason: 'tool_calls',
  firstTokenMs: null,
  usage: { inputTokens: null, outputTokens: null, cachedTokens: null, cost: 0 },
  toolCalls: actions.map((action) => ({
    id: action.id,
    type: 'function',
    function: { name: action.tool, arguments: reword(callArguments(action)) },
  })),
});

/** Profiles for logs of other programs. */
const profileOf: Readonly<Record<string, string>> = { mini: 'mini', sharegpt: 'hermes', openhands: 'openhands' };

/**
 * Returns the profile of a recorded run without anything that would call a model, end the run or reject its result: all
 * of that is in the recording.
 */
export function replayProfile(name: string, origin: string | undefined): Profile {
  const {
    critic: _critic,
    truncation: _truncation,
    ...profile
  } = profileOrDefault((origin !== undefined && profileOf[origin]) || name);
  return {
    ...profile,
    format: { kind: 'tool_calls' },
    templates: {},
    condenser: { kind: 'none' },
    stuck: null,
    wrapUp: false,
    branches: false,
    skills: false,
    end: { ...profile.end, text: 'answer' },
    failureLimits: { formatErrors: 0, emptyReplies: 0, unknownTools: 0, badArguments: 0, continuations: 0 },
  };
}

function profileOrDefault(name: string): Profile {
  try {
    return profileNamed(name);
  } catch {
    return profileNamed('waymark');
  }
}

/** Returns the tools that the session had, and other known tools that the log calls. */
export function replayTools(profile: Profile, settings: RunSettings, recorded: History): Tool[] {
  const called = new Set(
    recorded.flatMap((event) => (event.type === 'agent_response' ? event.actions.map(({ tool }) => tool) : [])),
  );
  const tools = new Map<string, Tool>();
  for (const tool of [
    ...toolsOrNone(() => toolsOf(settings, profile, { trusted: true, has: hadBy(recorded) })),
    ...toolsOrNone(() => toolsFor({ toolsets: ['all'] })).filter(({ name }) => called.has(name)),
  ])
    if (!tools.has(tool.name)) tools.set(tool.name, tool);
  return [...tools.values()];
}

/** Returns the ports that the session had, derived from the initial tool names in its log. */
function hadBy(recorded: History): readonly Need[] {
  const started = recorded.find((event) => event.type === 'task_started');
  const named = new Set(started?.tools);
  const offered = toolsOrNone(() => toolsFor({ toolsets: ['all'] })).filter(({ name }) => named.has(name));
  return [...new Set(offered.flatMap(({ needs }) => needs ?? []))];
}
