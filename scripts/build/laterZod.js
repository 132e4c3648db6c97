// Takes the place of zod in the bundles of the command line. A module that makes a schema only notes how it is made; zod
// is run, and makes it, when something is checked for the first time. A run that begins checks nothing: it neither waits
// for zod nor for hundreds of schemas of events that it only writes.

let loaded;
// A bundler puts zod beside this code, and runs it here.
const zod = () => (loaded ??= require('./zodParts.js'));

/** Each noted schema with what it was noted as: { make, schema, options }. */
const notes = new WeakMap();

/** Methods that answer another schema. Any other member makes the schema first, so a name missing here costs only time. */
const refinements = new Set([
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
]);

const members = {
  get(note, name) {
    if (refinements.has(name)) return (...given) => noted(() => schemaOf(note)[name](...given.map(withSchemas)));
    if (name === 'options' && note.options) return note.options;
    const schema = schemaOf(note);
    const member = schema[name];
    return typeof member === 'function' ? member.bind(schema) : member;
  },
  has: (note, name) => name in schemaOf(note),
  getPrototypeOf: (note) => Object.getPrototypeOf(schemaOf(note)),
};

function noted(make, options) {
  const note = { make, schema: undefined, options };
  const schema = new Proxy(note, members);
  notes.set(schema, note);
  return schema;
}

function schemaOf(note) {
  if (note.schema === undefined) {
    note.schema = note.make();
    note.make = undefined;
  }
  return note.schema;
}

/** With the schemas themselves in place of what was noted: in an argument, a list of them, or the fields of an object. */
function withSchemas(given) {
  if (typeof given !== 'object' || given === null) return given;
  const note = notes.get(given);
  if (note) return schemaOf(note);
  if (Array.isArray(given)) return given.map(withSchemas);
  if (Object.getPrototypeOf(given) !== Object.prototype) return given;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, withSchemas(value)]));
}

const making =
  (name) =>
  (...given) =>
    noted(() => zod()[name](...given.map(withSchemas)));

const doing =
  (name) =>
  (...given) =>
    zod()[name](...given.map(withSchemas));

// The choices of an enumeration are known before it is made.
const makingEnum = (choices, ...more) =>
  noted(() => zod().enum(choices, ...more), Array.isArray(choices) ? choices : undefined);

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
