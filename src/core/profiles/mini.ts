import type { Profile, FormatChoice } from '../ports/profile';

/**
 * Texts shared by the profiles modeled on mini-swe-agent. `truncation` and `output` are variables of the observation.
 */

const submitMarker = 'COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT';
const olderSubmitMarker = 'MINI_SWE_AGENT_FINAL_OUTPUT';

/**
 * Instructions of the first message, independent of the reply format. `submitting`: how to write a reply with the last
 * command.
 */
const workWith = (submitting: string): string => `
How to work:
1. Look at the files that matter and understand the problem.
2. Show the problem with a small script or test where that is possible.
3. Change the sources until it is solved.
4. Run the script and the tests again, and think of edge cases.
5. Submit.

What to know about the shell:
- Each command runs in a new subshell of {{ cwd }}: folder and variables do not stay. Write "cd sub && command", or put variables before the command.
- Nobody can type into a command. Choose options that ask nothing and open no editor or pager.
- Print only what is needed: use head, tail, sed -n or grep on what is long.
- System: {{ system }} {{ release }} {{ version }} {{ machine }}.{% if system == "Darwin" %} Its sed needs a suffix after -i: sed -i '' …{% endif %}

${submitting}
Submit only when the work is done and checked; nothing can be done afterwards.
`;

const warning =
  'The output is too long; its middle was left out. Use a command that prints less, or write the output to a file and search it.';

/** The result as a JSON object. */
const observationAsJson = `
{%- if output.output | length < truncation.limit -%}
{"returncode": {{ output.returncode }}, "output": {{ output.output | tojson }}
{%- else -%}
{"returncode": {{ output.returncode }}, "warning": "${warning}", "output_head": {{ output.output[:truncation.head] | tojson }}, "elided_chars": {{ output.characters - truncation.head - truncation.tail }}, "output_tail": {{ output.output[-truncation.tail:] | tojson }}
{%- endif -%}
{%- if output.exception_info %}, "exception_info": {{ output.exception_info | tojson }}{% endif -%}
}`;

/** The result in tags, for profiles that write everything as text. */
const observationAsTags = `
{%- if output.exception_info -%}
<exception>{{ output.exception_info }}</exception>
{% endif -%}
<returncode>{{ output.returncode }}</returncode>
{% if output.output | length < truncation.limit -%}
<output>
{{ output.output -}}
</output>
{%- else -%}
<warning>
${warning}
</warning>
<output_head>
{{ output.output[:truncation.head] }}
</output_head>
<elided_chars>
{{ output.characters - truncation.head - truncation.tail }} characters left out
</elided_chars>
<output_tail>
{{ output.output[-truncation.tail:] }}
</output_tail>
{%- endif -%}`;

/** Message after a reply that cannot be used. `rule`: the required format. */
const formatErrorWith = (rule: string): string => `
{%- if finish_reason == "length" -%}
The reply was cut at the token limit, so nothing of it was run. Think in fewer words and split the work into smaller commands.
{%- else -%}
{{ error }}
{%- endif %}

${rule}
To end the work, the command is: echo ${submitMarker}`;

const truncation = { limit: 10_000, head: 5_000, tail: 5_000 };

/** Modeled on mini-swe-agent 2: one shell tool and a linear history. */
export const miniProfile: Profile = {
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

const fence = '```';
const example = (command: string): string => `${fence}bash\n${command}\n${fence}`;

/** Modeled on mini-swe-agent 1: one fenced command per reply, everything else as messages of the user. */
export const miniV1Profile: Profile = {
  ...miniProfile,
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
  failureLimits: { ...miniProfile.failureLimits, formatErrors: 0 },
  faultyReply: 'kept',
  miniVersion: 1,
};

const word = 'mswea_bash_command';

/** `mini` for models without tool calls: the command is in a fenced block. */
export const miniTextProfile: Profile = variant({
  name: 'mini-text',
  description: 'Like mini, for models without tools: the command is in a fenced block.',
  format: { kind: 'fenced', label: word, tool: 'bash' },
  opens: `${fence}${word}`,
  closes: fence,
  block: `one fenced block labelled ${word}`,
});

/** `mini` for models that prefer XML. */
export const miniXmlProfile: Profile = variant({
  name: 'mini-xml',
  description: 'Like mini, for models without tools: the command is between XML tags.',
  format: { kind: 'tagged', tag: word, tool: 'bash' },
  opens: `<${word}>`,
  closes: `</${word}>`,
  block: `one ${word} element`,
});

function variant({
  name,
  description,
  format,
  opens,
  closes,
  block,
}: {
  readonly name: string;
  readonly description: string;
  readonly format: FormatChoice;
  readonly opens: string;
  readonly closes: string;
  readonly block: string;
}): Profile {
  const example = (command: string): string => `${opens}\n${command}\n${closes}`;
  return {
    ...miniProfile,
    name,
    description,
    format,
    templates: {
      system: `You solve software tasks with a computer, by shell commands. Every reply holds exactly ${block} with the command to run:

THOUGHT: why this command is next

${example('the command')}

Parts of one command are joined with && or ||. A reply with no such block, or with several, is refused.`,
      instance: `Solve this task:

<task>
{{ task }}
</task>
${workWith(`To submit, the block holds exactly this command and nothing else:\n\n${example(`echo ${submitMarker}`)}`)}`,
      observation: observationAsTags,
      formatError: formatErrorWith(
        `A reply looks like this:\n\nTHOUGHT: why this command is next\n\n${example('the command')}\n`,
      ),
    },
  };
}
