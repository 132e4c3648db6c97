/** An object of a reply before anything about it is known. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of a received value; none if it is not an object. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** Returns the elements of a received list, each as its fields; none if it is not a list. */
export const fieldsOfEach = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);

export const stringOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');
