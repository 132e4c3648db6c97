import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { isCommonPattern } from '../../../../src/core/model/providers/commonKeywords';
import { fitSchema } from '../../../../src/core/model/providers/fitSchema';

const subsets = ['plain', 'gemini', 'moonshot'] as const;
const root = (properties: object): Record<string, unknown> => ({ type: 'object', properties });

/** The published meta-schema of JSON Schema 2020-12, against which Anthropic and OpenAI validate. */
const judge = new Ajv2020({ strict: false, allErrors: true });
const faultsOf = (schema: unknown): unknown[] =>
  judge.validateSchema(schema as object) === true ? [] : (judge.errors ?? []);

describe('the schema of a tool that does not follow JSON Schema 2020-12', () => {
  const fitted: readonly (readonly [string, object, object])[] = [
    [
      'a bound as draft 4 wrote it',
      { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
      { type: 'integer', exclusiveMinimum: 0, maximum: 9 },
    ],
    ['a bound without a number', { type: 'integer', exclusiveMaximum: true }, { type: 'integer' }],
    ['a number in quotes', { type: 'string', maxLength: '5' }, { type: 'string' }],
    ['a list of no values', { type: 'string', enum: [] }, { type: 'string' }],
    ['a value that is listed twice', { type: 'string', enum: ['a', 'b', 'a'] }, { type: 'string', enum: ['a', 'b'] }],
    ['a description that is no text', { type: 'string', description: { en: 'x' } }, { type: 'string' }],
    [
      'a name that is required twice',
      { type: 'object', properties: { b: {} }, required: ['b', 'b'] },
      { type: 'object', properties: { b: {} }, required: ['b'] },
    ],
    [
      'an optional value as Zod 3 wrote it',
      { anyOf: [{ not: {} }, { type: 'string' }] },
      { anyOf: [{ type: 'string' }] },
    ],
    ['a map of anything', { type: 'object', additionalProperties: {} }, { type: 'object', additionalProperties: true }],
    [
      'a property that is no schema',
      { type: 'object', properties: { type: 'object' } },
      { type: 'object', properties: {} },
    ],
    ['required as a mark of a property, as in draft 3', { type: 'string', required: true }, { type: 'string' }],
  ];
  for (const [what, given, wanted] of fitted) {
    it(`is rewritten: ${what}`, () =>
      assert.deepEqual(fitSchema(root({ a: given }), 'plain').schema, root({ a: wanted })));
  }

  it('is valid afterwards, whatever its keywords hold', () => {
    const value = fc.oneof(
      fc.boolean(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string(),
      fc.constant(null),
      fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 3 }),
      fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
    );
    const { schema } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => {
      const nested = fc.oneof(value, tie('schema'));
      const keyword = (names: readonly string[], values: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
        fc.dictionary(fc.constantFrom(...names), values, { maxKeys: 4 });
      return {
        schema: fc
          .tuple(
            fc.dictionary(
              fc.constant('type'),
              fc.constantFrom('object', 'array', 'string', 'integer', ['string', 'null']),
            ),
            keyword(plainKeywords, value),
            keyword(schemaKeywords, nested),
            keyword(listKeywords, fc.oneof(value, fc.array(nested, { maxLength: 3 }))),
            keyword(mapKeywords, fc.oneof(value, fc.dictionary(fc.string(), nested, { maxKeys: 3 }))),
          )
          .map((parts) => Object.assign({}, ...parts) as Record<string, unknown>),
      };
    });
    fc.assert(
      fc.property(schema, fc.constantFrom(...subsets), (given, subset) => {
        const { schema: written } = fitSchema({ ...given, type: 'object' }, subset);
        assert.deepEqual(faultsOf(JSON.parse(JSON.stringify(written))), []);
      }),
      { numRuns: 1000 },
    );
  });
});

const plainKeywords = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minContains',
  'maxContains',
  'uniqueItems',
  'deprecated',
  'readOnly',
  'title',
  'description',
  'format',
  'pattern',
  'enum',
  'const',
  'default',
  'examples',
  'required',
  'dependentRequired',
  '$id',
  '$ref',
  '$comment',
  '$schema',
  '$anchor',
  '$dynamicRef',
];
const schemaKeywords = [
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
];
const listKeywords = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const mapKeywords = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'];

