import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MarkupProblem, readElement, readElements } from '../../../src/core/text/elements';

const holds = (name: string, parent: string): boolean => parent !== 'Args' && ['Root', 'Args'].includes(name);
const argumentsIn = (inner: string): Record<string, string> =>
  Object.fromEntries(
    readElement(`<Root><Args>${inner}</Args></Root>`, 0, holds).children[0]!.children.map(({ name, text }) => [
      name,
      text,
    ]),
  );

describe('text between tags', () => {
  for (const [what, inner, text] of [
    ['keeps what looks like the beginning of a tag', '<a>a < b && c <d</a>', 'a < b && c <d'],
    ['keeps whole pages', '<a><p class="x">&lt;</p><br/></a>', '<p class="x">&lt;</p><br/>'],
    ['keeps its own tag where it is opened and closed inside', '<a>x<a>y</a>z</a>', 'x<a>y</a>z'],
    ['keeps its own closing tag where the text goes on', "<a>echo '</a>' again</a>", "echo '</a>' again"],
    ['keeps its own opening tag where it is not closed', "<a>echo '<a>'</a>", "echo '<a>'"],
    ['keeps its white space', '<a>  x \n y\t</a>', '  x \n y\t'],
    ['may be set apart from its tags', '<a>\n  x\n</a>', 'x'],
    ['keeps the last line break of several lines', '<a>\n  x\n  y\n  </a>', '  x\n  y\n'],
    [
      'is unescaped where all of it is escaped',
      '<a>a &lt; b &amp;&amp; c &#65;&#x42; &quot;&apos;</a>',
      'a < b && c AB "\'',
    ],
    ['is not unescaped where a part is not escaped', '<a>a && "&lt;"</a>', 'a && "&lt;"'],
    ['keeps entities that are none', '<a>&nbsp; &#x110000; &x</a>', '&nbsp; &#x110000; &x'],
    ['may be CDATA', '<a><![CDATA[\n</a></Args>&lt;]]></a>', '\n</a></Args>&lt;'],
    ['may be several pieces of CDATA', '<a>\n<![CDATA[x]]]]><![CDATA[>y]]>\n</a>', 'x]]>y'],
    ['may be empty', '<a></a>', ''],
    ['may have attributes in its tag', '<a type="string" >x</a >', 'x'],
  ] as const) {
    it(what, () => assert.deepEqual(argumentsIn(`<z/>${inner}\n<b>2</b>`), { z: '', a: text, b: '2' }));
  }

  it('ends where its parent ends', () => assert.deepEqual(argumentsIn('<b>2</b><a>x</a>\n'), { a: 'x', b: '2' }));
});

describe('elements', () => {
  it('may have comments and words between them', () => {
    assert.deepEqual(
      readElements('one <a>1</a> <!-- <b>no</b> --> and < <b>2</b> <?pi?> <![CDATA[<c>]]>', holds).map(
        ({ name, text }) => name + text,
      ),
      ['a1', 'b2'],
    );
  });

  it('may lack only the end of the outermost', () => {
    assert.equal(readElement('<Root><Args><a>1</a></Args>', 0, holds).children[0]!.children[0]!.text, '1');
  });

  for (const [what, text, says, at] of [
    ['a string is not closed', '<Root><Args><a>1</Args></Root>', /<a> is not closed/, 12],
    ['an element is not closed', '<Root><Args><a>1</a>', /<Args> is not closed/, 12],
    ['an end has no beginning', '<Root><Args></b></Args></Root>', /<\/b> closes an element that is not open/, 12],
    ['a comment is not closed', '<Root><!-- x</Root>', /no -->/, 6],
    ['they are nested without end', '<Root>'.repeat(100), /nested too deeply/, 120],
  ] as const) {
    it(`are refused where ${what}`, () =>
      assert.throws(
        () => readElement(text, 0, holds),
        (thrown: unknown) => thrown instanceof MarkupProblem && says.test(thrown.message) && thrown.at === at,
      ));
  }

  it('give back every text that is written as CDATA', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom('<a>', '</a>', ']]>', '<![CDATA[', '</Args>', '&lt;', '\n'))),
        (pieces) => {
          const text = pieces.join('');
          assert.deepEqual(argumentsIn(`<a><![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]></a>`), { a: text });
        },
      ),
      { numRuns: 500 },
    );
  });

  it('give back every text that is escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = text.replace(/[&<>"'\n\r]/g, (sign) => `&#${sign.charCodeAt(0)};`);
        assert.deepEqual(argumentsIn(`<a>${escaped}</a>`), { a: text });
      }),
      { numRuns: 500 },
    );
  });

  it('give back code that was not escaped', () => {
    const code = fc
      .array(
        fc.constantFrom(
          'a < b',
          ' && ',
          '<div class="x">',
          '</div>',
          '<br/>',
          'if (x<y) ',
          '"',
          '&',
          '\n  ',
          '<<EOF',
          '<b',
          'é',
          '</',
        ),
        { maxLength: 15 },
      )
      .map((pieces) => `x${pieces.join('')}<x`);
    fc.assert(
      fc.property(code, (text) =>
        assert.deepEqual(argumentsIn(`<command>${text}</command><b>2</b>`), { command: text, b: '2' }),
      ),
      { numRuns: 1000 },
    );
  });

  it('are read or refused, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '<Root>',
            '</Root>',
            '<Args>',
            '</Args>',
            '<a>',
            '</a>',
            '<a ',
            '>',
            '/>',
            '<',
            '&',
            ';',
            'x',
            ' ',
            '<!--',
            '-->',
            '<![CDATA[',
            ']]>',
            '<?',
          ),
          { maxLength: 30 },
        ),
        (pieces) => {
          try {
            readElement(`<Root>${pieces.join('')}`, 0, holds);
            readElements(pieces.join(''), holds);
          } catch (thrown) {
            assert.ok(thrown instanceof MarkupProblem, String(thrown));
          }
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('are read in time that grows with their length', () => {
    const text = `<Root>${'<Args><a>x < y</a></Args>'.repeat(20_000)}</Root>`;
    assert.equal(readElement(text, 0, holds).children.length, 20_000);
    assert.throws(() => readElement(`<Root>${'<a>'.repeat(20_000)}`, 0, holds), MarkupProblem);
    assert.throws(() => readElement(`<Root><Args><a>${'<![CDATA['.repeat(20_000)}`, 0, holds), MarkupProblem);
  }).timeout(20_000);
});
