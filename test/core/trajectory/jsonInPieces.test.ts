import { strict as assert } from 'node:assert';
import { runToEnd } from '../../../src/core/text/slices';
import { inAscii } from '../../../src/core/trajectory/pythonJson';
import { jsonInPieces } from '../../../src/core/trajectory/jsonInPieces';
import { seededRandom } from '../../../src/core/model/sampling/seededRandom';

const texts = ['', 'a', 'line\nbreak', '\u00fc\u2028"\\', '\ud800', '[', '{}', '\n    \n'];

describe('jsonInPieces', () => {
  it('writes what JSON.stringify writes, on one line and indented', () => {
    for (let seed = 0; seed < 300; seed++) {
      const random = seededRandom(seed);
      const below = (count: number): number => Math.floor(random() * count);
      const value = (depth: number): unknown => {
        const list = (): unknown[] => Array.from({ length: below(4) }, () => value(depth - 1));
        switch (below(depth > 0 ? 7 : 5)) {
          case 0:
            return texts[below(texts.length)];
          case 1:
            return random() * 1e6;
          case 2:
            return random() < 0.5;
          case 3:
            return null;
          case 4:
            return undefined;
          case 5:
            return list();
          default:
            return Object.fromEntries(list().map((part, index) => [`${texts[below(texts.length)]}${index}`, part]));
        }
      };
      const record = Object.fromEntries(Array.from({ length: below(5) }, (_, index) => [`k\u00e9${index}`, value(3)]));
      for (const indent of [0, 1, 2, 4]) {
        const expected = JSON.stringify(record, null, indent);
        assert.equal(runToEnd(jsonInPieces(record, { indent })), expected, `seed ${seed}`);
        assert.equal(runToEnd(jsonInPieces(record, { indent, spelled: inAscii })), inAscii(expected), `seed ${seed}`);
      }
    }
  });

  it('yields after each entry of a list', () => {
    const pieces = jsonInPieces({ messages: Array.from({ length: 50 }, (_, index) => ({ index })) });
    let count = 0;
    while (!pieces.next().done) count++;
    assert.equal(count, 50);
  });
});
