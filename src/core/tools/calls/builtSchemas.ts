/**
 * JSON Schemas of tools, as JSON, by `builtName`. Empty in the sources: the build computes them and puts them here
 * (scripts/build/toolSchemas.mjs), so that no start does.
 */
const builtSchemas: Readonly<Record<string, string>> = {};

/** Tools of several agents have the same name, but no two of them say the same of themselves. */
export const builtName = (name: string, description: string): string => `${name}: ${description}`;

/** The JSON Schema that the build computed for the input of a tool; undefined where it did not. */
export function builtSchema(name: string, description: string): Record<string, unknown> | undefined {
  const schema = builtSchemas[builtName(name, description)];
  return schema === undefined ? undefined : (JSON.parse(schema) as Record<string, unknown>);
}
