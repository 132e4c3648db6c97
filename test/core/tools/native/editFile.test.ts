import assert from 'node:assert/strict';
import fc from 'fast-check';
import { editFile } from '../../../../src/core/tools/native/editFile';
import { readFile } from '../../../../src/core/tools/native/readFile';
import { writeFile } from '../../../../src/core/tools/native/writeFile';
import { secrets } from '../../../../src/core/secrets/secrets';
import { toolBench, type ToolBench } from '../../../support/toolBench';

describe('edit_file', () => {
  let bench: ToolBench;
  beforeEach(() => {
    bench = toolBench();
  });
  afterEach(() => bench.stop());
  const edit = (path: string, ...edits: readonly (readonly [string, string, boolean?])[]) =>
    bench.use(editFile, {
      path,
      edits: edits.map(([old_text, new_text, all]) => ({ old_text, new_text, ...(all !== undefined && { all }) })),
    });
  const fails = async (result: ReturnType<typeof edit>, says: RegExp): Promise<void> => {
    const { failed, content } = await result;
    assert.equal(failed, true, content);
    assert.match(content, says);
  };

  it('replaces exact text and says where in a few words', async () => {
    bench.place('src/a.ts', 'one\ntwo\nthree\n');
    await bench.use(readFile, { path: 'src/a.ts' });
    const { content, details } = await edit('src/a.ts', ['two', '2']);
    assert.equal(bench.text('src/a.ts'), 'one\n2\nthree\n');
    assert.equal(content, 'Edited src/a.ts: +1 −1 (lines 2-2)');
    assert.ok(details?.kind === 'edit');
    assert.deepEqual(details.changes[0]!.hunks, [
      { oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [' one', '-two', '+2', ' three'] },
    ]);
  });

  it('shows no part of a secret where it cuts a long line', async () => {
    const secret = 'Vk81pZr30LmQ77xTnw5C';
    secrets.learn(secret);
    bench.place('a.json', `  "name": ${'x '.repeat(140)}${secret} ${'y '.repeat(60)}\n`);
    const line = (space: string, name: string): string => `"name":${space}${name} ${'y '.repeat(60)}`;
    const quoted = line('   ', `${'x '.repeat(140)}${secret}`);
    const missed = await edit('a.json', [quoted, '']);
    await bench.use(readFile, { path: 'a.json' });
    const found = await edit('a.json', [quoted, `${quoted}1`]);
    assert.match(missed.content, /only white space differs/);
    assert.match(found.content, /white space differ/);
    for (const { content } of [missed, found]) assert.doesNotMatch(content, /Vk81/);
  });

  it('may be called with one edit beside the path, and with edits as JSON text', async () => {
    bench.place('a', 'one');
    await bench.use(editFile, { path: 'a', old_text: 'one', new_text: 'two' });
    await bench.use(editFile, { path: 'a', edits: '[{"old_text":"two","new_text":"three"}]' });
    assert.equal(bench.text('a'), 'three');
    assert.throws(() => editFile.bind({ path: 'a' }), /edits/);
    assert.throws(() => editFile.bind({ path: 'a', edits: [] }), /edits/);
    assert.throws(() => editFile.bind('nonsense'), /Invalid input/);
  });

  it('takes special replacement patterns literally', async () => {
    bench.place('a', 'x + y');
    await edit('a', ['x', '$& $1 $$']);
    assert.equal(bench.text('a'), '$& $1 $$ + y');
  });

  it('changes nothing when one of several edits misses', async () => {
    bench.place('a', 'one\ntwo\n');
    await fails(edit('a', ['one', '1'], ['three', '3']), /not changed\. Edit 2 of 2/);
    assert.equal(bench.text('a'), 'one\ntwo\n');
  });

  it('names the lines of the file if one of several edits fails, not those of the text after the edits before it', async () => {
    bench.place('a', 'one\ntwo\nthree\ntwo\nlast\n');
    await bench.use(readFile, { path: 'a' });
    const addsLines: [string, string] = ['one', 'one\nmore\nmore'];
    await fails(edit('a', addsLines, ['two', '2']), /Edit 2 of 2: old_text occurs 2 times, at lines 2, 4\./);
    await fails(
      edit('a', addsLines, ['more', 'most']),
      /Edit 2 of 2, with lines numbered as after edit 1: old_text occurs 2 times, at lines 2, 3\./,
    );
    await fails(
      edit('a', addsLines, ['last', 'the\nlast'], ['lost', 'x']),
      /Edit 3 of 3, with lines numbered as after edits 1 to 2: old_text was not found/,
    );
  });

  it('changes a file that was never read only where the quoted text is there once', async () => {
    bench.place('a', 'one one\n');
    await fails(edit('a', ['one', '1', true]), /Read the file before/);
    await fails(edit('a', ['one', '1']), /2 times, at lines 1, 1/);
    await bench.use(readFile, { path: 'a' });
    assert.equal((await edit('a', ['one', '1', true])).failed, undefined);
    assert.equal(bench.text('a'), '1 1\n');
  });

  it('edits a file that changed since it was read only where the quoted text is there once', async () => {
    bench.place('a', 'one\ntwo  two\n');
    await bench.use(readFile, { path: 'a' });
    bench.place('a', 'one\ntwo  two\nmore\n');
    const other = /It also has other changes since it was last read or written here\./;
    await fails(edit('a', ['two two', '2']), /old_text was not found/);
    await fails(edit('a', ['two two', '2']), other);
    await fails(edit('a', ['two', '2', true]), /Read the file before/);
    assert.match((await edit('a', ['one', '1'])).content, other);
    assert.equal(bench.text('a'), '1\ntwo  two\nmore\n');
    await edit('a', ['more', 'most']);
    await fails(bench.use(writeFile, { path: 'a', content: 'all\n' }), /was not read yet, so it was not replaced/);
    await bench.use(readFile, { path: 'a' });
    await edit('a', ['two two', '2']);
    assert.doesNotMatch((await edit('a', ['most', 'less'])).content, other, 'its own edit is no change by others');
    assert.equal(bench.text('a'), '1\n2\nless\n');
  });

  it('says at which lines a text stands that is there several times', async () => {
    bench.place('a', 'x = 1\ny = 2\nx = 1\n');
    await fails(edit('a', ['x = 1', 'x = 2']), /2 times, at lines 1, 3\..*set all/);
  });

  it('refuses edits that do nothing or quote nothing', async () => {
    bench.place('a', 'one');
    await fails(edit('a', ['one', 'one']), /are the same/);
    await fails(edit('a', ['', 'one']), /old_text is empty/);
    await fails(edit('a', ['one', 'two'], ['two', 'one']), /The edits cancel each other out/);
  });

  it('fills an empty file', async () => {
    bench.place('a', '');
    await edit('a', ['', 'text\n']);
    assert.equal(bench.text('a'), 'text\n');
  });

  it('creates a missing file if it replaces nothing', async () => {
    assert.match((await edit('src/new', ['', 'text\n'])).content, /^Wrote src\/new: created, 1 line/);
    assert.equal(bench.text('src/new'), 'text\n');
    await assert.rejects(edit('other', ['one', '1']), /There is no file other/);
    await assert.rejects(edit('other', ['', '1'], ['1', '2']), /There is no file other/);
  });

  it('finds text in a file with CRLF line ends and keeps them', async () => {
    bench.place('a', 'one\r\ntwo\r\nthree\r\n');
    await edit('a', ['one\ntwo', '1\n2']);
    await edit('a', ['2\r\nthree', '2\r\n3']);
    assert.equal(bench.text('a'), '1\r\n2\r\n3\r\n');
  });

  it('says what its call will do and touch', () => {
    const call = editFile.bind({ path: 'src/a.ts', edits: [{ old_text: 'a', new_text: 'b' }] });
    assert.deepEqual([call.summary, call.touches.writes, call.allowKey], ['Edit src/a.ts', ['src/a.ts'], 'src/a.ts']);
  });

  it('applies all edits or none, whatever they are', async () => {
    const word = fc.stringMatching(/^[ab\n]{1,4}$/);
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[ab\n]{0,30}$/),
        fc.array(fc.tuple(word, word, fc.boolean()), { minLength: 1, maxLength: 4 }),
        async (before, edits) => {
          bench.place('p', before);
          await bench.use(readFile, { path: 'p' });
          const { failed } = await edit('p', ...edits);
          let expected: string | undefined = before;
          for (const [from, to, all] of edits) {
            const pieces: string[] | undefined = expected?.split(from);
            // Without `all`, overlapping matches ("aa" in "aaa") count as several, because the intended one is
            // ambiguous.
            const isOnly: boolean = expected?.indexOf(from) === expected?.lastIndexOf(from);
            expected =
              pieces === undefined || from === to || pieces.length < 2 || (!isOnly && !all)
                ? undefined
                : pieces.join(to);
          }
          // Without an exact match, a single similar one may be used: the tests of the strategies cover that.
          if (failed || expected !== undefined) assert.equal(bench.text('p'), failed ? before : expected);
          if (expected !== undefined && expected !== before) assert.equal(failed, undefined);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a miss of edit_file', () => {
  let bench: ToolBench;
  beforeEach(() => {
    bench = toolBench();
  });
  afterEach(() => bench.stop());
  const file =
    'import x from "x";\n\nfunction total(list) {\n\tlet sum = 0;\n\tfor (const item of list) sum += item.price;\n\treturn sum;\n}\n';
  const cases: readonly (readonly [string, string, RegExp])[] = [
    [
      'another indentation',
      'function total(list) {\n  let sum = 0;',
      /only the indentation differs \(the file indents with tabs\).*\n {4}3\tfunction total/,
    ],
    [
      'white space at line ends',
      'let sum = 0;  \n\tfor (const item of list)',
      /only white space at line ends differs.*\n {4}4\t\tlet sum/,
    ],
    ['white space within lines', 'return  sum;', /only white space differs.*\n {4}6\t/],
    ['other quotes', "import x from 'x';", /only quotes.*\n {4}1\timport/],
    ['other letters', 'function Total(List) {', /only upper and lower case differ.*\n {4}3\t/],
    ['line numbers', '    4\tlet sum = 0;\n    5\tfor', /contains the line numbers of read_file/],
    [
      'a few other words',
      'for (const entry of list) sum += entry.cost;',
      /The closest place is:\n {4}5\t\tfor \(const item/,
    ],
    ['nothing like it', 'class Unrelated extends Nothing {}', /nothing in the file is similar/],
  ];
  for (const [what, quoted, says] of cases) {
    it(`explains ${what}`, async () => {
      bench.place('a.js', file);
      const { failed, content } = await bench.use(editFile, {
        path: 'a.js',
        edits: [{ old_text: quoted, new_text: 'y' }],
      });
      assert.equal(failed, true);
      assert.match(content, says);
      assert.equal(bench.text('a.js'), file);
    });
  }

  it('is explained in bounded time for a long file and a long text', async () => {
    bench.place(
      'a.js',
      Array.from({ length: 40_000 }, (_, at) => `const value_${at % 97} = compute(${at}, "some words here");`).join(
        '\n',
      ),
    );
    const quoted = Array.from(
      { length: 400 },
      (_, at) => `const other_${at % 89} = compute(${at}, "some words there");`,
    ).join('\n');
    const { failed } = await bench.use(editFile, { path: 'a.js', edits: [{ old_text: quoted, new_text: 'y' }] });
    assert.equal(failed, true);
  });
});
