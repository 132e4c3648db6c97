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
    words: 'The name. For a skill, the name of its folder: at most 64 lowercase letters, digits and single hyphens.',
    of: ['skill', 'rules', 'persona'],
    example: 'my-skill',
    schema: { ...text, minLength: 1, maxLength: 64 },
  },
  {
    name: 'description',
    words:
      'What it does and when to use it, in at most 1,024 characters. Initially, the model sees nothing else of a skill.',
    of: ['skill', 'rules', 'persona'],
    example: 'Does this. Use when that is asked for.',
    schema: { ...text, minLength: 1, maxLength: 1024 },
  },
  {
    name: 'triggers',
    words: 'Keywords: if a message contains one of them, the model gets the text, once.',
    of: ['rules', 'skill'],
    example: '[word, another word]',
    schema: texts,
  },
  {
    name: 'paths',
    words: 'Patterns, relative to the folder: if a tool touches a matching file, the model gets the text, once.',
    of: ['rules', 'skill'],
    example: '["src/**/*.ts"]',
    schema: texts,
  },
  {
    name: 'inputs',
    words: 'Values that Waymark asks for when the file is called as /name. ${value} in the text is replaced.',
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
    words: 'If true, only a person can call it, as /name.',
    of: ['skill'],
    example: 'true',
    schema: { type: 'boolean' },
  },
  {
    name: 'license',
    words: 'The license of the skill: its name, or the name of a file in the same folder.',
    of: ['skill'],
    example: 'MIT',
    schema: text,
  },
  {
    name: 'compatibility',
    words: 'What it requires, such as programs, packages or the network. At most 500 characters.',
    of: ['skill'],
    example: 'Needs git and jq',
    schema: { ...text, minLength: 1, maxLength: 500 },
  },
  {
    name: 'metadata',
    words: 'Other information, as names and strings.',
    of: ['skill'],
    example: '\n  author: somebody',
    schema: { type: 'object' },
  },
  {
    name: 'allowed-tools',
    words: 'Tools that it uses. Waymark only shows them: they do not allow anything.',
    of: ['skill'],
    example: 'Read Bash(git:*)',
    schema: texts,
  },
  {
    name: 'tools',
    words: 'The tools or toolsets of this persona, chosen from those of the run. Default: all.',
    of: ['persona'],
    example: '[readOnly]',
    schema: texts,
  },
  {
    name: 'disallowedTools',
    words: 'Tools that it must not use.',
    of: ['persona'],
    example: '[run_command]',
    schema: texts,
  },
  {
    name: 'permissionMode',
    words: 'plan: the persona changes nothing and answers with a plan.',
    of: ['persona'],
    example: 'plan',
    schema: { enum: ['plan'] },
  },
  {
    name: 'model',
    words: 'The name of its model: one from your settings, or another one of the same server. Addresses are ignored.',
    of: ['persona'],
    example: 'inherit',
    schema: texts,
  },
  {
    name: 'profile',
    words: 'The profile to use. Limits and kinds of tools stay within those of the run.',
    of: ['persona'],
    example: 'waymark',
    schema: text,
  },
  {
    name: 'limits',
    words: 'steps, cost in US dollars, seconds. Smaller limits of the run take precedence.',
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
    words: 'When it asks: always, risky, or never. A stricter setting of the run takes precedence.',
    of: ['persona'],
    example: 'risky',
    schema: { enum: ['always', 'risky', 'never'] },
  },
];

/** Whether a field is known for some kind of file, or one of another agent that resembles a known one. */
export const isFieldOfOthers = (name: string, value: unknown): boolean =>
  fieldWords.some((field) => field.name.toLowerCase() === name.toLowerCase()) ||
  ['mode', 'permission_mode'].includes(name.toLowerCase()) ||
  (name.toLowerCase() === 'trigger' && /^(?:always_on|glob|manual|model_decision)$/.test(String(value)));

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
