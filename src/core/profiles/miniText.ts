import { mini } from './mini';
import { formatErrorWith, observationAsTags, submitMarker, workWith } from './miniTexts';
import type { FormatChoice, Profile } from '../ports/profile';

const fence = '```';
const word = 'mswea_bash_command';

/** `mini` for models without tool calls: the command is in a fenced block. */
export const miniText: Profile = variant({
  name: 'mini-text',
  description: 'Like mini, for models without tools: the command is in a fenced block.',
  format: { kind: 'fenced', label: word, tool: 'bash' },
  opens: `${fence}${word}`,
  closes: fence,
  block: `one fenced block labelled ${word}`,
});

/** `mini` for models that prefer XML. */
export const miniXml: Profile = variant({
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
    ...mini,
    name,
    description,
    format,
    templates: {
      system: `You solve software tasks with a computer, by shell commands. Every reply holds exactly ${block} with the command to run:

THOUGHT: why this command is next

${example('the command')}

Parts of one command are joined with && or ||. A reply with no such block, or with several, is refused.
{% for tool in tools %}
{{ tool.name }}: {{ tool.description }}
{%- endfor %}`,
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
