import { formatErrorWith, observationAsJson, submitMarker, truncation, workWith } from './miniTexts';
import type { Profile } from '../ports/profile';

/** Modeled on mini-swe-agent 2: one shell tool and a linear history. */
export const mini: Profile = {
  name: 'mini',
  description: 'Based on mini-swe-agent: only a shell tool; every command runs in a new subshell.',
  format: { kind: 'tool_calls', strict: true },
  templates: {
    system: 'You solve software tasks with a computer, by shell commands.',
    instance: `Solve this task:

<task>
{{ task }}
</task>

Each reply says in a sentence or two what you think, and calls the tool bash at least once. Several calls of one reply run one after the other.
${workWith(`To submit, call bash with exactly this command and nothing else:
echo ${submitMarker}`)}`,
    observation: observationAsJson,
    formatError: formatErrorWith(
      'Every reply needs at least one call of the tool bash, with one text argument: command.',
    ),
  },
  end: { text: 'format_error', markers: [submitMarker] },
  limits: { steps: 250, cost: 3, seconds: 0 },
  failureLimits: { formatErrors: 3, emptyReplies: 0, unknownTools: 0, badArguments: 0, continuations: 0 },
  faultyReply: 'hidden',
  ownMessages: true,
  truncation,
  parallel: 'none',
  branches: false,
  repairsCalls: false,
  condenser: { kind: 'none' },
  stuck: null,
  toolsets: ['mini'],
  wrapUp: false,
};
