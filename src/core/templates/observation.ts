import type { Profile } from '../profiles/profile';
import type { ToolResult } from '../tools/tool';
import { templateIn, type TemplateSources } from './checkTemplates';
import { render } from './render';
import { observationVariables, type ActionOutput, type Variables } from './variables';

/** What came of an action, taken apart for templates: what it printed, and what went wrong in words. */
export function outputOf({ content, failed = false, details }: ToolResult): ActionOutput {
  if (details?.kind !== 'command') return { output: content, characters: lengthOf(content), returncode: failed ? 1 : 0, exception_info: '', full_output: '' };
  const { end, exitCode, outputCharacters = content.length, outputBytes, fullOutput } = details;
  const output = content.slice(0, outputCharacters);
  const ending = content.slice(outputCharacters).trim();
  const words = /^\[([\s\S]*)\]$/.exec(ending)?.[1] ?? ending;
  return {
    output, characters: fullOutput === undefined ? lengthOf(output) : outputBytes,
    returncode: end === 'exited' ? exitCode ?? -1 : -1,
    exception_info: end === 'exited' ? '' : end === 'timed_out' ? `The command timed out: ${words}` : words,
    full_output: fullOutput ?? '',
  };
}

/** As Python counts. */
const lengthOf = (text: string): number => [...text].length;

/**
 * What the model reads of an action: the profile's template, where it has one; else the content, shortened as the profile says.
 * `action` is the command, or the call in one line. Throws `TemplateProblem`.
 */
export async function observationText(profile: Pick<Profile, 'name' | 'templates' | 'truncation'>, result: ToolResult, action: string, run: Variables, sources: TemplateSources = {}): Promise<string> {
  const name = result.timedOut && profile.templates.timeout !== undefined ? 'timeout' : 'observation';
  const template = profile.templates[name];
  if (template === undefined) return shortened(result.content, profile.truncation);
  return render(template, observationVariables(run, outputOf(result), action), sources[name] ?? templateIn(profile.name, name));
}

/** Below the limit the whole text; from the limit on its head and its tail with the number of characters between them. */
export function shortened(text: string, truncation: Profile['truncation']): string {
  const characters = truncation && text.length >= truncation.limit ? [...text] : [];
  if (!truncation || characters.length < truncation.limit) return text;
  const { head, tail } = truncation;
  return `${characters.slice(0, head).join('')}\n[${characters.length - head - tail} characters left out: the output is too long]\n${characters.slice(characters.length - tail).join('')}`;
}
