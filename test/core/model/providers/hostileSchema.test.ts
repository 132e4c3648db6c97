import assert from 'node:assert/strict';
import { fitSchema } from '../../../../src/core/model/providers/fitSchema';

const subsets = ['plain', 'gemini', 'moonshot'] as const;
const root = (properties: object, more: object = {}): Record<string, unknown> => ({
  type: 'object',
  properties,
  ...more,
});
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Definitions that each refer to the next one several times. */
const chain = (length: number, width: number): Record<string, unknown> =>
  root(
    { a: { $ref: '#/$defs/d0' } },
    {
      $defs: Object.fromEntries(
        numbers(length).map((index) => [
          `d${index}`,
          root(Object.fromEntries(numbers(width).map((place) => [`p${place}`, { $ref: `#/$defs/d${index + 1}` }]))),
        ]),
      ),
    },
  );

/** Definitions that all refer to all others. */
const web = (size: number): Record<string, unknown> =>
  root(
    { a: { $ref: '#/$defs/d0' } },
    {
      $defs: Object.fromEntries(
        numbers(size).map((index) => [
          `d${index}`,
          root(Object.fromEntries(numbers(size).map((place) => [`p${place}`, { $ref: `#/$defs/d${place}` }]))),
        ]),
      ),
    },
  );

/** A nested schema that Google does not support: each level is quoted again by the level around it. */
const quoted = (levels: number): unknown =>
  levels === 0
    ? { type: 'integer', enum: [1, 2], not: { const: 'x' } }
    : { type: 'object', additionalProperties: quoted(levels - 1) };

describe('the schema of a tool that means harm', () => {
  const hostile: readonly (readonly [string, Record<string, unknown>])[] = [
    ['references that double twelve times', chain(14, 2)],
    ['references that triple', chain(12, 3)],
    ['definitions that name one another', web(12)],
    [
      'a large definition that is named often',
      root(Object.fromEntries(numbers(2000).map((index) => [`p${index}`, { $ref: '#/$defs/big' }])), {
        $defs: { big: { type: 'string', description: 'x'.repeat(20_000) } },
      }),
    ],
    ['words that are quoted within each other', root({ a: quoted(40) })],
    [
      'alternatives by the thousand',
      {
        type: 'object',
        anyOf: numbers(3000).map((index) => ({ properties: { a: { const: index } }, required: ['a'] })),
      },
    ],
    [
      'a tuple of tuples',
      root({
        a: { type: 'array', items: numbers(500).map((index) => ({ type: 'array', items: [{ const: index }] })) },
      }),
    ],
  ];
  for (const [what, schema] of hostile) {
    it(`grows by no more than can be sent: ${what}`, () => {
      const size = JSON.stringify(schema).length;
      for (const subset of subsets) {
        const fitted = JSON.stringify(fitSchema(schema, subset)).length;
        assert.ok(fitted < 4 * size + 500_000, `${subset}: ${size} became ${fitted}`);
      }
    });
  }

  it('is refused in words where it is nested deeper than a request can be written', () => {
    const deep = JSON.parse(
      `{"type":"object","properties":{"a":${'{"type":"array","items":'.repeat(5000)}{}${'}'.repeat(5000)}}}`,
    ) as unknown;
    for (const subset of subsets)
      assert.throws(() => fitSchema(deep, subset), /^Error: its parameters are nested too deeply$/);
  });

  it('may have names that JavaScript has, and references that are none', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
    const properties = JSON.parse(`{${names.map((name) => `"${name}":{"type":"string"}`).join()}}`) as object;
    for (const subset of subsets) {
      for (const schema of [
        root(properties, { required: names }),
        { type: 'object', anyOf: [root(properties, { required: names })] },
      ]) {
        const written = JSON.parse(JSON.stringify(fitSchema(schema, subset).schema)) as { properties: object };
        assert.deepEqual(
          Object.entries(written.properties),
          names.map((name) => [name, { type: 'string' }]),
          subset,
        );
      }
      for (const $ref of [
        '#/%E0%A4%A',
        '#/constructor/prototype',
        '#/__proto__',
        'https://example.com/schema',
        '#',
        '',
      ])
        assert.doesNotThrow(() => fitSchema(root({ a: { $ref } }), subset), $ref);
    }
  });
});
