import type { EventOf, Outcome } from '../../protocol/event';
import type { Profile } from '../profiles/profile';
import { templateIn, type TemplateSources } from './checkTemplates';
import { render } from './render';
import { observationVariables, type ActionOutput, type Variables } from './variables';

type Observed = Pick<EventOf<'observation'>, 'outcome' | 'content' | 'details'>;

/** What came of an action, taken apart for templates: what it printed, and what went wrong in words. */
export function outputOf({ outcome, content, details }: Observed): ActionOutput {
  if (!ran.includes(outcome)) return { output: '', returncode: -1, exception_info: outcome === 'skipped' ? 'action was not executed' : content, full_output: '' };
  if (details?.kind !== 'command') return { output: content, returncode: outcome === 'ok' ? 0 : 1, exception_info: '', full_output: '' };
  const printed = details.outputCharacters ?? content.length;
  const ended = /^\s*\[([\s\S]*)\]\s*$/.exec(content.slice(printed))?.[1] ?? content.slice(printed).trim();
  const whole = details.end === 'exited';
  return { output: content.slice(0, printed), returncode: whole ? details.exitCode ?? -1 : -1, exception_info: whole ? '' : ended, full_output: details.fullOutput ?? '' };
}

const ran: readonly Outcome[] = ['ok', 'error', 'timeout'];

/**
 * What the model reads of an action: the profile's template, where it has one; else the content, shortened as the profile says.
 * `action` is the command, or the call in one line. Throws `TemplateProblem`.
 */
export async function observationText(profile: Pick<Profile, 'name' | 'templates' | 'truncation'>, observed: Observed, action: string, run: Variables, sources: TemplateSources = {}): Promise<string> {
  const name = observed.outcome === 'timeout' && profile.templates.timeout !== undefined ? 'timeout' : 'observation';
  const template = profile.templates[name];
  if (template === undefined) return shortened(observed.content, profile.truncation);
  return render(template, observationVariables(run, outputOf(observed), action), sources[name] ?? templateIn(profile.name, name));
}

/** Below the limit the whole text; from the limit on its head and its tail with the number of characters between them. */
export function shortened(text: string, truncation: Profile['truncation']): string {
  const characters = truncation && text.length >= truncation.limit ? [...text] : [];
  if (!truncation || characters.length < truncation.limit) return text;
  const { head, tail } = truncation;
  return `${characters.slice(0, head).join('')}\n[${characters.length - head - tail} characters left out: the output is too long]\n${characters.slice(characters.length - tail).join('')}`;
}
