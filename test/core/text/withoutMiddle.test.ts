import assert from 'node:assert/strict';
import { withoutMiddle } from '../../../src/core/text/withoutMiddle';

describe('a text without its middle', () => {
  it('says how much is missing', () => {
    assert.equal(withoutMiddle('abcdef', 6), 'abcdef');
    assert.equal(withoutMiddle('abcdefgh', 4), 'ab\n[… 4 characters left out …]\ngh');
  });

  it('says what was missing before, if that note is left out as well', () => {
    const once = `${'a'.repeat(500)}\n[… 337,237 bytes omitted …]\n${'b'.repeat(500)}`;
    assert.match(
      withoutMiddle(once, 40),
      /^a{20}\n\[… 989 characters left out and 337,237 bytes omitted before …\]\nb{20}$/,
    );
    assert.match(
      withoutMiddle(once, 1020),
      /^a{500}\n\n\[… 27 characters left out and 337,237 bytes omitted before …\]/,
    );
    assert.match(
      withoutMiddle(withoutMiddle(once, 400), 100),
      /\n\[… 3\d\d characters left out and 6\d\d characters left out before and 337,237 bytes omitted before …\]\n/,
    );
    const longBefore = `\n[… 9 bytes omitted …]\n${'a'.repeat(500)}`;
    assert.match(
      withoutMiddle(longBefore, 200),
      /^\n\[… 9 bytes omitted …\]\na+\n\[… \d+ characters left out …\]\na+$/,
    );
  });
});
