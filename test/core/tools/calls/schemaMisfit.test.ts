import { strict as assert } from 'node:assert';
import { schemaMisfit } from '../../../../src/core/tools/calls/schemaMisfit';

const person = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2 },
    age: { type: ['integer', 'null'], minimum: 0 },
    tags: { type: 'array', items: { enum: ['a', 'b'] }, maxItems: 2 },
  },
  required: ['name'],
  additionalProperties: false,
};

const rows: [schema: unknown, value: unknown, wrong: string | undefined][] = [
  [person, { name: 'Ann', age: 3, tags: ['a'] }, undefined],
  [person, { name: 'Ann', age: null }, undefined],
  [person, [], 'the input must be object, not array'],
  [person, null, 'the input must be object, not null'],
  [person, {}, 'the input lacks name'],
  [person, { name: undefined }, 'the input lacks name'],
  [person, { name: 'A' }, 'name must have at least 2 characters'],
  [person, { name: 'Ann', age: 1.5 }, 'age must be integer or null, not number'],
  [person, { name: 'Ann', age: -1 }, 'age must be at least 0'],
  [person, { name: 'Ann', tags: ['a', 'c'] }, 'tags[1] must be one of "a", "b"'],
  [person, { name: 'Ann', tags: ['a', 'a', 'a'] }, 'tags must have at most 2 items'],
  [person, { name: 'Ann', more: 1 }, 'the input has no more'],
  [{ properties: { at: { properties: { x: { const: 1 } } } } }, { at: { x: 2 } }, 'at.x must be 1'],
  [{ additionalProperties: { type: 'number' } }, { a: 1, b: 'x' }, 'b must be number, not string'],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 1, undefined],
  [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, true, 'the input must be string, not boolean'],
  [{ allOf: [{ type: 'string' }, { maxLength: 1 }] }, 'xx', 'the input must have at most 1 characters'],
  [{ properties: { constructor: { type: 'string' } } }, {}, undefined],
  [{ properties: { gone: false } }, { gone: 1 }, 'gone is not allowed'],
  [{ $ref: '#/definitions/x', format: 'uri', unheard: 7 }, 'anything', undefined],
  [true, 1, undefined],
];

describe('a JSON Schema', () => {
  for (const [schema, value, wrong] of rows)
    it(`${JSON.stringify(schema).slice(0, 80)} ${wrong === undefined ? 'is fulfilled by' : 'is not fulfilled by'} ${JSON.stringify(value) ?? 'nothing'}`, () =>
      assert.equal(schemaMisfit(schema, value), wrong));
});
