import assert from 'node:assert/strict';
import { blockAnchor, contextAware } from '../../../../src/core/tools/matching/likeness';
import {
  exact,
  lineTrimmed,
  whitespaceNormalised,
  indentationFlexible,
  escapeNormalised,
  trimmedBoundary,
  unicodeNormalised,
} from '../../../../src/core/tools/matching/normalisedText';
import { strategies } from '../../../../src/core/tools/matching/replaceMatching';
import { reindented, type Strategy } from '../../../../src/core/tools/matching/strategy';

/** Returns the texts that a strategy matches. */
const finds = async ({ places }: Strategy, text: string, part: string): Promise<string[]> =>
  (await places(text, part)).map(({ start, end }) => text.slice(start, end));

/** A strategy, what it matches in a text, and a similar text that it must not match. */
const cases: readonly (readonly [Strategy, string, string, string[], string])[] = [
  [exact, 'one two one', 'one', ['one', 'one'], 'One'],
  [
    lineTrimmed,
    'a\n\tif (x) {  \n\t\ty();\n\t}\nb',
    'if (x) {\n  y();\n}',
    ['\tif (x) {  \n\t\ty();\n\t}'],
    'if (x)  {\n  y();\n}',
  ],
  [lineTrimmed, 'a\n  b\nc\n', 'b \n', ['  b\n'], 'b c'],
  [whitespaceNormalised, 'f( a,\t  b );  \nend', 'f( a, b );\nend', ['f( a,\t  b );  \nend'], 'f(a, b);\nend'],
  [whitespaceNormalised, 'x   = 1', 'x = 1', ['x   = 1'], 'x=1'],
  [
    indentationFlexible,
    'top\n    call( a,  b )\n  next\n',
    'call( a, b )\nnext',
    ['    call( a,  b )\n  next'],
    'call(a, b)\nnext',
  ],
  [escapeNormalised, 'a = "x";\n\tb();', 'a = \\"x\\";\\n\\tb();', ['a = "x";\n\tb();'], 'a = "x";\n\tc();'],
  [
    trimmedBoundary,
    'a\n  first\n    middle\n  last\nb',
    '\nfirst\n    middle\nlast\n\n',
    ['  first\n    middle\n  last'],
    'first\nmiddle\nlast',
  ],
  [
    unicodeNormalised,
    'say(\u201cit\u2019s \u2013 fine\u2026\u201d)\u00a0now',
    'say("it\'s - fine...") now',
    ['say(\u201cit\u2019s \u2013 fine\u2026\u201d)\u00a0now'],
    'say("its - fine...") now',
  ],
  [unicodeNormalised, 'zero\u200bwidth', 'zerowidth', ['zero\u200bwidth'], 'zero width'],
  [
    blockAnchor,
    'x\nfunction a() {\n  const total = sum(list);\n  return total;\n}\ny',
    'function a() {\n  const totals = sum(lists);\n  return totals;\n}',
    ['function a() {\n  const total = sum(list);\n  return total;\n}'],
    'function a() {\n  throw new Error("not yet");\n  // nothing\n}',
  ],
  [
    contextAware,
    'const value = compute(1);\ntwo();\nthree();\nfour();',
    'const value = computed(1);\ntwo();\nthree();\nfour();',
    ['const value = compute(1);\ntwo();\nthree();\nfour();'],
    'two();\nentirely different line\nanother of these\nfour();',
  ],
];

describe('the matching strategies', () => {
  it('are nine, in the order of how much they forgive', () => {
    assert.deepEqual(
      strategies.map(({ name }) => name),
      [
        'exact',
        'line-trimmed',
        'whitespace-normalised',
        'indentation-flexible',
        'escape-normalised',
        'trimmed-boundary',
        'unicode-normalised',
        'block-anchor',
        'context-aware',
      ],
    );
  });

  for (const [strategy, text, part, expected, other] of cases) {
    it(`${strategy.name} finds ${JSON.stringify(part)} and no more`, async () => {
      assert.deepEqual(await finds(strategy, text, part), expected);
      assert.deepEqual(await finds(strategy, text, other), []);
    });
  }

  it('are each the first to find something that none before finds', async () => {
    for (const [index, strategy] of strategies.entries()) {
      const own = cases.filter(([of]) => of === strategy);
      const reached = await Promise.all(
        own.map(async ([, text, part]) =>
          (await Promise.all(strategies.slice(0, index).map((before) => finds(before, text, part)))).every(
            (found) => found.length === 0,
          ),
        ),
      );
      assert.ok(reached.includes(true), `${strategy.name} is never reached`);
    }
  });

  it('find every place, and none in white space alone', async () => {
    assert.deepEqual(await finds(lineTrimmed, ' a\nb\n  a\nb', 'a\nb'), [' a\nb', '  a\nb']);
    for (const strategy of strategies.slice(1))
      assert.deepEqual(await finds(strategy, 'a\n\n\nb  c', '  \n '), [], strategy.name);
  });

  it('take the end of the text as the end of a line', async () => {
    for (const part of ['b', 'b\n']) assert.deepEqual(await finds(lineTrimmed, 'a\n b', part), [' b']);
  });

  it('stay quick on long texts', async () => {
    const text = Array.from(
      { length: 20_000 },
      (_, at) => `  const value_${at} = compute(${at % 7}); // ${'x'.repeat(at % 40)}`,
    ).join('\n');
    const part = Array.from({ length: 60 }, (_, at) => `const other_${at} = computed(${at % 5});`).join('\n');
    for (const strategy of strategies) assert.deepEqual(await finds(strategy, text, part), []);
  });
});

describe('a new text', () => {
  it('is indented like the place it goes to', () => {
    assert.equal(
      reindented('if (x) {\n  y();\n  z();\n}', '\tif (x) {\n\t\ty();\n\t}', 'if (x) {\n  y();\n}'),
      '\tif (x) {\n\t\ty();\n\t\tz();\n\t}',
    );
    assert.equal(reindented('  a\n\n      deeper\nb', '    a\n      b', '  a\n    b'), '    a\n\n        deeper\nb');
  });

  it('stays as it is where the quoted one is indented as the file', () => {
    assert.equal(reindented('  a\n\tb\nc', '  x\n\ty', '  x\n\ty'), '  a\n\tb\nc');
  });
});
