import type { History } from '../../log/projection';
import type { RunSettings } from '../../log/runSettings';
import { toolsOf } from '../../session/sessionAgent';
import type { Profile } from '../../ports/profile';
import { profileNamed } from '../../profiles/profiles';
import type { Need, Tool } from '../../ports/tool';
import { toolsFor } from '../../tools/toolsFor';
import { toolsOrNone } from '../toolsOrNone';

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
