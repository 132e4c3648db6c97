import assert from 'node:assert/strict';
import type { CommandResult, Terminal } from '../../../src/core/ports/terminal';
import { applyPatch } from '../../../src/core/tools/native/applyPatch';
import { askUser } from '../../../src/core/tools/native/askUser';
import { editFile } from '../../../src/core/tools/native/editFile';
import { finish } from '../../../src/core/tools/native/finish';
import { listFiles } from '../../../src/core/tools/native/listFiles';
import { readFile } from '../../../src/core/tools/native/readFile';
import { runCommand } from '../../../src/core/tools/native/runCommand';
import { searchText } from '../../../src/core/tools/native/searchText';
import { thinkTool } from '../../../src/core/tools/native/think';
import { toolsets } from '../../../src/core/tools/toolsets';
import { writeFile } from '../../../src/core/tools/native/writeFile';
import { toolBench, type ToolBench } from '../../support/toolBench';

describe('the tools', () => {
  it('cost a model at most 7,000 bytes', () => {
    const wire = toolsets.default.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    }));
    const bytes = Buffer.byteLength(JSON.stringify(wire));
    assert.ok(bytes <= 7000, `${bytes} bytes`);
  });

  it('of the editor cost at most 2,100 bytes more', () => {
    const wire = toolsets.editor.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    }));
    const bytes = Buffer.byteLength(JSON.stringify(wire));
    assert.ok(bytes <= 2100, `${bytes} bytes`);
  });

  it('of notebooks cost at most 650 bytes more', () => {
    const wire = toolsets.notebook.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    }));
    const bytes = Buffer.byteLength(JSON.stringify(wire));
    assert.ok(bytes <= 650, `${bytes} bytes`);
  });

  it('show examples that work', async () => {
    const bench = toolBench();
    bench.place('a.py', 'x = 1\ndef f():\n    x = 1\n    return x\n');
    bench.place('c.txt', 'gone\n');
    const patch = /\*\*\* Begin Patch[^]*\*\*\* End Patch/.exec(applyPatch.description)![0];
    await bench.use(readFile, { path: 'c.txt' });
    assert.equal((await bench.use(applyPatch, { patch })).failed, undefined);
    assert.deepEqual(
      [bench.text('a.py'), bench.text('b.txt'), bench.text('c.txt')],
      ['x = 1\ndef f():\n    x = 1\n    return x + 1\n', 'text\n', undefined],
    );
    bench.stop();
    const another = toolBench();
    another.place('a.py', 'x = 1\n');
    const example = /Example: (\{.*\})/.exec(editFile.description)![1]!;
    assert.equal((await another.use(editFile, JSON.parse(example))).failed, undefined);
    assert.equal(another.text('a.py'), 'x = 2\n');
    another.stop();
  });

  it('tell a unit for every number', () => {
    const numbers = (schema: unknown, at: string): string[] => {
      if (typeof schema !== 'object' || schema === null) return [];
      const { type, description } = schema as { type?: unknown; description?: unknown };
      const own = (type === 'number' || type === 'integer') && description === undefined ? [at] : [];
      return [
        ...own,
        ...Object.entries(schema).flatMap(([key, value]) => numbers(value, key === 'properties' ? at : `${at}.${key}`)),
      ];
    };
    // Tools with self-explanatory names.
    const told = toolsets.default
      .flatMap(({ name, parameters }) => numbers(parameters, name))
      .filter((at) => !/\.(steps|seconds)$/.test(at));
    assert.deepEqual(told, []);
  });

  it('have names of their own', () => {
    const names = toolsets.default.map(({ name }) => name);
    assert.equal(new Set(names).size, 14);
    assert.deepEqual(
      names.filter((name) => !/^[a-z_]+$/.test(name)),
      [],
    );
  });

  it('change and run nothing in the read-only set', () => {
    assert.deepEqual(
      toolsets.readOnly.filter(({ effect }) => effect === 'writes' || effect === 'executes'),
      [],
    );
  });
});

