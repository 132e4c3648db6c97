import assert from 'node:assert/strict';
import { fitSchema } from '../../../../src/core/model/providers/fitSchema';

const root = (properties: object, more: object = {}): Record<string, unknown> => ({
  type: 'object',
  properties,
  ...more,
});
const text = { type: 'string' };

describe('the schema of a tool', () => {
  const plain: [string, unknown, unknown][] = [
    [
      'stays as it is where nothing is refused',
      root({ path: text }, { required: ['path'] }),
      root({ path: text }, { required: ['path'] }),
    ],
    ['is one of an object with properties', {}, { type: 'object', properties: {} }],
    [
      'loses the words that only tell of itself',
      root({ a: { $id: 'x', ...text } }, { $schema: 'y', $id: 'z' }),
      root({ a: text }),
    ],
    ['names the items of every array', root({ a: { type: 'array' } }), root({ a: { type: 'array', items: {} } })],
    ['allows anything where `true` did', root({ a: true }), root({ a: {} })],
    ['has no property that `false` forbids', root({ a: false, b: text }), root({ b: text })],
    ['has every property that it requires', root({}, { required: ['a'] }), root({ a: {} }, { required: ['a'] })],
    [
      'holds what its references point at',
      root(
        { a: { $ref: '#/$defs/Name', description: 'whose' } },
        { $defs: { Name: { type: 'string', minLength: 1 } } },
      ),
      root({ a: { type: 'string', minLength: 1, description: 'whose' } }),
    ],
    [
      'keeps properties that are called as words of schemas are',
      root({ definitions: text, enum: text, $ref: text, required: { type: 'boolean' } }),
      root({ definitions: text, enum: text, $ref: text, required: { type: 'boolean' } }),
    ],
    [
      'writes a tuple as a list of so many',
      root({
        at: {
          type: 'array',
          items: [
            { type: 'number', description: 'x' },
            { type: 'number', description: 'x' },
          ],
        },
      }),
      root({
        at: {
          type: 'array',
          items: { type: 'number', description: 'x' },
          minItems: 2,
          maxItems: 2,
          description: 'In this order: x; x.',
        },
      }),
    ],
  ];
  for (const [what, given, wanted] of plain) {
    it(what, () => assert.deepEqual(fitSchema(given, 'plain'), { schema: wanted, note: '' }));
  }

  it('puts alternatives at its root together and says which belong together', () => {
    const given = {
      anyOf: [
        root({ id: text }, { required: ['id'] }),
        root({ name: text, exact: { type: 'boolean' } }, { required: ['name'] }),
      ],
      properties: { dry: text },
      required: ['dry'],
    };
    const { schema, note } = fitSchema(given, 'plain');
    assert.deepEqual(
      schema,
      root({ dry: text, id: text, name: text, exact: { type: 'boolean' } }, { required: ['dry'] }),
    );
    assert.equal(note, 'Give the arguments of one of these sets: {id} or {name}.');
  });

  it('ends where a reference leads back to itself', () => {
    const given = root(
      { tree: { $ref: '#/$defs/Node' } },
      {
        $defs: {
          Node: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/Node' } } } },
        },
      },
    );
    const { schema } = fitSchema(given, 'plain');
    assert.doesNotMatch(JSON.stringify(schema), /\$ref|\$defs/);
    assert.match(JSON.stringify(schema), /As Node\./);
  });

  it('keeps the type out of what stands beside alternatives, for Moonshot', () => {
    const { schema } = fitSchema(
      root({ a: { type: 'string', anyOf: [{ enum: ['x'] }, { pattern: '^y' }] } }),
      'moonshot',
    );
    assert.deepEqual(
      schema,
      root({
        a: {
          anyOf: [
            { type: 'string', enum: ['x'] },
            { type: 'string', pattern: '^y' },
          ],
        },
      }),
    );
  });

  const moonshot: [string, object, object][] = [
    [
      'a default beside alternatives',
      { anyOf: [text, { type: 'null' }], default: 'x' },
      { anyOf: [text, { type: 'null' }], description: 'Default: "x".' },
    ],
    ['values without a type', { enum: ['a', 'b'] }, { enum: ['a', 'b'], type: 'string' }],
    ['a number without a type', { const: 1 }, { const: 1, type: 'number' }],
    ['an object without a type', { properties: { b: text } }, { properties: { b: text }, type: 'object' }],
  ];
  for (const [what, given, wanted] of moonshot) {
    it(`says ${what} as Moonshot takes it`, () =>
      assert.deepEqual(fitSchema(root({ a: given }), 'moonshot').schema, root({ a: wanted })));
  }

  it('offers Moonshot every type where a schema names none', () => {
    const { schema } = fitSchema(root({ a: { description: 'Whatever it is.' } }), 'moonshot');
    const { a } = schema['properties'] as Record<string, { anyOf: { type: string }[] }>;
    assert.deepEqual(
      a!.anyOf.map(({ type }) => type),
      ['string', 'number', 'boolean', 'object', 'array'],
    );
  });

  const google: [string, object, object][] = [
    ['one value', { const: 'x' }, { type: 'string', enum: ['x'] }],
    ['a type that may be null', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
    ['several types', { type: ['string', 'number'] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ['a bound of whole numbers', { type: 'integer', exclusiveMinimum: 0 }, { type: 'integer', minimum: 1 }],
    [
      'a bound of numbers',
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'number', description: 'Must hold: exclusiveMinimum: 0.' },
    ],
    [
      'numbers to choose from',
      { type: 'integer', enum: [1, 2] },
      { type: 'integer', description: 'Must hold: enum: [1,2].' },
    ],
    [
      'a format',
      { ...text, format: 'uri', description: 'Where.' },
      { ...text, description: 'Where. Must hold: format: "uri".' },
    ],
    [
      'nothing else',
      { type: 'object', properties: {}, additionalProperties: false },
      { type: 'object', properties: {} },
    ],
    [
      'a map',
      { type: 'object', additionalProperties: text },
      { type: 'object', description: 'Must hold: additionalProperties: {"type":"string"}.' },
    ],
    ['alternatives', { oneOf: [text, { type: 'number' }] }, { anyOf: [text, { type: 'number' }] }],
  ];
  for (const [what, given, wanted] of google) {
    it(`says ${what} in words that Google knows`, () =>
      assert.deepEqual(fitSchema(root({ a: given }), 'gemini').schema, root({ a: wanted })));
  }

  it('is refused in words where it is none of an object', () => {
    assert.throws(() => fitSchema('x', 'plain'), /not a JSON Schema/);
    assert.throws(() => fitSchema({ type: 'array' }, 'plain'), /of type "array", not an object/);
  });
});
