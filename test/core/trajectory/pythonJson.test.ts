import { strict as assert } from 'node:assert';
import { pythonRightStrip, pythonStrip } from '../../../src/core/text/pythonBlanks';
import { inAscii, pythonDumps } from '../../../src/core/trajectory/pythonJson';

/** Output of Python 3 for `json.dumps(json.loads(text), ensure_ascii=False)`; undefined if it raises. */
const pairs: readonly (readonly [string, string | undefined])[] = [
  [
    '{"a":1,"b":[1.0,1e5,1E-7,0.00001,123456789012345678901234567890,1e16,1e15,-0,-0.0,-1.50]}',
    '{"a": 1, "b": [1.0, 100000.0, 1e-07, 1e-05, 123456789012345678901234567890, 1e+16, 1000000000000000.0, 0, -0.0, -1.5]}',
  ],
  ['[]', '[]'],
  ['{ }', '{}'],
  [' [1 ,\n 2]', '[1, 2]'],
  ['"\\u00e9\\ud83c\\udf31\\/\\u007f\\u0000\\u2028"', '"\u00e9\ud83c\udf31/\u007f\\u0000\u2028"'],
  ['{"2":1,"1":2,"2":3}', '{"2": 3, "1": 2}'],
  ['NaN', 'NaN'],
  ['[Infinity,-Infinity,1e400]', '[Infinity, -Infinity, Infinity]'],
  ['{"a":}', undefined],
  ['[1,]', undefined],
  ['01', undefined],
  ['"a\nb"', undefined],
  ['tru', undefined],
  ['', undefined],
  ['1 2', undefined],
  ["{'a':1}", undefined],
  ['"\\x"', undefined],
  ['[1.]', undefined],
  ['[.5]', undefined],
  ['-', undefined],
  ['[true,false,null]', '[true, false, null]'],
  ['"</tool_call>"', '"</tool_call>"'],
  ['5e-324', '5e-324'],
  ['1.7976931348623157e308', '1.7976931348623157e+308'],
  ['100000000000000000000.0', '1e+20'],
  ['0.1', '0.1'],
  ['1e22', '1e+22'],
  ['9007199254740993', '9007199254740993'],
];

describe('JSON as Python writes it', () => {
  for (const [text, expected] of pairs) {
    it(`is ${expected === undefined ? 'nothing' : JSON.stringify(expected)} for ${JSON.stringify(text)}`, () =>
      assert.equal(pythonDumps(text), expected));
  }

  it('is nothing for what is nested so deeply that Python gives up', () =>
    assert.equal(pythonDumps('['.repeat(100_000)), undefined));

  it('leaves out the blanks that Python leaves out', () => {
    assert.deepEqual(
      [pythonStrip('\u001c\u0085\u3000\n a b \t\u2029'), pythonRightStrip(' a\u001f\n'), pythonStrip('\ufeffa\u200b')],
      ['a b', ' a', '\ufeffa\u200b'],
    );
  });

  it('has all but ASCII escaped where Python does so', () =>
    assert.equal(inAscii('"é\u007f🌱"\n'), '"\\u00e9\\u007f\\ud83c\\udf31"\n'));
});
