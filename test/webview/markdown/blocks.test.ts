import assert from 'node:assert/strict';
import fc from 'fast-check';
import { growBlocks, noBlocks, markdown } from '../../../webview-ui/markdown/blocks';

const documents = [
  '# A\n\ntext *with* `code`\nand more\n\n- one\n- two\n\n  still two\n\n1. first\n\n   ```ts\n   const a = 1;\n   ```\n2. second\n\n> quote\nlazy\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\n---\n\nend https://example.org/x',
  '```js\nconst a = "```";\n\n\nb();\n```\nafter\n\n    indented\n\n    code\n\nTitle\n=====\n\nx',
  'a\n\n\n\nb\r\n\r\n* x\n\n\n* y\n',
];

/** Short texts in which a later line changes the meaning of the lines before it. */
const turning = [
  'Setext\n===\n\nand\nmore\n---\n\nend',
  'para\n| a | b |\n|---|---|\n| 1 | 2 |\nrow | too\n\nafter',
  'a | b\n:-:|--\n1 | 2\n> quote ends it',
  '- tight\n- list\n\n- is loose now\n\n\npara',
  '- a\n\n      code in an item\n\n\n- b\n***\nc',
  '1. one\n1) another list\n2) two\n\n10. ten\n-',
  '> lazy\ngoes on\n> - item\nlazy, too\n\n> new quote',
  '    code\n\n\n    more code\npara\n    no code\n\n\tcode',
  '~~~\nnot\n```\nclosed\n~~~~ \n```\nnever closed\n\n# no heading',
  '[a] and [b][] and [c][B] before\n\n[a]: /first\n[b]: </sec ond> "title"\n\n[a] after\n\n[a]: /not-this-one',
  "[multi] line\n\n[multi]: /url\n'a title\nover lines\nends here'\n\nlast [multi]",
  "[multi] line\n\n[multi]: /url\n'no title\n\nlast [multi]",
  '[late] one\n\ntwo [late]\n\nthree\n\n[late]: /x\n\nfour [late]\n\nfive [Late]',
  '[split]:\n/url\n\n[SPLIT] [ split ] [sp\nlit]\n\n- [in item][item]\n\n  [item]: /in-list\n\n[item]',
  '[foo]: /url\n"title" no\n\n[foo]\n\n[bar]\n\n> [bar]: /quoted\n\n[bar] ![bar]',
  '[\\[esc\\]] x\n\n[\\[esc\\]]: /e\n',
  'hard  \nbreak\\\nand `code\nspan` and *em\n\nnot closed*',
  '# a\n## b\nc\n#d\n\n* * *\n+ x\n  + y\n\n    + z\n\n      w\n+ v',
  'cr\rlines\r\rof two\r\n\r\nkinds\r- x\r- y\n',
  '\n\n\n   \n\tcode first\n\n \n',
  '- one\n- two\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n- three\n  1. x\n\n     | c |\n     |---|\n     | 3 |\n  2. y\n- four',
  '- [ ] open\n- [x] done\n\n$a_1$ and \\(b\\) src/a.ts:3\n\n$$\nc\n\nd$$',
  'The sum is\n$$\na\n+ b\n- c\n=\nd\n$$\nso\n\n\\[\nx_1 \\\\\n# y\n\\]\n\n$$ z\n- q $$\nend',
  'never closed\n$$\na\n- b\n\nmore\n\n- in\n  $$\n  x\n  $$\n- $$ y\n+ other\n\n> $$\n> z\nlazy\n\n$$\nlast',
  '&amp; &#35; &nosuch;\n\n<b>raw</b>\n\n<div>\n\n**x**\n</div>\n\n<!-- no\n\ncomment -->',
];

const grown = (...texts: readonly string[]): string => {
  const { closed, open } = texts.reduce((blocks, text) => growBlocks(blocks, text), noBlocks);
  return [...closed, open].join('');
};

