const lengths = new WeakMap<object, number>();

/** Returns the length of a schema as JSON, in characters. Measures each schema once: sizes are needed before every step. */
export function schemaLength(schema: Readonly<Record<string, unknown>>): number {
  const known = lengths.get(schema);
  if (known !== undefined) return known;
  const measured = JSON.stringify(schema).length;
  lengths.set(schema, measured);
  return measured;
}
