import type { Profile, Templates } from '../../ports/profile';
import { loadEngine } from '../../text/templates/engine';
import { interpret } from '../../text/templates/interpret';
import { checkNames } from '../../text/templates/names';
import { parseTemplate } from '../../text/templates/parse';
import { formatErrorVariables, observationVariables, type ActionOutput, type Variables } from './variables';

type TemplateName = keyof Templates;
/** One or more sets of variables for each template, so that several branches are rendered. */
type SampleVariables = Readonly<Record<TemplateName, readonly Readonly<Record<string, unknown>>[]>>;

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

/**
 * Returns sample variables for testing templates before a run: every kind of result and of bad reply, with the run's
 * own variables.
 */
export function samplesFor(run: Variables): SampleVariables {
  const result = (output: Partial<ActionOutput>): Variables =>
    observationVariables(
      run,
      { output: 'hello\n', characters: 6, returncode: 0, exception_info: '', full_output: '', ...output },
      'echo hello',
    );
  const badReply = (finishReason: string, actions: readonly unknown[]): Variables =>
    formatErrorVariables(run, {
      error: 'No command was found.',
      actions,
      hasToolCalls: actions.length > 0,
      finishReason,
    });
  return {
    system: [run],
    instance: [run],
    observation: [
      result({}),
      result({ returncode: 1 }),
      result({ output: '', characters: 0, returncode: -1, exception_info: 'action was not executed' }),
      result({ output: 'long\n'.repeat(5_000), characters: 25_000, full_output: 'output.txt' }),
    ],
    timeout: [
      result({ returncode: -1, exception_info: 'ended after 30 s' }),
      result({
        output: 'long\n'.repeat(5_000),
        characters: 25_000,
        returncode: -1,
        exception_info: 'ended after 30 s',
      }),
    ],
    formatError: [
      badReply('stop', []),
      badReply(
        'stop',
        ['ls', 'pwd'].map((command) => ({ tool: 'bash', input: { command } })),
      ),
      badReply('length', []),
    ],
  };
}
