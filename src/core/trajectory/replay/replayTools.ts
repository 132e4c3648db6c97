import type { History, RunSettings } from '../../log/history';
import { toolsOf } from '../../session/sessionAgent';
import type { Profile } from '../../ports/profile';
import { profileNamed } from '../../profiles/profiles';
import type { Need, Tool } from '../../ports/tool';
import { toolsFor } from '../../tools/toolsFor';

/** How the programs work whose logs name no profile of ours. */
const profileOf: Readonly<Record<string, string>> = { mini: 'mini', sharegpt: 'hermes', openhands: 'openhands' };

/**
 * The way of working of a recorded run, without what would ask a model, end the run, or
 * send it back: all of that is in the record.
 */
export function replayProfile(name: string, origin: string | undefined): Profile {
  const {
    critic: _critic,
    truncation: _truncation,
    ...profile
  } = known((origin !== undefined && profileOf[origin]) || name);
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
    patience: { formatErrors: 0, emptyReplies: 0, unknownTools: 0, badArguments: 0, continuations: 0 },
  };
}

function known(name: string): Profile {
  try {
    return profileNamed(name);
  } catch {
    return profileNamed('waymark');
  }
}

/** The tools that the session had, and other known tools that the log calls. */
export function replayTools(profile: Profile, settings: RunSettings, recorded: History): Tool[] {
  const called = new Set(
    recorded.flatMap((event) => (event.type === 'agent_response' ? event.actions.map(({ tool }) => tool) : [])),
  );
  const tools = new Map<string, Tool>();
  for (const tool of [
    ...chosen(() => toolsOf(settings, profile, true, {}, [], hadBy(recorded))),
    ...chosen(() => toolsFor({ toolsets: ['all'] })).filter(({ name }) => called.has(name)),
  ])
    if (!tools.has(tool.name)) tools.set(tool.name, tool);
  return [...tools.values()];
}

/** The ports that the session had: its log names the tools that it began with. */
function hadBy(recorded: History): readonly Need[] {
  const started = recorded.find((event) => event.type === 'task_started');
  const named = new Set(started?.tools);
  const offered = chosen(() => toolsFor({ toolsets: ['all'] })).filter(({ name }) => named.has(name));
  return [...new Set(offered.flatMap(({ needs }) => needs ?? []))];
}

/** Toolsets of a person's own are not in a log. */
function chosen(tools: () => Tool[]): Tool[] {
  try {
    return tools();
  } catch {
    return [];
  }
}
