import assert from 'node:assert/strict';
import { markdown } from '../../../webview-ui/markdown/blocks';
import { tokenCount } from '../../../src/protocol/plain/amounts';
import { spokenLine, withoutMarkup } from '../../../src/protocol/plain/withoutMarkup';

/** Returns the targets of a text's links, as "file" or "file:line". */
const linksIn = (source: string): string[] =>
  [...markdown.render(source).matchAll(/data-file="([^"]*)"(?: data-line="(\d+)")?/g)].map(([, file, line]) =>
    line === undefined ? file! : `${file}:${line}`,
  );

describe('extensions of Markdown in replies', () => {
  it('link file names with their lines, in text and in code', () => {
    assert.deepEqual(linksIn('The bug is in lib/x.js:27, see `src/add.ts:3:14` and `package.json`.'), [
      'lib/x.js:27',
      'src/add.ts:3',
      'package.json',
    ]);
    assert.deepEqual(linksIn('In **src/core/a-b.test.ts:10-20** and ./run.sh:4.'), [
      'src/core/a-b.test.ts:10',
      './run.sh:4',
    ]);
  });

  it('link nothing that only looks like a file, and nothing inside links', () => {
    assert.deepEqual(
      linksIn('e.g. version 1.2.3, and/or, Node.js, a@b.ts, https://example.org/a/b.js:3 and 10:30'),
      [],
    );
    assert.deepEqual(linksIn('[lib/x.js:27](https://example.org/)'), []);
    assert.deepEqual(linksIn('[`lib/x.js:27` and *src/a.ts:1*](https://example.org/) then lib/y.js:2'), ['lib/y.js:2']);
    assert.deepEqual(linksIn('<https://example.org/a/b.js> and a/b.js'), ['a/b.js']);
    assert.deepEqual(linksIn('lib/x.js:0 is no line'), ['lib/x.js'], 'lines count from 1');
    assert.deepEqual(linksIn('```\nlib/x.js:27\n```'), []);
  });

  it('escape linked text', () => {
    assert.doesNotMatch(markdown.render('`<img src=x onerror=a.js:1>`'), /<img/);
    assert.doesNotMatch(markdown.render('"><script>x/y.js:1'), /<script/);
  });

  it('draw the checkboxes of a task list with their state', () => {
    const html = markdown.render('- [x] Tests pass\n- [ ] Docs\n- [y] no box\n\n1. [X] numbered');
    assert.equal(html.match(/class="task-item"/g)?.length, 3);
    assert.equal(html.match(/aria-label="done"/g)?.length, 2);
    assert.equal(html.match(/aria-label="to do"/g)?.length, 1);
    assert.match(html, /\[y\] no box/);
    assert.doesNotMatch(html, /\[x\]/i);
  });
});

describe('a list item', () => {
  it('is shown without Markdown syntax', () => {
    assert.equal(withoutMarkup('## **Done:** the `add` of [x](https://example.org/)'), 'Done: the `add` of x');
    assert.equal(withoutMarkup('- 2 ** 3 and a_b_c'), '2 ** 3 and a_b_c');
    assert.equal(spokenLine('## Done\n\n- the **`add`**\n- of [x](https://e.org/)', 300), 'Done the add of x');
    assert.equal(spokenLine('a'.repeat(50), 10), 'aaaaaaaaa…');
  });
});

describe('a token count', () => {
  it('is shortened in the same way everywhere', () => {
    assert.deepEqual([950, 12_340, 9_949, 999_600, 3_419_000].map(tokenCount), ['950', '12k', '9.9k', '1.0M', '3.4M']);
  });
});
