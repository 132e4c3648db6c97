import assert from 'node:assert/strict';
import { markdown } from '../../../webview-ui/markdown/blocks';

const texts = (html: string, from: RegExp): string[] =>
  [...html.matchAll(from)].map(([, written = '']) =>
    written.replace(/&(lt|gt|quot|amp);/g, (_, name: string) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name]!),
  );
/** Returns the rendered formulas of a text, display formulas last. */
const formulas = (source: string): string[] => {
  const html = markdown.render(source);
  return [
    ...texts(html, /<span class="math">([^<]*)<\/span>/g),
    ...texts(html, /<code data-language="math">([^<]*)<\/code>/g),
  ];
};

/**
 * Published rules of Markdown dialects: Pandoc's `tex_math_dollars` and `tex_math_single_backslash`, the extension "TeX
 * Math" of commonmark-hs, and GitHub's page on mathematical expressions. Each text comes with the formulas it contains.
 */
const published: readonly (readonly [rule: string, source: string, ...formulas: string[]])[] = [
  ['one dollar within words', 'Let $x$ and $y$ be integers such that\n$$x=y + 2$$ holds.', '$x$', '$y$', '$$x=y + 2$$'],
  ['no space behind the first dollar and before the last', 'Not: 2000$.\nAnd neither is this $ 4 $.'],
  ['no digit behind the last dollar', 'He paid $20,000 and she $30,000.'],
  ['space around display formulas', 'This is display math:\n$$\ne=mc^2\n$$', '$$\ne=mc^2\n$$'],
  ['no blank line in a display formula', '$$\na\n\nb\n$$'],
  ['dollars in braces', 'Inline: $\\text{Hello $x$ there!}$', '$\\text{Hello $x$ there!}$'],
  ['dollars in braces of a display formula', '$$\n\\text{Hello $x^2$}\n$$', '$$\n\\text{Hello $x^2$}\n$$'],
  ['escaped dollars delimit nothing', 'The cost is between \\$10 and 30$.'],
  ['escaped dollars within a formula', '$\\text{\\$}$', '$\\text{\\$}$'],
  ['HTML within a formula', '$b<a>c$', '$b<a>c$'],
  ['a formula beside signs', 'Math inline: $\\sqrt{3x-1}+(1+x)^2$.', '$\\sqrt{3x-1}+(1+x)^2$'],
  ['dollars with a code sign', 'Math inline: $`\\sqrt{3x+1}+(1+x)^2`$', '$`\\sqrt{3x+1}+(1+x)^2`$'],
  ['round brackets', 'so \\(x_i*y_i*z\\) holds', '\\(x_i*y_i*z\\)'],
  ['square brackets', 'so \\[a*b*c\\] holds', '\\[a*b*c\\]'],
  ['square brackets over lines', '\\[\na_1 \\\\\n+ b_2\n\\]', '\\[\na_1 \\\\\n+ b_2\n\\]'],
  ['code goes before formulas', '`$x$` and ``\\(y\\)``\n\n```\n$$\nz\n$$\n```'],
];

/** Typical model output that Markdown would break or that only looks like a formula. */
const written: typeof published = [
  ['emphasis', '$a_1 * b_2 * c_3$ and **bold $x_{i}*2$**', '$a_1 * b_2 * c_3$', '$x_{i}*2$'],
  ['a link', '$[a](b)$ and $f[x](y_1)$', '$[a](b)$', '$f[x](y_1)$'],
  ['an entity', '$a &lt; b$', '$a &lt; b$'],
  ['an address', '$https://example.org/a_b$', '$https://example.org/a_b$'],
  ['words behind it', 'the $n$th of $k$s, 设$x$为整数', '$n$', '$k$', '$x$'],
  [
    'lines that begin like lists, quotes and headings',
    '$$\n- a\n> b\n# c\n=\n1. d\n$$',
    '$$\n- a\n> b\n# c\n=\n1. d\n$$',
  ],
  ['right behind a paragraph, and before one', 'So\n$$\n+ a_1\n$$\nis less.', '$$\n+ a_1\n$$'],
  ['on one line', '$$ \\frac{a_1}{b_1} $$', '$$ \\frac{a_1}{b_1} $$'],
  ['opened and closed beside its words', '$$x = a\n+ b$$', '$$x = a\n+ b$$'],
  ['in an item', '- so\n  $$\n  a_b\n  $$\n- $c_d$', '$c_d$', '$$\na_b\n$$'],
  ['in a quote', '> \\[\n> a_b\n> \\]', '\\[\na_b\n\\]'],
  ['in a cell', '| a | b |\n|---|---|\n| $x_1*2$ | $y_1*2$ |', '$x_1*2$', '$y_1*2$'],
  ['money', 'It costs $5 and $10, or *more*.'],
  ['money, the sign behind', 'From $5 and up to 10$ in all; $3, say, or 4$.'],
  ['money with thousands', '$1,200 (net) or 5$'],
  ['money of other countries', 'US$5 or CA$6'],
  ['money of one amount', 'a $5/month plan'],
  ['variables of a shell', 'Add $HOME/bin:$PATH, ${HOME}/a:${PATH} and $_GET and $_POST.'],
  ['escaped brackets of a link', '\\[no link\\](https://example.org/)'],
  ['escaped backslashes', 'C:\\\\(x86\\\\) and \\\\[a\\\\]'],
  ['nothing within', '$$$$ and $$ and \\(\\) and \\[\\]'],
];

describe('formulas', () => {
  for (const [rule, source, ...expected] of published)
    it(`follow published examples: ${rule}`, () => assert.deepEqual(formulas(source), expected));
  for (const [rule, source, ...expected] of written)
    it(`stay unchanged: ${rule}`, () => assert.deepEqual(formulas(source), expected));

  it('leave the surrounding text to Markdown', () => {
    const html = markdown.render('*so* $a*b$ *holds* and costs $5 and *maybe* $10');
    assert.equal(html.match(/<em>/g)?.length, 3);
  });
  it('on separate lines have a copy button', () => {
    assert.match(markdown.render('$$\na\n$$'), /<button[^>]* data-copy[^]*<code data-language="math">/);
  });
});
