import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PartialStrings } from '../../../src/core/text/partialStrings';

/** Returns what is reported for JSON that arrives in these pieces: by place, key and text. */
function told(pieces: readonly string[], isWanted: (key: string) => boolean = () => true): [string, string][] {
  const found: [string, string][] = [];
  let isOpen = false;
  const strings = new PartialStrings(isWanted, (key, text, isEnd) => {
    if (isOpen) found.at(-1)![1] += text;
    else found.push([key, text]);
    isOpen = !isEnd;
  });
  for (const piece of pieces) strings.add(piece);
  return found;
}

/** All strings of a value with their keys, read by the language's own parser. */
function textsIn(value: unknown, key = ''): [string, string][] {
  if (typeof value === 'string') return [[key, value]];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => textsIn(each, name));
}

describe('texts of JSON that is still arriving', () => {
  it('are those that the whole JSON has, wherever it is cut', () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom('"', '\\', '\n', '{', ',', ':', '\u0001'),
        fc.string({ unit: 'binary', maxLength: 1 }),
      ),
      maxLength: 8,
    });
    const key = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 5 });
    const value = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, text, fc.integer(), fc.constant(null), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 3 }),
      object: fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    })).object;
    const cuts = fc.array(fc.nat(200), { maxLength: 6 });
    fc.assert(
      fc.property(value, cuts, fc.constantFrom(undefined, 2), (given, places, indent) => {
        const json = JSON.stringify(given, undefined, indent);
        const sorted = [0, ...places.map((place) => place % (json.length + 1)), json.length].sort((a, b) => a - b);
        const pieces = sorted.slice(1).map((to, index) => json.slice(sorted[index], to));
        const texts = told(pieces).map(([, each]) => each);
        assert.deepEqual(
          texts,
          textsIn(given).map(([, each]) => each),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('come as far as they came, also in the middle of an escape', () => {
    const escaped = JSON.stringify({ path: 'a.ts', edits: [{ old_text: 'x', new_text: 'é\n"q" \u0007😀' }] });
    const ascii = escaped.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    for (let to = 0; to <= ascii.length; to++) {
      const [path, written] = told([...ascii.slice(0, to)], (key) => key === 'path' || key === 'new_text');
      assert.ok('a.ts'.startsWith(path?.[1] ?? ''));
      assert.ok('é\n"q" \u0007😀'.startsWith(written?.[1] ?? ''));
    }
    assert.deepEqual(
      told([...ascii], (key) => key === 'new_text'),
      [['new_text', 'é\n"q" \u0007😀']],
    );
  });

  it('of what is no JSON, or too deep, do no harm', () => {
    for (const odd of ['}}}]]]', '"', '{"a":"\\', '{"a":"\\u12', ':::,,,"x"', `${'['.repeat(500)}"x"`, '{"a" "b" "c"'])
      told([...odd]);
    const deep = `${'{"a":'.repeat(200)}"hidden"${'}'.repeat(200)}`;
    assert.deepEqual(told([deep, '{"a":"seen"}']), [['a', 'seen']]);
  });
});
