import type { SkillReading } from './locations';

/** Description of a front matter field, for completion, hover and the JSON schema. */
export interface FieldWords {
  readonly name: string;
  /** What it does, in one or two sentences. */
  readonly words: string;
  /** Kinds of files that use it. */
  readonly of: readonly SkillReading[];
  /** Text inserted after "name: " on completion. */
  readonly example: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

const text = { type: 'string' };
const texts = { type: ['string', 'array'], items: text };

/** ★ Known fields. Others are kept but not used. */
export const fieldWords: readonly FieldWords[] = [
  {
    name: 'name',
    words:
      'What it is called. For a skill the name of its folder: lower case letters, digits and single hyphens, at most 64.',
    of: ['skill', 'rules', 'persona'],
    example: 'my-skill',
    schema: { ...text, minLength: 1, maxLength: 64 },
  },
  {
    name: 'description',
    words:
      'What it does and when to use it, in at most 1,024 characters. Of a skill the model sees nothing else at first.',
    of: ['skill', 'rules', 'persona'],
    example: 'Does this. Use when that is asked for.',
    schema: { ...text, minLength: 1, maxLength: 1024 },
  },
  {
    name: 'triggers',
    words: 'Words: when one of them stands in a message, the text is given to the model, once.',
    of: ['rules', 'skill'],
    example: '[word, another word]',
    schema: texts,
  },
  {
    name: 'paths',
    words: 'Patterns, relative to the folder: when a tool touches such a file, the text is given to the model, once.',
    of: ['rules', 'skill'],
    example: '["src/**/*.ts"]',
    schema: texts,
  },
  {
    name: 'inputs',
    words: 'Values that are asked for when the file is called as /name. ${value} in the text is replaced.',
    of: ['rules', 'skill'],
    example: '\n  - name: value\n    description: what it is',
    schema: {
      type: 'array',
      items: {
        type: ['string', 'object'],
        properties: { name: text, description: text, default: text },
        required: ['name'],
      },
    },
  },
  {
    name: 'disable-model-invocation',
    words: 'true: only a person calls it, as /name.',
    of: ['skill'],
    example: 'true',
    schema: { type: 'boolean' },
  },
  {
    name: 'license',
    words: 'The license of the skill: its name, or the name of a file beside it.',
    of: ['skill'],
    example: 'MIT',
    schema: text,
  },
  {
    name: 'compatibility',
    words: 'What it needs: programs, packages, the network. At most 500 characters.',
    of: ['skill'],
    example: 'Needs git and jq',
    schema: { ...text, minLength: 1, maxLength: 500 },
  },
  {
    name: 'metadata',
    words: 'Whatever else is to be kept, as names and texts.',
    of: ['skill'],
    example: '\n  author: somebody',
    schema: { type: 'object' },
  },
  {
    name: 'allowed-tools',
    words: 'Tools that it uses. Waymark shows them and allows nothing because of them.',
    of: ['skill'],
    example: 'Read Bash(git:*)',
    schema: texts,
  },
  {
    name: 'tools',
    words: 'The tools or toolsets that this persona has, of those that the run has. All when left out.',
    of: ['persona'],
    example: '[readOnly]',
    schema: texts,
  },
  {
    name: 'disallowedTools',
    words: 'Tools that it does not have.',
    of: ['persona'],
    example: '[run_command]',
    schema: texts,
  },
  {
    name: 'permissionMode',
    words: 'plan: it changes nothing and answers with a plan.',
    of: ['persona'],
    example: 'plan',
    schema: { enum: ['plan'] },
  },
  {
    name: 'model',
    words:
      'The model that it works with, by its name alone: one in your settings or another of the same server. An address is not used.',
    of: ['persona'],
    example: 'inherit',
    schema: texts,
  },
  {
    name: 'profile',
    words: 'The way of working. Limits and kinds of tools stay within those of the run.',
    of: ['persona'],
    example: 'waymark',
    schema: text,
  },
  {
    name: 'limits',
    words: 'steps, cost in US dollars, seconds. Smaller ones of the run count.',
    of: ['persona'],
    example: '{ steps: 30 }',
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        ['steps', 'cost', 'seconds'].map((name) => [name, { type: 'number', exclusiveMinimum: 0 }]),
      ),
    },
  },
  {
    name: 'confirmation',
    words: 'When it asks: always, risky, or never. A stricter one of the run counts.',
    of: ['persona'],
    example: 'risky',
    schema: { enum: ['always', 'risky', 'never'] },
  },
];

/** Returns the JSON schema (draft 7) of the fields for a kind of file. */
export function skillSchema(of: SkillReading): object {
  const own = fieldWords.filter((field) => field.of.includes(of));
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    additionalProperties: true,
    properties: Object.fromEntries(own.map(({ name, words, schema }) => [name, { description: words, ...schema }])),
    ...(of === 'skill' && { required: ['name', 'description'] }),
  };
}
