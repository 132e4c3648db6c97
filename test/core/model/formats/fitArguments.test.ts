import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod';
import { fitArguments, withTarget } from '../../../../src/core/model/formats/fitArguments';

const schemaOf = (shape: z.ZodRawShape): Record<string, unknown> =>
  z.toJSONSchema(z.object(shape), { io: 'input', target: 'draft-7' });
const fitted = (text: unknown, type: z.ZodType): unknown => fitArguments({ a: text }, schemaOf({ a: type })).a;
const edit = z.object({ old_text: z.string(), count: z.number().optional() });

describe('arguments that were written as text', () => {
  for (const [what, text, type, value] of [
    ['stay text where text is wanted', '5', z.string(), '5'],
    ['become text where a number was given for a text', 5, z.string(), '5'],
    ['become numbers', ' -1.5e3 ', z.number(), -1500],
    ['stay what they are when they are no number', '5 s', z.number(), '5 s'],
    ['become truth values', 'True', z.boolean(), true],
    ['become truth values by other words', 'no', z.boolean(), false],
    ['stay what they are when they are no truth value', 'maybe', z.boolean(), 'maybe'],
    ['become nothing', 'null', z.number().nullable(), null],
    ['become a number where a number or nothing is wanted', '5', z.number().nullable(), 5],
    ['stay text where text or a number is wanted', '5', z.union([z.string(), z.number()]), '5'],
    ['stay text where text or a list is wanted', '["a"]', z.union([z.string(), z.array(z.string())]), '["a"]'],
    ['become the number of a choice', '2', z.literal([1, 2]), 2],
    ['become a list', '["a", 1]', z.array(z.string()), ['a', '1']],
    ['become a list of numbers', '["1", 2]', z.array(z.number()), [1, 2]],
    ['become a list from elements', '\n<item>a</item>\n<item>b &lt; c</item>\n', z.array(z.string()), ['a', 'b < c']],
    ['become a list of one', 'a', z.array(z.string()), ['a']],
    ['become a list of none', ' ', z.array(z.string()), []],
    ['become a list from almost JSON', "['a',]", z.array(z.string()), ['a']],
    ['become a list of one object', { old_text: 'a' }, z.array(edit), [{ old_text: 'a' }]],
    ['become an object from JSON', '{"old_text": 1, "count": "2"}', edit, { old_text: '1', count: 2 }],
    [
      'become an object from elements',
      '<old_text>a && b</old_text><count>2</count>',
      edit,
      { old_text: 'a && b', count: 2 },
    ],
    [
      'become a list of objects from elements',
      '<edit><old_text>a</old_text></edit><edit><old_text>b</old_text><count>1</count></edit>',
      z.array(edit),
      [{ old_text: 'a' }, { old_text: 'b', count: 1 }],
    ],
    [
      'become a list of one object from its fields',
      '<old_text>a</old_text><count>2</count>',
      z.array(edit),
      [{ old_text: 'a', count: 2 }],
    ],
    [
      'become a list of objects where they came several times',
      ['<old_text>a</old_text>', '{"old_text": "b"}'],
      z.array(edit),
      [{ old_text: 'a' }, { old_text: 'b' }],
    ],
    ['stay what they are when they are no object', 'a', edit, 'a'],
    ['stay what they are when their elements are broken', '<old_text>a', edit, '<old_text>a'],
    ['are left alone where anything is wanted', '5', z.unknown(), '5'],
  ] as const) {
    it(what, () => assert.deepEqual(fitted(text, type), value));
  }

  it('are matched with names that are spelled differently, and exact names come first', () => {
    const schema = schemaOf({ old_text: z.string(), count: z.number() });
    assert.deepEqual(fitArguments({ OldText: 'a', Count: '1' }, schema), { old_text: 'a', count: 1 });
    assert.deepEqual(fitArguments({ OldText: 'a', old_text: 'b' }, schema), { OldText: 'a', old_text: 'b' });
    assert.deepEqual(fitArguments({ toString: 'a', other: '1' }, schema), { toString: 'a', other: '1' });
  });

  it('take a target for the one that is missing', () => {
    const schema = schemaOf({ path: z.string(), line: z.number(), note: z.string().optional() });
    assert.deepEqual(withTarget({ path: 'a' }, '3', schema), { path: 'a', line: 3 });
    assert.deepEqual(withTarget({}, 'a', schema), {}, 'two are missing');
    assert.deepEqual(withTarget({ path: 'a', line: 1 }, 'b', schema), { path: 'a', line: 1 });
  });

  it('come back as they were when each was written as JSON', () => {
    const types = {
      s: z.string(),
      n: z.number(),
      b: z.boolean(),
      l: z.array(z.string()),
      o: z.object({ x: z.array(z.number()), y: z.object({ z: z.boolean() }) }),
    };
    const values = fc.record(
      {
        s: fc.string(),
        n: fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
        b: fc.boolean(),
        l: fc.array(fc.string()),
        o: fc.record(
          { x: fc.array(fc.integer()), y: fc.record({ z: fc.boolean() }, { noNullPrototype: true }) },
          { noNullPrototype: true },
        ),
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(values, (args) => {
        const written = Object.fromEntries(
          Object.entries(args).map(([name, value]) => [
            name,
            typeof value === 'string' ? value : JSON.stringify(value),
          ]),
        );
        assert.deepEqual(fitArguments(written, schemaOf(types)), args);
        assert.deepEqual(fitArguments(args, schemaOf(types)), args, 'what fits already is not touched');
      }),
    );
  });
});
