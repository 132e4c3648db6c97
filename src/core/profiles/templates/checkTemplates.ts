import type { Profile, Templates } from '../../ports/profile';
import { loadEngine } from '../../text/templates/engine';
import { interpret } from '../../text/templates/interpret';
import { checkNames } from '../../text/templates/names';
import { parseTemplate } from '../../text/templates/parse';

export type TemplateName = keyof Templates;
/** One or more sets of variables for each template, so that several branches are rendered. */
export type SampleVariables = Readonly<Record<TemplateName, readonly Readonly<Record<string, unknown>>[]>>;

/**
 * Renders every template of a profile with sample variables before a run starts. Throws the `TemplateProblem` of the
 * first broken one.
 */
export async function checkTemplates(
  profile: Pick<Profile, 'name' | 'templates' | 'sources'>,
  samples: SampleVariables,
): Promise<void> {
  const engine = await loadEngine();
  for (const [name, source] of Object.entries(profile.templates) as [TemplateName, string | undefined][]) {
    if (source === undefined) continue;
    const parsed = parseTemplate(engine, source, templateIn(profile, name));
    for (const variables of samples[name]) {
      checkNames(engine, parsed, variables);
      interpret(engine, parsed, variables);
    }
  }
}

/** Origin of a template for people: its file, or the profile. */
export const templateIn = ({ name, sources }: Pick<Profile, 'name' | 'sources'>, template: TemplateName): string =>
  sources?.[template] ?? `profile ${name}, template ${template}`;
