import { withoutInvisible } from '../text/spotlight';
import { parseSkillCall, type SkillCall } from '../skills/commandInputs';
import type { Skill } from '../ports/skill';

/** A prompt that a server offers, with its arguments. */
export interface Prompt {
  readonly name: string;
  readonly description: string;
  readonly inputs: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
}

/** A resource that a server can read. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mediaType: string;
}

/** Resources with variables in their URI: "note://{id}". */
export interface ResourceTemplate {
  readonly template: string;
  readonly name: string;
  readonly description: string;
}

/** A prompt of a server as a command, with inputs like those of skills. */
export interface PromptCommand {
  readonly server: string;
  readonly prompt: string;
  readonly command: Skill;
}

export const promptCommand = (server: string, { name, description, inputs }: Prompt): PromptCommand => ({
  server,
  prompt: name,
  command: {
    name: commandNamePart(`${server}:${name}`),
    kind: 'command',
    description: withoutInvisible(description),
    body: '',
    source: '',
    path: server,
    location: 'mcp',
    base: '',
    triggers: [],
    paths: [],
    modelMayUse: false,
    fields: {},
    hash: '',
    tokens: 0,
    problems: [],
    inputs: inputs.map((input) => ({
      name: input.name,
      description: withoutInvisible(input.description),
      ...(!input.required && { fallback: '' }),
    })),
  },
});

/** Removes characters that would end the name of a command. */
const commandNamePart = (name: string): string =>
  withoutInvisible(name)
    .replace(/[^\p{L}\p{N}_:.-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}]+/u, '');

/** Returns the prompt that a message calls, with its arguments. */
export function parsePromptCall(
  message: string,
  commands: readonly PromptCommand[],
):
  { readonly called: SkillCall; readonly command: PromptCommand; readonly values: Record<string, string> } | undefined {
  const called = parseSkillCall(
    message,
    commands.map(({ command }) => command),
  );
  const command = commands.find((each) => each.command === called?.skill);
  return (
    called &&
    command && {
      called,
      command,
      values: Object.fromEntries(Object.entries(called.values).filter(([, value]) => value !== '')),
    }
  );
}
