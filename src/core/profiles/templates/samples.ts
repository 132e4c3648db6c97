import type { SampleVariables } from './checkTemplates';
import { formatErrorVariables, observationVariables, type ActionOutput, type Variables } from './variables';

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
  const bad = (finishReason: string, actions: readonly unknown[], hasToolCalls: boolean): Variables =>
    formatErrorVariables(run, { error: 'No command was found.', actions, hasToolCalls, finishReason });
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
      bad('stop', [], false),
      bad(
        'stop',
        ['ls', 'pwd'].map((command) => ({ tool: 'bash', input: { command } })),
        true,
      ),
      bad('length', [], false),
    ],
  };
}
