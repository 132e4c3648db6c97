// Takes the place of zod in the bundles of the command line. A module that makes a schema only notes how it is made; zod
// is run, and makes it, when something is checked for the first time. A run that begins checks nothing: it neither waits
// for zod nor for hundreds of schemas of events that it only writes.

let loaded;
// A bundler puts zod beside this code, and runs it here.
const zod = () => (loaded ??= require('./zodParts.js'));

/** Methods that answer another schema. Any other member makes the schema first, so a name missing here costs only time. */
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
 * How a schema is made, in place of the schema. A start makes hundreds of them, so each is a plain object: what a
 * schema has besides is looked for where their class ends.
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

/** With the schemas themselves in place of what was noted: in an argument, a list of them, or the fields of an object. */
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

// The choices of an enumeration are known before it is made.
const makingEnum = (choices, ...more) =>
  new Later(() => zod().enum(choices, ...more), Array.isArray(choices) ? choices : undefined);

/** All of what `make` does is done later, which answers a schema; laterZod.mjs puts that around schemas of modules. */
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
