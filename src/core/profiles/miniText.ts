import { mini } from './mini';
import { formatErrorWith, observationAsTags, submitMarker, workWith } from './miniTexts';
import type { FormatChoice, Profile } from '../ports/profile';

const fence = '```';
const word = 'mswea_bash_command';

/** `mini` for models without tool calls: the command is in a fenced block. */
export const miniText: Profile = variant(
  'mini-text',
  'Like mini, for models without tools: the command is in a fenced block.',
  { kind: 'fenced', label: word, tool: 'bash' },
  `${fence}${word}`,
  fence,
  `one fenced block labelled ${word}`,
);

/** `mini` for models that prefer XML. */
export const miniXml: Profile = variant(
  'mini-xml',
  'Like mini, for models without tools: the command is between XML tags.',
  { kind: 'tagged', tag: word, tool: 'bash' },
  `<${word}>`,
  `</${word}>`,
  `one ${word} element`,
);

function variant(
  name: string,
  description: string,
  format: FormatChoice,
  opens: string,
  closes: string,
  block: string,
): Profile {
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
