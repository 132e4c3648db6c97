/**
 * Texts shared by the profiles modeled on mini-swe-agent. `truncation` and `output` are variables of the observation.
 */

export const submitMarker = 'COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT';
export const olderSubmitMarker = 'MINI_SWE_AGENT_FINAL_OUTPUT';

/**
 * Instructions of the first message, independent of the reply format. `submitting`: how to write a reply with the last
 * command.
 */
export const workWith = (submitting: string): string => `
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
export const observationAsJson = `
{%- if output.output | length < truncation.limit -%}
{"returncode": {{ output.returncode }}, "output": {{ output.output | tojson }}
{%- else -%}
{"returncode": {{ output.returncode }}, "warning": "${warning}", "output_head": {{ output.output[:truncation.head] | tojson }}, "elided_chars": {{ output.characters - truncation.head - truncation.tail }}, "output_tail": {{ output.output[-truncation.tail:] | tojson }}
{%- endif -%}
{%- if output.exception_info %}, "exception_info": {{ output.exception_info | tojson }}{% endif -%}
}`;

/** The result in tags, for profiles that write everything as text. */
export const observationAsTags = `
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
export const formatErrorWith = (rule: string): string => `
{%- if finish_reason == "length" -%}
The reply was cut at the token limit, so nothing of it was run. Think in fewer words and split the work into smaller commands.
{%- else -%}
{{ error }}
{%- endif %}

${rule}
To end the work, the command is: echo ${submitMarker}`;

export const truncation = { limit: 10_000, head: 5_000, tail: 5_000 };
