import type { Templates } from '../profiles/profile';
import { loadEngine } from './engine';
import { interpret } from './interpret';
import { checkNames } from './names';
import { parseTemplate } from './parse';

export type TemplateName = keyof Templates;
/** Where each template comes from, in words for a person. */
export type TemplateSources = Readonly<Partial<Record<TemplateName, string>>>;
/** For each template one set of variables or several, so that other branches are rendered too. */
export type SampleVariables = Readonly<Record<TemplateName, readonly Readonly<Record<string, unknown>>[]>>;

/** Renders every template with sample variables, before a run starts. Throws the `TemplateProblem` of the first that is broken. */
export async function checkTemplates(templates: Templates, sources: TemplateSources, samples: SampleVariables): Promise<void> {
  const engine = await loadEngine();
  for (const [name, source] of Object.entries(templates) as [TemplateName, string | undefined][]) {
    if (source === undefined) continue;
    const parsed = parseTemplate(engine, source, sources[name] ?? `template ${name}`);
    for (const variables of samples[name]) {
      checkNames(engine, parsed, variables);
      interpret(engine, parsed, variables);
    }
  }
}

/** What is said of where a profile's own templates come from. */
export const templateIn = (profile: string, template: TemplateName): string => `profile ${profile}, template ${template}`;
