import type { Answer, Answering, RecordedRequest } from '../../support/modelServer';
import { reply, toolCall, toolCalls } from '../../support/modelServer';

export const marker = 'COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT';

/** A reply of mini-swe-agent version 1: a thought and one fenced command. */
export const fenced = (...commands: readonly string[]): Answer =>
  reply(['THOUGHT: this is next.', ...commands.map((command) => `\`\`\`bash\n${command}\n\`\`\``)].join('\n\n'));

export const fencedSubmit = fenced(`echo ${marker} && echo all done`);

/** A reply of mini-swe-agent version 2: calls of its only tool. */
export const bash = (...commands: readonly string[]): Answer =>
  toolCalls(commands.map((command) => ({ tool: 'bash', input: { command } })));

export const bashSubmit = bash(`echo ${marker} && echo all done`);

/** Returns the name of the shell tool that a request offers. */
const shellIn = ({ body }: RecordedRequest): string => {
  const tools = (body.tools ?? []).map((tool) => tool['function'].name as string);
  const found = ['terminal', 'run_command', 'bash', 'execute_bash'].find((name) => tools.includes(name));
  if (found === undefined) throw new Error(`None of ${tools.join(', ')} is a shell.`);
  return found;
};

/** Calls of the shell tool that the request offers. */
export const shell =
  (...commands: readonly string[]): Answering =>
  (request) =>
    toolCalls(commands.map((command) => ({ tool: shellIn(request), input: { command } })));

/** An answer that used a million prompt tokens: more than a dollar if a price is known. */
export const costly = (answer: Answer): Answer => ({
  ...answer,
  body: String(answer.body).replace('"prompt_tokens":10', '"prompt_tokens":1000000'),
});

/** A structured reply with actions in the given order. Actions of one list run in parallel. */
export function structured(
  status: 'Ongoing' | 'Completed',
  says: string,
  actions: readonly (readonly [type: string, args: Readonly<Record<string, string>>])[] = [],
): Answer {
  const written = actions.map(
    ([type, args]) =>
      `<Action><Type>${type}</Type><Args>${Object.entries(args)
        .map(([name, value]) => `<${name}>${value}</${name}>`)
        .join('')}</Args></Action>`,
  );
  return reply(
    [
      '<StructuredResponse>',
      `<InstantResponse>${says}</InstantResponse>`,
      '<NewTask>false</NewTask>',
      `<TaskStatus>${status}</TaskStatus>`,
      `<TaskStatusDescription>${says}</TaskStatusDescription>`,
      `<ImmediateNextActions>${written.join('')}</ImmediateNextActions>`,
      '</StructuredResponse>',
    ].join('\n'),
  );
}

export { reply, toolCall, toolCalls };