describe('a constraint in the schema of a tool that some providers reject', () => {
  const cases: readonly (readonly [string, object, object])[] = [
    [
      'a format that OpenAI does not know',
      { type: 'string', format: 'uri', description: 'Where.' },
      { type: 'string', description: 'Where. Must hold: format: "uri".' },
    ],
    [
      'a length that makes the grammar of llama.cpp too large',
      { type: 'string', minLength: 1, maxLength: 10_000 },
      { type: 'string', minLength: 1, description: 'Must hold: maxLength: 10000.' },
    ],
    [
      'a long list of long texts',
      { type: 'array', maxItems: 2000, items: { type: 'string', maxLength: 65_536 } },
      {
        type: 'array',
        items: { type: 'string', description: 'Must hold: maxLength: 65536.' },
        description: 'Must hold: maxItems: 2000.',
      },
    ],
  ];
  for (const [what, given, wanted] of cases) {
    it(`is described: ${what}`, () =>
      assert.deepEqual(fitSchema(root({ a: given }), 'plain').schema, root({ a: wanted })));
  }

  it('stays if all providers accept it', () => {
    for (const given of [
      { type: 'string', format: 'date-time', maxLength: 500 },
      { type: 'array', items: { type: 'string', format: 'uuid' }, minItems: 1, maxItems: 100 },
    ])
      assert.deepEqual(fitSchema(root({ a: given }), 'plain').schema, root({ a: given }));
  });
});

describe('a regular expression in the schema of a tool', () => {
  const common = [
    '^[a-z0-9_-]{1,64}$',
    '^(?:a|b)+\\.json$',
    '\\d{4}-\\d{2}-\\d{2}',
    '[^\\s"\\\\/]+',
    '^\\w+(, \\w+)*$',
  ];
  const other = [
    '^(?!__.*__$)[^\\p{Cc}\\p{Cf}]{1,200}$',
    '(?<year>\\d{4})',
    '^(?=.*@).+$',
    '(?<!a)b',
    '(?i)abc',
    '(a)\\1',
    '\\u{1F600}',
    '\\cA',
    '\\z',
    '[]a]',
    '[^]',
    '[[:alpha:]]',
    '[\\w-.]',
    'a{2000}',
    'a{,3}',
    'a++',
    '(',
  ];
  it('stays if every provider can read it', () => {
    for (const pattern of common)
      assert.deepEqual(
        fitSchema(root({ a: { type: 'string', pattern } }), 'plain').schema,
        root({ a: { type: 'string', pattern } }),
      );
  });

  it('is described if some cannot', () => {
    for (const pattern of other) {
      const { schema } = fitSchema(root({ a: { type: 'string', pattern, description: 'The id.' } }), 'plain');
      assert.deepEqual(
        schema,
        root({ a: { type: 'string', description: `The id. Must hold: pattern: ${JSON.stringify(pattern)}.` } }),
      );
    }
  });

  it('is described for the most strict subset, which is what remains after a refusal', () => {
    const { schema } = fitSchema(root({ a: { type: 'string', pattern: '^a$' } }), 'gemini');
    assert.deepEqual(schema, root({ a: { type: 'string', description: 'Must hold: pattern: "^a$".' } }));
  });

  it('may be the name of properties', () => {
    const map = (pattern: string): object => ({ type: 'object', patternProperties: { [pattern]: { type: 'string' } } });
    assert.deepEqual(fitSchema(root({ a: map('^x-') }), 'plain').schema, root({ a: map('^x-') }));
    assert.deepEqual(
      fitSchema(root({ a: map('^\\p{L}') }), 'plain').schema,
      root({
        a: { type: 'object', description: 'Must hold: patternProperties: {"^\\\\p{L}":{"type":"string"}}.' },
      }),
    );
  });

  it('that stays is one that Python reads, too', function () {
    if (spawnSync('python3', ['--version']).status !== 0) this.skip();
    const part = fc.constantFrom(
      ...'ab09-_.*+?|^$()[]{}\\/,:&~ é',
      '\\d',
      '\\w',
      '\\p{L}',
      '(?:',
      '(?<n>',
      '{2,3}',
      '[a-z]',
      '[^\\s',
      '\\u0041',
      '\\x41',
      '\\0',
      '\\1',
      '\\-',
    );
    const patterns = fc.sample(fc.array(part, { maxLength: 8 }), 5000).map((parts) => parts.join(''));
    const kept = [...common, ...patterns.filter(isCommonPattern)];
    assert.ok(kept.length > 200, `${kept.length} patterns`);
    const program = `
import json, re, sys, warnings
warnings.simplefilter('error')
for pattern in json.load(sys.stdin):
    try: re.compile(pattern)
    except Exception as error: print(json.dumps(pattern), error)
`;
    const { stdout } = spawnSync('python3', ['-c', program], { input: JSON.stringify(kept), encoding: 'utf8' });
    assert.equal(stdout, '');
  });
});
