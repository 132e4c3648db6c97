import type { EventOf } from '../../../protocol/events/event';
import type { Profile } from '../../ports/profile';
import { templateIn } from './checkTemplates';
import { render } from '../../text/templates/render';
import { observationVariables, type ActionOutput, type Variables } from './variables';

type Observed = Pick<EventOf<'observation'>, 'outcome' | 'content'> & {
  readonly details?: EventOf<'observation'>['details'] | undefined;
};

/** Splits the result of an action for templates into its output and a description of its problem. */
export function actionOutput({ outcome, content, details }: Observed): ActionOutput {
  const isStoppedCommand = outcome === 'interrupted' && details?.kind === 'command';
  if (outcome !== 'ok' && outcome !== 'error' && outcome !== 'timeout' && !isStoppedCommand)
    return { output: '', characters: 0, returncode: -1, exception_info: content, full_output: '' };
  if (details?.kind !== 'command')
    return {
      output: content,
      characters: lengthOf(content),
      returncode: outcome === 'ok' ? 0 : 1,
      exception_info: '',
      full_output: '',
    };
  const { end, exitCode, outputCharacters = content.length, outputBytes, fullOutput } = details;
  const output = content.slice(0, outputCharacters);
  const ending = content.slice(outputCharacters).trim();
  const words = /^\[([\s\S]*)\]$/.exec(ending)?.[1] ?? ending;
  return {
    output,
    characters: fullOutput === undefined ? lengthOf(output) : outputBytes,
    returncode: exitCode ?? -1,
    exception_info: exceptionOf(end, words),
    full_output: fullOutput ?? '',
  };
}

function exceptionOf(
  end: Extract<EventOf<'observation'>['details'], { kind: 'command' }>['end'],
  words: string,
): string {
  if (end === 'exited') return '';
  return end === 'timed_out' ? `The command timed out: ${words}` : words;
}

/** Counts characters like Python. */
const lengthOf = (text: string): number => [...text].length;

/**
 * Returns the text of a result for the model: from the profile's template if there is one, otherwise the content,
 * shortened as the profile says. `action` is the command, or the call in one line. Throws a `TemplateProblem`.
 */
export async function observationText(
  profile: Pick<Profile, 'name' | 'templates' | 'sources' | 'truncation'>,
  observed: Observed,
  action: string,
  run: Variables,
): Promise<string> {
  const name = observed.outcome === 'timeout' && profile.templates.timeout !== undefined ? 'timeout' : 'observation';
  const template = profile.templates[name];
  if (template === undefined) return truncateMiddle(observed.content, profile.truncation);
  return render(template, observationVariables(run, actionOutput(observed), action), templateIn(profile, name));
}

/** Shortens a text at or above the limit to its head and tail, with the number of removed characters between them. */
export function truncateMiddle(text: string, truncation: Profile['truncation']): string {
  const characters = truncation && text.length >= truncation.limit ? [...text] : [];
  if (!truncation || characters.length < truncation.limit) return text;
  const { head, tail } = truncation;
  const beginning = characters.slice(0, head).join('');
  const end = characters.slice(characters.length - tail).join('');
  const left = characters.length - head - tail;
  return `${beginning}\n[${left} characters left out: the output is too long]\n${end}`;
}
