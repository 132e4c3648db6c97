import { strict as assert } from 'node:assert';
import { InputProblem } from '../../../../src/core/tools/calls/inputFaults';
import type { ReadCall } from '../../../../src/core/ports/replyFormat';
import { dialectNamed, dialects } from '../../../../src/core/tools/dialects/dialects';
import { understand } from '../../../../src/core/tools/dialects/understand';
import { vocabularies } from '../../../../src/core/tools/dialects/vocabulary/vocabularies';
import { readFile } from '../../../../src/core/tools/native/readFile';
import { toolsets } from '../../../../src/core/tools/toolsets';

const tools = toolsets.default;
const names = dialects.map(({ name }) => name);
const read = (tool: string, input: unknown, dialect = 'waymark') =>
  understand({ id: 'c', tool, input } satisfies ReadCall, { tools, dialect: dialectNamed(dialect) });
const patchThat = (what: string): string => `apply_patch <<'EOF'\n*** Begin Patch\n${what}\n*** End Patch\nEOF`;

describe('a call that nobody should have made', () => {
  const strange: readonly unknown[] = [
    {},
    { path: 'a' },
    { path: 'a', edits: 5 },
    { path: 'a', edits: [] },
    { path: 'a', edits: [null] },
    { path: 'a', edits: `${'['.repeat(20_000)}${']'.repeat(20_000)}` },
    { file_path: 'a', old_string: 'x' },
    { command: [1] },
    { command: {} },
    { todos: 'x' },
    { tasks: 7 },
    { patch: 1 },
    { questions: [3] },
    JSON.parse('{"__proto__":1,"constructor":2}'),
  ];
  const called = vocabularies.flatMap(({ tool, names: others }) => [tool.name, ...others]);

  for (const dialect of names) {
    it(`is answered, whatever its name and arguments are, and never ends the session, offered as ${dialect}`, () => {
      for (const name of [...called, 'str_replace_editor', 'constructor', '__proto__', '']) {
        for (const input of strange)
          assert.doesNotThrow(() => read(name, input, dialect), `${name} ${JSON.stringify(input).slice(0, 80)}`);
      }
    });

    it(`is not told to be understood where it is refused, offered as ${dialect}`, () => {
      for (const name of called) {
        for (const input of strange) {
          const { problem, called: as } = read(name, input, dialect);
          if (problem !== undefined) assert.equal(as?.note, undefined, `${name} ${JSON.stringify(input).slice(0, 80)}`);
        }
      }
    });
  }

  it('with thousands of arguments is refused in few words', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`argument${index}`, index]));
    const { problem } = read('read_file', { path: 'a', ...many });
    assert.match(problem!, /and \d+ more/);
    assert.ok(problem!.length < 4000, `${problem!.length} characters`);
    const long = new InputProblem(readFile, ['x'.repeat(100_000)]);
    assert.ok(long.message.length < 1000);
  });
});

describe('a call that says two things', () => {
  const refused: readonly [string, unknown][] = [
    ['read_file', { path: 'a', Path: 'b' }],
    ['Read', { file_path: 'a', filePath: 'b' }],
    ['Write', { file_path: 'a', 'file-path': 'b', content: 'x' }],
    ['run_command', { command: 'ls', Command: 'rm -rf src' }],
    ['MultiEdit', { file_path: 'a.ts', edits: [{ file_path: 'b.ts', old_string: 'x', new_string: 'y' }] }],
    [
      'MultiEdit',
      {
        file_path: 'a.ts',
        edits: [
          { old_string: 'x', new_string: 'y' },
          { path: 'b.ts', old_string: 'x', new_string: 'y' },
        ],
      },
    ],
    ['edit_file', { path: 'a.ts', edits: { filePath: 'b.ts', old_string: 'x', new_string: 'y' } }],
    ['execute_bash', { command: 'y', is_input: 'true', input: 'n' }],
  ];
  for (const [tool, input] of refused) {
    for (const dialect of names) {
      it(`is refused: ${tool} ${JSON.stringify(input)}, offered as ${dialect}`, () =>
        assert.notEqual(read(tool, input, dialect).problem, undefined));
    }
  }

  it('is carried out where both are the same', () => {
    assert.deepEqual(read('Read', { file_path: 'a', filePath: 'a' }).input, { path: 'a' });
    assert.deepEqual(
      read('MultiEdit', { file_path: 'a', edits: [{ file_path: 'a', old_string: 'x', new_string: 'y' }] }).problem,
      undefined,
    );
  });
});

describe('a patch in a command', () => {
  const removes = patchThat('*** Delete File: a.ts');

  it('is one only where a shell was called', () => {
    for (const name of [
      'read_file',
      'Read',
      'todo',
      'think',
      'finish',
      'submit',
      'search_text',
      'write_file',
      'whatever',
    ]) {
      const { tool, problem } = read(name, { command: removes });
      assert.notEqual(tool, 'apply_patch', name);
      assert.notEqual(problem, undefined, name);
    }
    for (const name of ['run_command', 'bash', 'shell', 'exec_command'])
      assert.equal(read(name, { command: removes }).tool, 'apply_patch', name);
  });

  it('is refused in another folder, where it would change other files than it names', () => {
    for (const folder of ['sub', '..', '/elsewhere']) {
      assert.match(
        read('shell', { command: ['bash', '-lc', removes], workdir: folder }).problem ?? '',
        /relative to the first folder of the workspace/,
        folder,
      );
    }
    assert.equal(read('shell', { command: ['bash', '-lc', removes], workdir: '.' }).problem, undefined);
  });
});
