/**
 * JSON Schemas of tools, serialized as JSON, by `builtSchemaKey`. Empty in the sources. The build fills it in
 * (scripts/build/toolSchemas.mjs), so that startup does not compute them.
 */
const builtSchemas: Readonly<Record<string, string>> = {};

/** Key of a tool in `builtSchemas`. Tools of several agents share names, but no two share both name and description. */
export const builtSchemaKey = (name: string, description: string): string => `${name}: ${description}`;

/** Returns the JSON Schema that the build computed for a tool's input, or undefined if there is none. */
export function builtSchema(name: string, description: string): Record<string, unknown> | undefined {
  const schema = builtSchemas[builtSchemaKey(name, description)];
  return schema === undefined ? undefined : (JSON.parse(schema) as Record<string, unknown>);
}
