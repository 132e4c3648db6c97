import assert from 'node:assert/strict';
import { elicitationOf, elicitedValue, type ElicitedField } from '../../../src/core/mcp/elicitation';
import { secrets } from '../../../src/core/secrets/secrets';
import { callProgressLine } from '../../../src/adapters/mcp/serverCalls';

const field = (schema: object, required = false): ElicitedField =>
  elicitationOf({
    message: 'x',
    requestedSchema: { type: 'object', properties: { x: schema }, required: required ? ['x'] : [] },
  }).fields[0]!;

describe('what an MCP server asks its person', () => {
  it('is read from every kind of field that the protocol has', () => {
    const kinds = {
      a: { type: 'string' },
      b: { type: 'number' },
      c: { type: 'integer' },
      d: { type: 'boolean', default: true },
      e: { type: 'string', enum: ['x', 'y'], enumNames: ['X', 'Y'] },
      f: { type: 'string', oneOf: [{ const: 'x', title: 'The X' }] },
      g: { type: 'array', items: { type: 'string', enum: ['x', 'y'] }, minItems: 1 },
      h: { type: 'array', items: { anyOf: [{ const: 'x', title: 'The X' }] } },
    };
    const { fields } = elicitationOf({
      message: ' Which? ',
      requestedSchema: { type: 'object', properties: kinds, required: ['a'] },
    });
    assert.deepEqual(
      fields.map(({ kind }) => kind),
      ['text', 'number', 'integer', 'yes_no', 'one', 'one', 'several', 'several'],
    );
    assert.deepEqual(
      fields.map(({ options }) => options.map(({ label }) => label).join()),
      ['', '', '', '', 'X,Y', 'The X', 'x,y', 'The X'],
    );
    assert.deepEqual([fields[0]!.required, fields[1]!.required, fields[3]!.fallback], [true, false, 'true']);
    assert.deepEqual(elicitationOf({ message: 'Sure?', requestedSchema: 'nonsense' }), {
      message: 'Sure?',
      fields: [],
    });
  });

  it('hides nothing in its words, and gets its own values back', () => {
    const {
      message,
      fields: [one],
    } = elicitationOf({
      message: 'Which\u202e one?\u200b',
      requestedSchema: { properties: { x: { type: 'string', title: 'O\u200bne', enum: ['a\u200b'] } } },
    });
    assert.deepEqual([message, one!.title, one!.options], ['Which one?', 'One', [{ value: 'a\u200b', label: 'a' }]]);
    assert.equal(elicitedValue(one!, 'a'), 'a\u200b');
  });

  it('is answered with values that fit, and with no others', () => {
    assert.equal(elicitedValue(field({ type: 'integer', minimum: 1, maximum: 3 }), ' 2 '), 2);
    assert.equal(elicitedValue(field({ type: 'boolean' }), 'no'), false);
    assert.equal(elicitedValue(field({ type: 'string', enum: ['x'], enumNames: ['X'] }), 'X'), 'x');
    assert.deepEqual(elicitedValue(field({ type: 'array', items: { enum: ['x', 'y'] } }), ['y', 'z']), ['y']);
    assert.equal(elicitedValue(field({ type: 'string' }), ''), undefined);
    assert.equal(elicitedValue(field({ type: 'array', items: { enum: ['x'] } }), []), undefined);
    const wrong: [object, string | string[], RegExp][] = [
      [{ type: 'integer', minimum: 1, maximum: 3 }, '4', /must be 1 to 3/],
      [{ type: 'integer' }, '1.5', /whole number/],
      [{ type: 'number' }, 'many', /Enter a number/],
      [{ type: 'boolean' }, 'maybe', /yes or no/],
      [{ type: 'string', enum: ['x'] }, 'z', /one of x/],
      [{ type: 'string', format: 'email' }, 'ada', /email/],
      [{ type: 'string', format: 'uri' }, 'ada', /URL/],
      [{ type: 'string', format: 'date' }, '2026-13-01', /date/],
      [{ type: 'string', maxLength: 2 }, 'abc', /at most 2/],
      [{ type: 'array', items: { enum: ['x', 'y'] }, minItems: 2, maxItems: 2 }, ['x'], /exactly 2/],
    ];
    for (const [schema, given, words] of wrong) assert.throws(() => elicitedValue(field(schema), given), words);
    assert.throws(() => elicitedValue(field({ type: 'string' }, true), ''), /Enter a value/);
  });

  it('is known for a question after a secret by its words', () => {
    for (const words of ['password', 'apiKey', 'api_key', 'GitHub token', 'PIN', 'one-time code'])
      assert.equal(
        field({ type: 'string', title: words }).secret ||
          elicitationOf({ message: '', requestedSchema: { properties: { [words]: { type: 'string' } } } }).fields[0]!
            .secret,
        true,
        words,
      );
    for (const words of ['branch', 'pinned', 'tokenizer'])
      assert.equal(field({ type: 'string', title: words }).secret, false, words);
  });
});

describe('the progress of a call', () => {
  it('is one line, without what hides', () => {
    assert.equal(callProgressLine({ progress: 1 / 3 }), '0.33');
    assert.equal(
      callProgressLine({ progress: 2, total: 5, message: 'reading\u200b\n files' }),
      'reading files (2 / 5)',
    );
  });

  it('shows no part of a secret where it is cut', () => {
    const secret = 'fern-quartz-lantern-42';
    secrets.learn(secret);
    assert.doesNotMatch(callProgressLine({ progress: 1, message: `${'a'.repeat(290)}${secret}` }), /fern-/);
  });
});
