import { isRecord } from '../../text/fields';

/** The input with the default of each argument that a schema requires and that was not given, also within objects that were given. */
export function withDefaults(
  input: Readonly<Record<string, unknown>>,
  schema: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  const filled: Record<string, unknown> = { ...input };
  for (const [name, rule] of Object.entries(properties)) {
    if (!isRecord(rule)) continue;
    const value = filled[name];
    if (value === undefined && required.includes(name) && 'default' in rule) filled[name] = rule['default'];
    else if (isRecord(value)) filled[name] = withDefaults(value, rule);
  }
  return filled;
}