describe('streamed Markdown', () => {
  for (const [index, source] of turning.entries()) {
    it(`equals the full rendering at every cut and at the end (turning ${index + 1})`, () => {
      const cuts = Array.from({ length: source.length + 1 }, (_, end) => source.slice(0, end));
      for (const cut of cuts) assert.equal(grown(cut, source), markdown.render(source), JSON.stringify(cut));
      let blocks = noBlocks;
      for (const cut of cuts) {
        blocks = growBlocks(blocks, cut);
        assert.equal([...blocks.closed, blocks.open].join(''), markdown.render(cut), JSON.stringify(cut));
      }
    });
  }
  it('does so for any sequence of these texts', () => {
    const parts = fc.array(fc.constantFrom(...documents, ...turning), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(parts, fc.constantFrom('', '\n', '\n\n'), fc.integer({ min: 1, max: 9 }), (texts, between, size) => {
        const source = texts.join(between);
        let blocks = noBlocks;
        for (let end = 0; end < source.length + size; end += size) blocks = growBlocks(blocks, source.slice(0, end));
        assert.equal([...blocks.closed, blocks.open].join(''), markdown.render(source));
      }),
      { numRuns: 60 },
    );
  });
  it('redraws closed blocks only if they use a link that is defined later', () => {
    const before = growBlocks(noBlocks, 'see [there]\n\nno link\n\nthe end\n\nmore');
    const other = growBlocks(before, `${before.source}\n\n[elsewhere]: https://example.org/`);
    assert.equal(other.closed[0], before.closed[0]);
    const defined = growBlocks(before, `${before.source}\n\n[there]: https://example.org/`);
    assert.match(defined.closed[0]!, /data-url="https:\/\/example\.org\/"/);
    assert.equal(defined.closed[1], before.closed[1]);
  });
  for (const [index, source] of documents.entries()) {
    it(`ends like the full rendering (${index + 1})`, () => {
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
  it('never redraws a closed block', () => {
    const before = growBlocks(noBlocks, 'one\n\ntwo\n\nthree\n\nfo');
    const after = growBlocks(before, 'one\n\ntwo\n\nthree\n\nfour\n\nfive\n\nsix');
    assert.equal(before.closed.length, 2);
    assert.ok(before.closed.every((html, index) => after.closed[index] === html));
  });

  it('shows no frame of a growing text in which a table, code or bold text is not yet what it becomes', () => {
    const source =
      'Use `npm test` and ``a ` b`` and **all of it** now.\n\n| a | b |\n|---|:-:|\n| 1 | `2` |\n\nTitle\n- one\n- **two**\n\n```js\nconst a = 1;\n```\n1. x\n\nend';
    let blocks = noBlocks;
    const frames: string[] = [];
    for (let end = 1; end <= source.length; end++) {
      blocks = growBlocks(blocks, source.slice(0, end), { goesOn: true });
      frames.push([...blocks.closed, blocks.open].join(''));
    }
    const shown = frames.map((html) => html.replace(/<code[^>]*>[^]*?<\/code>/g, '')).join('\n');
    assert.equal(/^.*(?:`|\*\*|<p>\||<br>\n\||<h2>).*$/m.exec(shown)?.[0], undefined);
    const tags = frames.map((html) => html.match(/<(?:table|h2|ul|ol|strong)/g)?.length ?? 0);
    assert.ok(
      tags.every((count, at) => at === 0 || count >= tags[at - 1]!),
      'nothing becomes something else',
    );
    blocks = growBlocks(blocks, source);
    assert.equal([...blocks.closed, blocks.open].join(''), markdown.render(source));
  });

  it('renders the end of a stopped text as it is', () => {
    const stopped = 'It is `no';
    const blocks = growBlocks(growBlocks(noBlocks, stopped, { goesOn: true }), stopped);
    assert.equal(blocks.open, markdown.render(stopped));
  });
});
