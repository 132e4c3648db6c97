import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hasHidden, visiblePieces, visibleLines } from '../../../webview-ui/base/visible';

const shown = (text: string): string =>
  visiblePieces(text)
    .map((piece) => (piece.escape === undefined ? piece.text : `[${piece.escape}]`))
    .join('');

describe('text that waits for approval', () => {
  it('shows invisible characters: controls, direction marks, zero width, fillers, tags and unusual spaces', () => {
    assert.equal(shown('a\u001b[2Kb'), 'a[␛ ESC][2Kb');
    assert.equal(shown('a\u0000\u0007\u0008\u007f\r'), 'a[␀ NUL][␇ BEL][␈ BS][␡ DEL][␍ CR]');
    for (const code of [
      0x80, 0x9b, 0xa0, 0xad, 0x61c, 0x115f, 0x200b, 0x200d, 0x200e, 0x202a, 0x202e, 0x2028, 0x2060, 0x2066, 0x2069,
      0x2800, 0x3000, 0x3164, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xe000, 0xe0041, 0xe0101,
    ]) {
      assert.equal(
        shown(`a${String.fromCodePoint(code)}b`),
        `a[U+${code.toString(16).toUpperCase().padStart(4, '0')}]b`,
      );
    }
    assert.equal(shown('\ud800'), '[U+D800]');
  });
  it('leaves visible characters unchanged', () => {
    for (const plain of ['npm test -- --grep "a b"', 'naïve café', '日本語', '😀', 'שלום', 'a\u0301'])
      assert.equal(shown(plain), plain);
  });
  it('marks lookalike letters: mixed scripts in a word, full width and mathematical', () => {
    assert.equal(shown('cat \u0441url'), 'cat [\u0441 U+0441]url');
    assert.equal(shown('https://g\u0456thub.com/p\u03b1th'), 'https://g[\u0456 U+0456]thub.com/p[\u03b1 U+03B1]th');
    assert.equal(shown('\uff52m a; \u{1d41c}url'), '[\uff52 U+FF52]m a; [\u{1d41c} U+1D41C]url');
    assert.ok(hasHidden('src/\u0430dd.ts') && hasHidden('a\u202eb') && !hasHidden('a\tb\nc'));
  });
  it('does not mark whole words in another script, or parts of emoji', () => {
    for (const plain of ['привет мир', 'καλημέρα', 'add слово here', '❤\ufe0f and 👩\u200d💻', 'Ω 5 µm'])
      assert.equal(shown(plain), plain);
    assert.equal(shown('a\ufe0f\u200db'), 'a[U+FE0F][U+200D]b');
  });
  it('is complete: its pieces joined are the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary', maxLength: 3 }), (text, culprit) => {
        assert.equal(
          visibleLines(text, culprit)
            .map((line) => line.map((piece) => piece.text).join(''))
            .join('\n'),
          text,
        );
      }),
    );
  });
  it('keeps line breaks, and marks each culprit even across lines', () => {
    const lines = visibleLines('a; rm -rf\nx; b; rm -rf\nx', 'rm -rf\nx');
    assert.equal(lines.length, 3);
    assert.deepEqual(
      lines.map((line) => line.filter((piece) => piece.culprit).map((piece) => piece.text)),
      [['rm -rf'], ['x', 'rm -rf'], ['x']],
    );
  });
});