describe('read_file', () => {
  let bench: ToolBench;
  beforeEach(() => {
    bench = toolBench();
  });
  afterEach(() => bench.stop());

  it('shows numbered lines and tells which version was seen', async () => {
    bench.place('a.ts', 'one\ntwo\n');
    const { content, details } = await bench.use(readFile, { path: './a.ts' });
    assert.equal(content, '    1\tone\n    2\ttwo');
    assert.ok(details?.kind === 'read');
    assert.deepEqual([details.path, details.fromLine, details.toLine, details.totalLines], ['a.ts', 1, 2, 2]);
  });

  it('shows a range and how to go on', async () => {
    bench.place('a', Array.from({ length: 5000 }, (_, at) => `line ${at + 1}`).join('\n'));
    assert.match(
      (await bench.use(readFile, { path: 'a' })).content,
      /\n 2000\tline 2000\n\[Lines 1-2000 of 5000\. Continue at line 2001\.\]$/,
    );
    assert.equal(
      (await bench.use(readFile, { path: 'a', from: 10, to: 11 })).content,
      '   10\tline 10\n   11\tline 11\n[Lines 10-11 of 5000.]',
    );
    assert.equal((await bench.use(readFile, { path: 'a', from: 4999 })).content, ' 4999\tline 4999\n 5000\tline 5000');
    assert.match((await bench.use(readFile, { path: 'a', from: 5001 })).content, /has 5000 lines/);
    assert.equal((await bench.use(readFile, { path: 'a', from: 5, to: 4 })).failed, true);
  });

  it('keeps to its byte cap and cuts long lines', async () => {
    bench.place('wide', `${'x'.repeat(900)}\n`.repeat(200));
    const { content } = await bench.use(readFile, { path: 'wide' });
    assert.ok(content.length < 52_000, `${content.length}`);
    assert.match(content, /Continue at line 56\.\]$/);
    bench.place('long', `${'y'.repeat(3_000_000)}\nend`);
    const long = (await bench.use(readFile, { path: 'long' })).content;
    assert.match(long, /y… \[the line continues: 3000000 characters\]\n {4}2\tend$/);
    assert.ok(long.length < 3000);
  });

  it('says that a file is empty', async () => {
    bench.place('empty', '');
    assert.equal((await bench.use(readFile, { path: 'empty' })).content, 'empty is empty.');
  });

  it('refuses in words what it cannot read', async () => {
    bench.place('a.png', Buffer.from([1, 0, 2]));
    await assert.rejects(bench.use(readFile, { path: 'a.png' }), /is binary \(3 bytes\)/);
    await assert.rejects(bench.use(readFile, { path: 'no.ts' }), /There is no file no\.ts/);
    await assert.rejects(bench.use(readFile, { path: '../x' }), /outside the workspace/);
  });
});

describe('write_file', () => {
  let bench: ToolBench;
  beforeEach(() => {
    bench = toolBench();
  });
  afterEach(() => bench.stop());

  it('creates a file', async () => {
    const { content, details } = await bench.use(writeFile, { path: 'new/a.ts', content: 'one\ntwo\n' });
    assert.equal(content, 'Wrote new/a.ts: created, 2 lines');
    assert.ok(
      details?.kind === 'edit' && details.changes[0]?.kind === 'created' && details.changes[0].version !== undefined,
    );
    assert.equal(bench.text('new/a.ts'), 'one\ntwo\n');
  });

  it('does not replace a file that was not read, or that changed since', async () => {
    bench.place('a', 'mine\n');
    assert.match((await bench.use(writeFile, { path: 'a', content: 'x' })).content, /was not read yet/);
    await bench.use(readFile, { path: 'a' });
    bench.place('a', 'mine, changed\n');
    assert.match((await bench.use(writeFile, { path: 'a', content: 'x' })).content, /has changed since/);
    assert.equal(bench.text('a'), 'mine, changed\n');
    await bench.use(readFile, { path: 'a' });
    assert.equal((await bench.use(writeFile, { path: 'a', content: 'x\n' })).content, 'Wrote a: +1 −1 (lines 1-1)');
    assert.equal(
      (await bench.use(writeFile, { path: 'a', content: 'y\n' })).failed,
      undefined,
      'what it wrote itself it knows',
    );
    assert.equal(
      (await bench.use(writeFile, { path: 'a', content: 'y\n' })).content,
      'a already contains exactly this.',
    );
  });

  it('fills an empty file unseen, and never replaces a binary one', async () => {
    bench.place('empty', '');
    bench.place('a.png', Buffer.from([1, 0, 2]));
    await bench.use(writeFile, { path: 'empty', content: 'x' });
    assert.equal(bench.text('empty'), 'x');
    await assert.rejects(bench.use(writeFile, { path: 'a.png', content: 'x' }), /binary/);
  });
});

