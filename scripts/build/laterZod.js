// Replaces zod in the bundles of the command line. A module that creates a schema only records how; zod is loaded and
// creates it at the first validation. The start of a run validates nothing: it waits neither for zod nor for hundreds
// of schemas of events that it only writes.

let loaded;
// A bundler includes zod here, and runs it on this call.
const zod = () => (loaded ??= require('./zodParts.js'));

/** Methods that return another schema. Any other member creates the schema first, so a missing name costs only time. */
const refinements = [
  'catch',
  'check',
  'default',
  'describe',
  'exactOptional',
  'extend',
  'int',
  'length',
  'loose',
  'max',
  'min',
  'nonnegative',
  'nullable',
  'nullish',
  'optional',
  'partial',
  'positive',
  'refine',
  'regex',
  'startsWith',
  'superRefine',
  'transform',
  'trim',
];

/**
 * Records how a schema is created. A start creates hundreds of these, so each is a plain object: members that only
 * schemas have are looked up at the end of the prototype chain.
 */
class Later {
  #make;
  #schema;
  #choices;

  constructor(make, choices) {
    this.#make = make;
    this.#choices = choices;
  }

  static schemaOf(later) {
    if (later.#schema === undefined) {
      const made = later.#make();
      later.#schema = Later.is(made) ? Later.schemaOf(made) : made;
      later.#make = undefined;
    }
    return later.#schema;
  }

  static is = (given) => #make in given;

  get options() {
    return this.#choices ?? schemaOf(this).options;
  }
}

const { schemaOf } = Later;

for (const name of refinements)
  Later.prototype[name] = function (...given) {
    return new Later(() => schemaOf(this)[name](...given.map(withSchemas)));
  };

const further = {
  get(_target, name, later) {
    const schema = schemaOf(later);
    const member = schema[name];
    return typeof member === 'function' ? member.bind(schema) : member;
  },
};
Object.setPrototypeOf(Later.prototype, new Proxy({}, further));

/** Replaces records by the schemas themselves: in an argument, a list of them, or the fields of an object. */
function withSchemas(given) {
  if (typeof given !== 'object' || given === null) return given;
  if (Later.is(given)) return schemaOf(given);
  if (Array.isArray(given)) return given.map(withSchemas);
  if (Object.getPrototypeOf(given) !== Object.prototype) return given;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, withSchemas(value)]));
}

const making =
  (name) =>
  (...given) =>
    new Later(() => zod()[name](...given.map(withSchemas)));

const doing =
  (name) =>
  (...given) =>
    zod()[name](...given.map(withSchemas));

// The choices of an enum are known before it is created.
const makingEnum = (choices, ...more) =>
  new Later(() => zod().enum(choices, ...more), Array.isArray(choices) ? choices : undefined);

/** Defers all of `make`, which returns a schema; laterZod.mjs wraps the schemas of modules in it. */
export const later = (make) => new Later(make);
const nothing = making('null');
export { makingEnum as enum, nothing as null };
export const array = making('array');
export const boolean = making('boolean');
export const discriminatedUnion = making('discriminatedUnion');
export const int = making('int');
export const literal = making('literal');
export const looseObject = making('looseObject');
export const number = making('number');
export const object = making('object');
export const partialRecord = making('partialRecord');
export const record = making('record');
export const strictObject = making('strictObject');
export const string = making('string');
export const tuple = making('tuple');
export const union = making('union');
export const unknown = making('unknown');
export const prettifyError = doing('prettifyError');
export const toJSONSchema = doing('toJSONSchema');
