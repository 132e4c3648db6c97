import { isRecord } from '../../text/parseJson';

type Schema = Readonly<Record<string, unknown>>;

/** Returns a valid call of a tool on one line, made from its schema: `read_file {"path":"src/app.ts"}`. */
export function exampleCall({ name, parameters, example }: Exemplified): string {
  return `${name} ${JSON.stringify(example ?? exampleInput(parameters))}`;
}

/** A tool, or one form of it. `example` is a valid input, needed if the schema alone does not produce one. */
export interface Exemplified {
  readonly name: string;
  readonly parameters: Schema;
  readonly example?: Readonly<Record<string, unknown>>;
}

/** Example input with all required arguments or, if none is required, the first optional one. */
function exampleInput(schema: Schema): Record<string, unknown> {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : [];
  const shown = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(shown.map((name) => [name, exampleValue(name, properties[name])]));
}

function exampleValue(name: string, schema: unknown): unknown {
  if (!isRecord(schema)) return '…';
  if ('default' in schema) return schema['default'];
  if (Array.isArray(schema['enum']) && schema['enum'].length > 0) return schema['enum'][0] as unknown;
  const type = [schema['type']].flat()[0];
  switch (type) {
    case 'integer':
    case 'number':
      return typeof schema['minimum'] === 'number' ? schema['minimum'] : 1;
    case 'boolean':
      return true;
    case 'array':
      return [exampleValue(name, schema['items'])];
    case 'object':
      return exampleInput(schema);
    default:
      return exampleText(name);
  }
}

/** Example values for text arguments, by pattern of the argument name. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/dir|folder/i, 'src'],
  [/path|file(?:name)?$/i, 'src/app.ts'],
  [/^(?:command|cmd)$/i, 'npm test'],
  [/pattern|query|regex/i, 'TODO'],
  [/^(?:patch|input)$/i, '*** Begin Patch\n*** Add File: a.txt\n+text\n*** End Patch'],
  [/^old/i, 'old text'],
  [/^new/i, 'new text'],
];

const exampleText = (name: string): string => texts.find(([names]) => names.test(name))?.[1] ?? '…';
