import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Tool } from '../../../../src/core/ports/tool';
import { patch } from '../../../../src/core/tools/hermes/patch';
import { editFile } from '../../../../src/core/tools/native/editFile';
import { readFile } from '../../../../src/core/tools/native/readFile';
import { toolBench } from '../../../support/toolBench';

/**
 * Written only from the list of nine strategies, which names them in order without further details. `quoted` differs
 * from the file only as the name says. `after` is the file if the replacement is made.
 */
interface Scenario {
  readonly strategy: string;
  readonly file: string;
  readonly quoted: string;
  readonly replacement: string;
  readonly after: string;
  /** What the model is shown: the new lines, or the replaced ones if they said something else than the quoted ones. */
  readonly shown: string;
}

const scenarios: readonly Scenario[] = [
  {
    strategy: 'line-trimmed',
    file: 'def f():\n    return 1   \n\ndef g():\n    return 2\n',
    quoted: 'def f():\n    return 1\n\ndef g():',
    replacement: 'def f():\n    return 3\n\ndef g():',
    after: 'def f():\n    return 3\n\ndef g():\n    return 2\n',
    shown: '    1\tdef f():\n    2\t    return 3',
  },
  {
    strategy: 'whitespace-normalised',
    file: 'const total  =  price *   count;\n',
    quoted: 'const total = price * count;',
    replacement: 'const total = 0;',
    after: 'const total = 0;\n',
    shown: '    1\tconst total = 0;',
  },
  {
    strategy: 'indentation-flexible',
    file: 'def f():\n    first  =  1\n    second = 2\n',
    quoted: 'first = 1\nsecond = 2\n',
    replacement: 'first = 3\n',
    after: 'def f():\n    first = 3\n',
    shown: '    2\t    first = 3',
  },
  {
    strategy: 'escape-normalised',
    file: 'print("a")\nprint("b")\n',
    quoted: 'print(\\"a\\")\\nprint(\\"b\\")',
    replacement: 'print(\\"c\\")',
    after: 'print("c")\n',
    shown: '    1\tprint("c")',
  },
  {
    strategy: 'unicode-normalised',
    file: 'say(\u201chello\u201d)\u2014now\n',
    quoted: 'say("hello")-now',
    replacement: 'say("bye")',
    after: 'say("bye")\n',
    shown: '    1\tsay("bye")',
  },
  {
    strategy: 'block-anchor',
    file: 'function f() {\n  const first = compute(1);\n  return first;\n}\nlast();\n',
    quoted: 'function f() {\n  const first = compute(one);\n  return it;\n}\nlast();',
    replacement: 'function f() {}\nlast();',
    after: 'function f() {}\nlast();\n',
    shown: '  const first = compute(1);',
  },
  {
    strategy: 'context-aware',
    file: 'open();\nread(buffer, size);\ncheck(buffer);\nclose();\nend(status);\n',
    quoted: 'opens();\nread(buffer, size);\ncheck(buffer);\nclose();\nend(state);',
    replacement: 'all();',
    after: 'all();\n',
    shown: 'end(status);',
  },
];

const tools: readonly (readonly [string, Tool, (quoted: string, replacement: string) => object])[] = [
  ['edit_file', editFile, (old_text, new_text) => ({ path: 'a.txt', edits: [{ old_text, new_text }] })],
  ['patch', patch, (old_string, new_string) => ({ path: 'a.txt', old_string, new_string })],
];

for (const [name, tool, input] of tools)
  describe(`${name}, by the list of nine strategies`, () => {
    const used = async (file: string, quoted: string, replacement: string, isRead = true) => {
      const bench = toolBench();
      try {
        bench.place('a.txt', file);
        if (isRead) await bench.use(readFile, { path: 'a.txt' });
        const result = await bench.use(tool, input(quoted, replacement));
        return { ...result, text: bench.text('a.txt') };
      } finally {
        bench.stop();
      }
    };

    for (const { strategy, file, quoted, replacement, after, shown } of scenarios) {
      it(`${strategy} finds it, says so, and shows what the model has to know`, async () => {
        const { text, content, failed } = await used(file, quoted, replacement);
        assert.equal(failed, undefined, content);
        assert.equal(text, after);
        assert.ok(content.includes(`matched as ${strategy}`), content);
        assert.ok(content.includes(shown), content);
      });

      it(`${strategy} changes nothing where it fits two places`, async () => {
        const twice = `${file}${file}`;
        const { text, failed, content } = await used(twice, quoted, replacement);
        assert.equal(failed, true, content);
        assert.match(content, /2 times/);
        assert.equal(text, twice);
      });
    }

    it('an exact place is taken, and nothing is said of strategies', async () => {
      const { text, content } = await used('a = 1\n  a = 1  // once\n', '  a = 1  // once', '  a = 2');
      assert.equal(text, 'a = 1\n  a = 2\n');
      assert.doesNotMatch(content, /matched as/);
    });

    it('places that overlap are several', async () => {
      const file = 'end\nend\nend\n';
      for (const quoted of ['end\nend\n', ' end\n end\n']) {
        const { text, failed } = await used(file, quoted, 'stop\n');
        assert.deepEqual([failed, text], [true, file], quoted);
      }
    });

    it('whatever is quoted, a change is the replacement of one stretch', async () => {
      const line = fc.constantFrom('a', ' a', 'b ', '\tb', 'a  b', '', 'if (a) {', '}', 'x = "y"');
      const text = fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'));
      await fc.assert(
        fc.asyncProperty(text, text, async (file, quoted) => {
          const { text: after, failed } = await used(file, quoted, '<new>');
          if (failed || after === undefined) return assert.equal(after, file);
          const at = after.indexOf('<new>');
          assert.equal(after.split('<new>').length, 2);
          const head = after.slice(0, at).replace(/[ \t]+$/, '');
          const tail = after.slice(at + '<new>'.length);
          assert.ok(file.startsWith(head) && file.endsWith(tail) && head.length + tail.length <= file.length);
        }),
        { numRuns: 60 },
      );
    });
  });

describe('edit_file', () => {
  it('takes a text that is only like the quoted one in a file alone that was read', async () => {
    const bench = toolBench();
    bench.place('a.txt', 'a  =  1\n');
    const edit = { path: 'a.txt', edits: [{ old_text: 'a = 1', new_text: 'a = 2' }] };
    assert.equal((await bench.use(editFile, edit)).failed, true);
    await bench.use(readFile, { path: 'a.txt' });
    assert.equal((await bench.use(editFile, edit)).failed, undefined);
    assert.equal(bench.text('a.txt'), 'a = 2\n');
    bench.stop();
  });
});
