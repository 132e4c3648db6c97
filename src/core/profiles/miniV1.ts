import { mini } from './mini';
import { formatErrorWith, observationAsTags, olderSubmitMarker, submitMarker, workWith } from './miniTexts';
import type { Profile } from '../ports/profile';

const fence = '```';
const example = (command: string): string => `${fence}bash\n${command}\n${fence}`;

/** Modeled on mini-swe-agent 1: one fenced command per reply, everything else as messages of the user. */
export const miniV1: Profile = {
  ...mini,
  name: 'mini-v1',
  description: 'Based on mini-swe-agent 1: exactly one command per reply, in a fenced bash block.',
  format: { kind: 'fenced', label: 'bash', tool: 'bash' },
  templates: {
    system: `You solve software tasks with a computer, by shell commands. Every reply holds exactly one fenced block labelled bash with one command, or several joined with && or ||. Say before it what you think:

THOUGHT: why this command is next

${example('the command')}

A reply with no such block, or with several, is refused.`,
    instance: `Solve this task:

<task>
{{ task }}
</task>
${workWith(`To submit, the block holds a command whose first line of output is the marker; what follows it is handed in:\n\n${example(`echo ${submitMarker}`)}`)}`,
    observation: observationAsTags,
    formatError: formatErrorWith(
      `A reply looks like this:\n\nTHOUGHT: why this command is next\n\n${example('the command')}\n`,
    ),
    timeout: `The last command <command>{{ action }}</command> ran out of time and was ended.
What it had printed:
<output>
{% if output.output | length < truncation.limit -%}
{{ output.output }}
{%- else -%}
{{ output.output[:truncation.head] }}
[{{ output.characters - truncation.head - truncation.tail }} characters left out]
{{ output.output[-truncation.tail:] }}
{%- endif %}
</output>
Try another command, and one that needs no typing.`,
  },
  end: { text: 'format_error', markers: [submitMarker, olderSubmitMarker] },
  // Only version 2 ends a run after three format errors in a row.
  failureLimits: { ...mini.failureLimits, formatErrors: 0 },
  faultyReply: 'kept',
  miniVersion: 1,
};
