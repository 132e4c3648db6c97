type Schema = Readonly<Record<string, unknown>>;

/** A valid input for a schema, with the text at one of the places that accept any text. */
interface InputWith {
  /** Path of the place: "edits.0.old_text". */
  readonly place: string;
  input(text: string): unknown;
}

/**
 * Returns one input for each place of a JSON Schema that accepts any text; the rest of each is as small as the schema
 * allows.
 */
export function inputsWith(schema: Schema): InputWith[] {
  return placesIn(schema, []).map((path) => ({
    place: path.join('.'),
    input: (text) => filled(schema, path, text),
  }));
}

function placesIn(schema: Schema, path: readonly string[]): string[][] {
  if (schema['enum'] !== undefined || schema['const'] !== undefined) return [];
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return alternatives.flatMap((alternative) => placesIn(alternative, path));
  if (schema['type'] === 'string') return [[...path]];
  if (schema['type'] === 'array') return placesIn((schema['items'] ?? {}) as Schema, [...path, '0']);
  return Object.entries(propertiesOf(schema)).flatMap(([name, property]) => placesIn(property, [...path, name]));
}

function filled(schema: Schema, path: readonly string[] | undefined, text: string): unknown {
  const [name, ...rest] = path ?? [];
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) {
    const fitting = alternatives.find(
      (alternative) =>
        path !== undefined && placesIn(alternative, []).some((place) => place.join('.') === path.join('.')),
    );
    return filled(fitting ?? alternatives[0]!, path, text);
  }
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return (schema['enum'] as unknown[])[0];
  switch (schema['type']) {
    case 'string':
      return path === undefined ? 'a' : text;
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [filled((schema['items'] ?? {}) as Schema, path === undefined ? undefined : rest, text)];
    default: {
      const required = new Set((schema['required'] ?? []) as string[]);
      const wanted = Object.entries(propertiesOf(schema)).filter(([key]) => key === name || required.has(key));
      return Object.fromEntries(
        wanted.map(([key, property]) => [key, filled(property, key === name ? rest : undefined, text)]),
      );
    }
  }
}

const propertiesOf = (schema: Schema): Readonly<Record<string, Schema>> =>
  (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;

const alternativesOf = (schema: Schema): readonly Schema[] =>
  [schema['anyOf'], schema['oneOf']].find((list): list is Schema[] => Array.isArray(list)) ?? [];
