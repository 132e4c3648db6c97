import assert from 'node:assert/strict';
import { replaceMatching } from '../../../../src/core/tools/matching/replaceMatching';

const replace = (text: string, old_text: string, new_text: string, { all = false }: { readonly all?: boolean } = {}) =>
  replaceMatching(text, { old_text, new_text, all });

describe('replacing a text that may not stand there letter by letter', () => {
  it('replaces the exact text and says nothing more', async () => {
    assert.deepEqual(await replace('a b c', 'b', '$& \\n'), { text: 'a $& \\n c' });
    assert.deepEqual(await replace('x x x', 'x', 'y', { all: true }), { text: 'y y y' });
  });

  it('prefers the exact place to a like one', async () => {
    assert.deepEqual(await replace('  foo()\nfoo()', '  foo()', 'bar()'), { text: 'bar()\nfoo()' });
  });

  it('says how what it replaced differs, and keeps the indentation of the file', async () => {
    assert.deepEqual(
      await replace(
        'class A {\n\trun() {\n\t\tgo();\n\t}\n}\n',
        'run() {\n    go();\n}',
        'run() {\n    stop();\n    go();\n}',
      ),
      {
        text: 'class A {\n\trun() {\n\t\tstop();\n\t\tgo();\n\t}\n}\n',
        matched: {
          strategy: 'line-trimmed',
          differs: 'only white space at the beginning or end of lines differs',
          found: '\trun() {\n\t\tgo();\n\t}',
          now: '\trun() {\n\t\tstop();\n\t\tgo();\n\t}',
          line: 2,
        },
      },
    );
  });

  it('unescapes the new text together with the old', async () => {
    const result = await replace('f("a");\ng();\n', 'f(\\"a\\");\\ng();', 'f(\\"b\\");\\ng();');
    assert.ok('text' in result);
    assert.equal(result.text, 'f("b");\ng();\n');
  });

  it('refuses what fits several places, exactly or nearly', async () => {
    assert.deepEqual(await replace('x\ny\nx', 'x', 'z'), {
      refused:
        'The text occurs 2 times, at lines 1, 3. Quote more of the lines around the one you mean, or replace all.',
    });
    const near = await replace(' a\nb\n\n  a\nb', 'a \nb', 'z');
    assert.ok('refused' in near && /does not match exactly, and fits 2 times, at lines 1, 4/.test(near.refused));
  });

  it('replaces all like places where they are equal but for white space, and never several likenesses', async () => {
    assert.deepEqual(await replace(' a\nb\n\n  a\nb', 'a \nb', 'z', { all: true }), {
      text: ' z\n\n  z',
      matched: {
        strategy: 'line-trimmed',
        differs: 'only white space at the beginning or end of lines differs',
        found: ' a\nb',
        now: ' z',
        line: 1,
      },
    });
    const block = (word: string) => `begin();\nconst ${word} = value(1);\nend();\n`;
    const twice = await replace(block('ones') + block('twos'), block('onos'), 'x', { all: true });
    assert.ok('refused' in twice && !twice.refused.includes('replace all'));
  });

  it('misses what is not there at all', async () => {
    assert.deepEqual(await replace('a', 'something else', 'b'), { missed: 'something else' });
  });

  it('refuses nothing to replace, and nothing new', async () => {
    for (const [old, fresh] of [
      ['', 'b'],
      ['a', 'a'],
      ['a\r\n', 'a\n'],
    ] as const)
      assert.ok('refused' in (await replace('a', old, fresh)));
    assert.deepEqual(await replace('', '', 'first'), { text: 'first' });
  });
});
