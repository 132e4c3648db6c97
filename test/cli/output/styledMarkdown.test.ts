import assert from 'node:assert/strict';
import { escapeForTerminal } from '../../../src/cli/output/escapeForTerminal';
import { replyTextFor, StyledMarkdown } from '../../../src/cli/output/styledMarkdown';

const styled = (pieces: readonly string[]): string => {
  const text = new StyledMarkdown((style, words) => `<${String(style)} ${escapeForTerminal(words)}>`);
  return pieces.map((piece) => text.add(piece)).join('') + text.end();
};

const cases: readonly (readonly [title: string, text: string, shown: string])[] = [
  ['strong text', 'a **b c** d', 'a <bold b c> d'],
  ['inline code', 'use `npm test` or ``a ` b``', 'use <cyan npm test> or <cyan a ` b>'],
  ['headings', '# One\ntext\n### Two **x**\n', '<bold One>\ntext\n<bold Two **x**>\n'],
  ['a heading at the end', 'text\n## Two', 'text\n<bold Two>'],
  ['a block of code as it is', '```ts\n# a **b** `c`\n```\n**d**', '<dim ```ts>\n# a **b** `c`\n<dim ```>\n<bold d>'],
  ['a block of code without an end', '~~~\n# a\n', '<dim ~~~>\n# a\n'],
  [
    'a block of code in a list',
    '1. a\n    ```\n    `b` **c**\n    ```\n**d**',
    '1. a\n<dim     ```>\n    `b` **c**\n<dim     ```>\n<bold d>',
  ],
  [
    'a block of code in another',
    '````\n```js\n**a**\n```\n~~~\n````\n**b**',
    '<dim ````>\n```js\n**a**\n```\n~~~\n<dim ````>\n<bold b>',
  ],
  ['code on one line', '```a``` b\n**c**\n', '<cyan a> b\n<bold c>\n'],
  ['powers and patterns of paths', '2**3 + x**2, a/**/b c/**/d\n**/e,f/**', '2**3 + x**2, a/**/b c/**/d\n**/e,f/**'],
  ['strong text without spaces', '这是**重点**内容', '这是<bold 重点>内容'],
  ['the end of a block at the end', '```\na\n```', '<dim ```>\na\n<dim ```>'],
  ['lists and tables', '* a\n- b\n| c | d |\n|---|---|', '* a\n- b\n| c | d |\n|---|---|'],
  ['markers that style nothing', '2 ** 3 ** 4, a ` b\n**c\n#d, ****, ``', '2 ** 3 ** 4, a ` b\n**c\n#d, ****, ``'],
  ['markers at the end', 'a *', 'a *'],
  ['a span that ends on another line', '**a\nb** `c\nd`', '**a\nb** `c\nd`'],
  ['what a terminal would obey', '**a\u001B[2Jb** \u001B[2J', '<bold a\\u{1b}[2Jb> \\u{1b}[2J'],
];

describe('Markdown at a terminal', () => {
  for (const [title, text, shown] of cases)
    it(`shows ${title}`, () => {
      assert.equal(styled([text]), shown);
      assert.equal(styled([...text]), shown, 'one character at a time');
      for (let at = 1; at < text.length; at++) assert.equal(styled([text.slice(0, at), text.slice(at)]), shown);
    });

  it('loses nothing but markers, in whatever pieces a text arrives', () => {
    const lettersOf = (text: string): string => text.replace(/[*`#~<> \n]/g, '');
    let seed = 1;
    const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
    for (let round = 0; round < 2000; round++) {
      const text = Array.from({ length: random(40) }, (_, at) => '*`#~ \nx'[random(7)]!.replace('x', String(at))).join(
        '',
      );
      const plain = new StyledMarkdown((_, words) => words);
      const cut = random(text.length + 1);
      const shown = plain.add(text.slice(0, cut)) + plain.add(text.slice(cut)) + plain.end();
      assert.equal(lettersOf(shown), lettersOf(text), JSON.stringify(text));
      assert.equal(shown.split('\n').length, text.split('\n').length, JSON.stringify(text));
      assert.equal(styled([...text]), styled([text]), JSON.stringify(text));
    }
  });

  it('shows plain text at once, and holds back only what may be styled', () => {
    const text = new StyledMarkdown((_, words) => words);
    assert.equal(text.add('Some words'), 'Some words');
    assert.equal(text.add(' and **mo'), ' and ');
    assert.equal(text.add('re**.'), 'more.');
    assert.equal(text.add(` \`${'x'.repeat(500)}`), ` \`${'x'.repeat(500)}`);
  });
});

describe('a reply that imitates lines of Waymark', () => {
  const shown = (...pieces: readonly string[]): string => {
    const text = replyTextFor({ isTTY: false });
    return pieces.map((piece) => text.add(piece)).join('') + text.end();
  };
  it('is marked, however it arrives', () => {
    for (const pieces of [['Ok.\n✓ Done\n  ▸ Run ls\n! Safe'], ['Ok.\n', '✓ Done', '\n ', ' ▸ Run ls\n', '! Safe']])
      assert.equal(shown(...pieces), 'Ok.\n│ ✓ Done\n  │ ▸ Run ls\n│ ! Safe');
    assert.equal(shown('● A task'), '│ ● A task');
  });
  it('is unchanged if it has these signs elsewhere', () => {
    for (const text of ['All tests pass ✓\n- ✓ one\n![a](b)', '1 ▸ 2', '']) assert.equal(shown(text), text);
    assert.equal(shown('a ', '✓ b'), 'a ✓ b');
  });
});
