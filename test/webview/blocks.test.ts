import assert from 'node:assert/strict';
import fc from 'fast-check';
import { growBlocks, noBlocks, markdown } from '../../webview-ui/markdown/blocks';

const documents = [
  '# A\n\ntext *with* `code`\nand more\n\n- one\n- two\n\n  still two\n\n1. first\n\n   ```ts\n   const a = 1;\n   ```\n2. second\n\n> quote\nlazy\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\n---\n\nend https://example.org/x',
  '```js\nconst a = "```";\n\n\nb();\n```\nafter\n\n    indented\n\n    code\n\nTitle\n=====\n\nx',
  'a\n\n\n\nb\r\n\r\n* x\n\n\n* y\n',
];

describe('markdown that streams', () => {
  for (const [index, source] of documents.entries()) {
    it(`ends as if it had been rendered at once (${index + 1})`, () => {
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (sizes) => {
          let blocks = noBlocks;
          for (let end = 0, turn = 0; end < source.length; turn++)
            blocks = growBlocks(
              blocks,
              source.slice(0, (end = Math.min(source.length, end + sizes[turn % sizes.length]!))),
            );
          assert.equal([...blocks.closed, blocks.open].join(''), markdown.render(source));
        }),
        { numRuns: 60 },
      );
    });
  }
  it('never draws a closed block again', () => {
    const before = growBlocks(noBlocks, 'one\n\ntwo\n\nthree\n\nfo');
    const after = growBlocks(before, 'one\n\ntwo\n\nthree\n\nfour\n\nfive\n\nsix');
    assert.equal(before.closed.length, 2);
    assert.ok(before.closed.every((html, index) => after.closed[index] === html));
  });
});
