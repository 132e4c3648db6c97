import { isRecord } from '../text/parseJson';

type Schema = Readonly<Record<string, unknown>>;

/** What Anthropic's API accepts as the name of an argument. It refuses every request with a tool that has another one. */
const accepted = /^[a-zA-Z0-9_.-]{1,64}$/;
const maxLength = 56;
const branches = ['allOf', 'anyOf', 'oneOf'] as const;

/** The arguments of a tool under names that model servers accept, such as "filter_id" for "filter[id]". */
export interface ArgumentNames {
  /** The schema with these names. The descriptions contain the original ones. */
  readonly schema: Schema;
  /** Returns the input with these names, whichever the model used. */
  toModel(input: Schema): Record<string, unknown>;
  /** Returns the input with the original names. */
  toTool(input: Schema): Record<string, unknown>;
}

/** Renames the arguments whose names model servers refuse. `schema`: that of all arguments. */
export function acceptedNames(schema: Schema): ArgumentNames {
  const originals = namesIn(schema);
  const renamed = new Map<string, string>();
  const taken = new Set(originals);
  for (const name of originals) {
    if (accepted.test(name)) continue;
    const similar = similarName(name);
    let free = similar;
    for (let count = 2; taken.has(free); count++) free = `${similar}_${count}`;
    taken.add(free);
    renamed.set(name, free);
  }
  const back = new Map([...renamed].map(([original, name]) => [name, original]));
  return {
    schema: renamed.size === 0 ? schema : withNames(schema, renamed),
    toModel: (input) => withKeys(input, renamed),
    toTool: (input) => withKeys(input, back),
  };
}

const similarName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^a-zA-Z0-9_.-]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '')
    .slice(0, maxLength) || 'argument';

/** Returns the names of all arguments, also those that only a branch of the schema mentions. */
function namesIn(schema: Schema): string[] {
  const { properties } = schema;
  const own = isRecord(properties) ? Object.keys(properties) : [];
  const inBranches = branches.flatMap((key) => recordsIn(schema[key]).flatMap(namesIn));
  return [...new Set([...own, ...requiredIn(schema), ...inBranches])];
}

function withNames(schema: Schema, names: ReadonlyMap<string, string>): Record<string, unknown> {
  const { properties } = schema;
  const changed: Record<string, unknown> = { ...schema };
  if (isRecord(properties))
    changed['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, one]) => {
        const other = names.get(name);
        return other === undefined ? [name, one] : [other, withOriginalName(one, name)];
      }),
    );
  if (Array.isArray(schema['required']))
    changed['required'] = requiredIn(schema).map((name) => names.get(name) ?? name);
  for (const key of branches) {
    const parts = schema[key];
    if (Array.isArray(parts))
      changed[key] = parts.map((part: unknown) => (isRecord(part) ? withNames(part, names) : part));
  }
  return changed;
}

function withOriginalName(schema: unknown, name: string): unknown {
  if (!isRecord(schema)) return { description: `Called "${name}".` };
  const { description } = schema;
  return { ...schema, description: `${typeof description === 'string' ? `${description} ` : ''}Called "${name}".` };
}

const withKeys = (input: Schema, names: ReadonlyMap<string, string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [names.get(name) ?? name, value]));

const recordsIn = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isRecord) : []);

const requiredIn = ({ required }: Schema): string[] =>
  Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : [];