describe('list_files and search_text', () => {
  it('answer in lines a model can use', async () => {
    const bench = toolBench();
    bench.place('src/a.ts', 'one\ntwo two\n');
    bench.place('src/b.ts', 'two\n');
    const list = await bench.use(listFiles, {});
    assert.equal(list.content, 'src/\nsrc/a.ts\nsrc/b.ts');
    assert.deepEqual(list.details, { kind: 'list', path: '.', entries: 3, truncated: false });
    const search = await bench.use(searchText, { pattern: 'tw.' });
    assert.equal(search.content, 'src/a.ts\n    2\ttwo two\nsrc/b.ts\n    1\ttwo');
    assert.deepEqual(search.details, { kind: 'search', query: 'tw.', files: 2, matches: 2, truncated: false });
    assert.equal((await bench.use(searchText, { pattern: 'nowhere' })).content, 'No match.');
    assert.equal((await bench.use(searchText, { pattern: 'no.*where' })).content, 'No match.');
    bench.place('calls.js', 'foo(x[0]);\n');
    assert.equal(
      (await bench.use(searchText, { pattern: 'foo(x[0])' })).content,
      'No match. It occurs as plain text: set literal to true.',
    );
    bench.stop();
  });

  it('give no advice about options that ripgrep has but search_text has not', async () => {
    const bench = toolBench();
    bench.place('a', 'word\n');
    for (const [pattern, advice] of [
      ['foo(?=bar)', /Search without look-around/],
      ['(a)\\1', /Search without backreferences/],
      ['a\\nb', /Each line is searched separately/],
      ['a(', /Escape its special characters, or set literal to true/],
    ] as const)
      await assert.rejects(
        bench.use(searchText, { pattern }),
        ({ message }: Error) => advice.test(message) && !/--pcre2|--multiline/.test(message),
      );
    bench.stop();
  });

  it('say when there is more', async () => {
    const bench = toolBench();
    for (let at = 0; at < 450; at++) bench.place(`f${at}`, 'word\n');
    assert.match((await bench.use(listFiles, {})).content, /\[Only the first 400 entries/);
    assert.match(
      (await bench.use(searchText, { pattern: 'word' })).content,
      /\[The first 100 of 450 matches, in 100 of 450 files\. Others: f189 \(1\), f19 \(1\), .*, and 320 more files\. Use glob or path to narrow\.\]$/,
    );
    bench.place('f0', 'word\n'.repeat(150));
    assert.match(
      (await bench.use(searchText, { pattern: 'word', path: 'f0' })).content,
      /\[The first 100 of 150 matches\. Search for a rarer text, or read a part of the file\.\]$/,
    );
    bench.place('f0', 'word\n'.repeat(25_000));
    assert.match(
      (await bench.use(searchText, { pattern: 'word' })).content,
      /The first 100 of more than 20,000 matches/,
    );
    bench.stop();
  });
});

describe('run_command', () => {
  const ended: CommandResult = {
    end: 'exited',
    exitCode: 0,
    output: 'hello\n',
    outputBytes: 6,
    durationMs: 5,
    cwd: '/w',
  };
  const asked: unknown[] = [];
  const terminalThat = (result: Partial<CommandResult>): Terminal => ({
    run: async (command, { timeoutMs, tty }) => {
      asked.push({ command, timeoutMs, tty });
      return { ...ended, ...result };
    },
    answer: async (text) => {
      asked.push({ text });
      return { ...ended, ...result };
    },
    dispose: async () => {},
  });
  const run = async (input: unknown, result: Partial<CommandResult> = {}) => {
    const bench = toolBench(terminalThat({ cwd: '', ...result }));
    try {
      return await bench.use(runCommand, input);
    } finally {
      bench.stop();
    }
  };

  it('tells output, exit code and folder', async () => {
    assert.match(
      (await run({ command: 'echo hello' }, { cwd: '/w/sub' })).content,
      /^hello\n\[exit code 0 \(folder: \/w\/sub\)\]$/,
    );
    assert.deepEqual(asked.pop(), { command: 'echo hello', timeoutMs: 120_000, tty: false });
  });

  it('fails with a non-zero exit code', async () => {
    const { failed, content, details } = await run({ command: 'false', timeout: 3 }, { exitCode: 1, output: '' });
    assert.equal(failed, true);
    assert.match(content, /^\[exit code 1/);
    assert.ok(details?.kind === 'command' && details.exitCode === 1);
  });

  it('says how a command ended that did not exit, and where all of its output is', async () => {
    const late = await run(
      { command: 'sleep 9', timeout: 2 },
      {
        end: 'timed_out',
        exitCode: null,
        outputBytes: 99_999,
        fullOutput: '/outputs/1.txt',
        note: 'The shell was replaced.',
      },
    );
    assert.deepEqual([late.failed, late.timedOut], [true, true]);
    assert.match(
      late.content,
      /stopped after 2 s.*\nThe whole output \(99,999 bytes\): \/outputs\/1\.txt; read_file and search_text can open it\.\nThe shell was replaced\.\]$/,
    );
    const waits = await run({ command: 'read x' }, { end: 'waiting_for_input', exitCode: null });
    assert.equal(waits.failed, undefined);
    assert.match(waits.content, /waiting for input; answer with run_command and input/);
  });

  it('says of an output with long lines which tool shows them', async () => {
    const cut = await run(
      { command: 'cat a.json' },
      { output: `${'x'.repeat(3000)}\n[… 9 bytes omitted …]\n9\n`, outputBytes: 99_999, fullOutput: '/outputs/1.txt' },
    );
    assert.match(
      cut.content,
      /: \/outputs\/1\.txt; search_text can find text in it; read_file shows only the beginning of lines longer than 2,000 characters\.\]$/,
    );
  });

  it('names the file with all of the output once', async () => {
    const fullOutput = '/outputs/1.txt';
    const note = `Process 3 keeps running in the background; its further output goes to ${fullOutput}.`;
    const left = await run({ command: 'sleep 9 &' }, { fullOutput, note });
    assert.ok(left.content.endsWith(`\n${note}]`) && !left.content.includes('whole output'), left.content);
  });

  it('leaves out what is not text', async () => {
    const binary = 'PNG\uFFFD\na\uFFFD'.repeat(80);
    assert.match(
      (await run({ command: 'cat a.png' }, { output: `before\n${binary}after` })).content,
      /^before\n\[… 560 characters left out, because this is not UTF-8 text …\]after\n\[exit code 0/,
    );
    const latin = 'gr\uFFFDn und so weiter\n'.repeat(200);
    assert.ok((await run({ command: 'cat latin1' }, { output: latin })).content.startsWith(latin));
  });

  it('types input into a command that waits', async () => {
    await run({ input: 'yes\n' });
    assert.deepEqual(asked.pop(), { text: 'yes\n' });
    const stillWaiting = async (input: string): Promise<string> =>
      (await run({ input }, { end: 'waiting_for_input', exitCode: null })).content;
    assert.match(await stillWaiting('yes\n'), /answer with run_command and input/);
    assert.match(await stillWaiting('yes'), /did not end with \\n \(Enter\)/);
    assert.match(await stillWaiting('yes\\n'), /ended with a backslash and the letter n, not with a line break/);
  });

  it('takes a command or input, not both and not neither', () => {
    for (const input of [{}, { command: ' ' }, { command: 'ls', input: 'y' }])
      assert.throws(() => runCommand.bind(input), /either command or input/);
  });

  it('is judged and allowed by its exact text', () => {
    const call = runCommand.bind({ command: 'npm test\necho done' });
    assert.deepEqual(
      [call.summary, call.touches.command, call.allowKey],
      ['Run npm test … (2 lines)', 'npm test\necho done', 'npm test\necho done'],
    );
    const typed = runCommand.bind({ input: 'rm -rf /\n' });
    assert.deepEqual([typed.touches.command, typed.allowKey], ['rm -rf /\n', undefined]);
  });
});

describe('the other tools', () => {
  let bench: ToolBench;
  beforeEach(() => {
    bench = toolBench();
  });
  afterEach(() => bench.stop());

  it('think and finish', async () => {
    assert.deepEqual((await bench.use(thinkTool, { thought: 'Hm' })).details, { kind: 'note', text: 'Hm' });
    assert.equal((await bench.use(finish, { summary: 'Fixed add.' })).content, 'Fixed add.');
  });

  it('ask, and say so where nobody can answer', async () => {
    assert.deepEqual(askUser.bind({ question: 'Which?', choices: ['a', 'b'] }).question, {
      question: 'Which?',
      choices: ['a', 'b'],
    });
    assert.deepEqual(askUser.bind({ question: 'Which?' }).question?.choices, []);
    assert.match((await bench.use(askUser, { question: 'Which?' })).content, /Nobody can be asked/);
  });
});
