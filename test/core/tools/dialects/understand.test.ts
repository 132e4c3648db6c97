import { strict as assert } from 'node:assert';
import type { ReadCall } from '../../../../src/core/ports/replyFormat';
import { dialectNamed, dialects } from '../../../../src/core/tools/dialects/dialects';
import { offeredTools } from '../../../../src/core/tools/dialects/dialect';
import { understand } from '../../../../src/core/tools/dialects/understand';
import { toolsets } from '../../../../src/core/tools/toolsets';
import { agentCalls } from './agentCalls';

const tools = toolsets.default;
const read = (tool: string, input: unknown, dialect = 'waymark') =>
  understand({ id: 'c', tool, input } satisfies ReadCall, { tools, dialect: dialectNamed(dialect) });

describe('a call in the words of another agent', () => {
  for (const [agent, calls] of Object.entries(agentCalls)) {
    for (const { tool, input, means } of calls) {
      for (const { name: dialect } of dialects) {
        it(`${agent}: ${tool} ${JSON.stringify(input).slice(0, 90)} means ${means[0]}, offered as ${dialect}`, () => {
          const understood = read(tool, input, dialect);
          assert.equal(understood.problem, undefined);
          assert.deepEqual([understood.tool, understood.input], [...means]);
        });
      }
    }
  }

  it('may have its arguments as JSON text, or within an argument that the tool does not have', () => {
    const wanted = { path: 'a.ts' };
    for (const input of [
      '{"path":"a.ts"}',
      { arguments: { path: 'a.ts' } },
      { input: { path: 'a.ts' } },
      { parameters: '{"path":"a.ts"}' },
    ]) {
      const understood = read('read_file', input);
      assert.deepEqual([understood.problem, understood.input], [undefined, wanted]);
      assert.equal(understood.rawInput, JSON.stringify(input));
    }
    assert.equal(read('read_file', 'a.ts').input, 'a.ts');
    assert.match(read('read_file', { input: { path: 'a.ts' }, other: 1 }).problem!, /no argument input/);
  });

  it('may have the mark of a channel after its name', () =>
    assert.deepEqual(
      [read('read_file<|channel|>commentary', { path: 'a.ts' })].map(({ tool, problem }) => [tool, problem]),
      [['read_file', undefined]],
    ));

  it('is answered with one line that names our form', () => {
    assert.equal(
      read('Read', { file_path: 'a.ts', offset: 1, limit: 20 }).called?.note,
      'Understood. Here this call is: read_file {"path":"a.ts","from":1,"to":20}',
    );
    assert.equal(
      read('bash', { command: 'npm test' }).called?.note,
      'Understood. Here this call is: run_command {"command":"npm test"}',
    );
    assert.equal(
      read('read_file', { path: 'a.ts', offset: 1, limit: 20 }).called?.note,
      'Understood. Here this call is: read_file {"path":"a.ts","from":1,"to":20}',
    );
    assert.equal(
      read('run_command', { command: 'npm test', timeout: 60 }, 'claude').called?.note,
      'Understood. Here this call is: Bash {"command":"npm test","timeout":60000}',
    );
    assert.match(
      read('edit_file', { path: 'a.ts', old_string: 'a', new_string: 'b' }).called!.note!,
      /edit_file \{"path":"a\.ts","edits":\[\{"old_text":"a","new_text":"b"\}\]\}/,
    );
  });

  it('for a tool that another one replaces is answered with an example of that one, which is not said to be this call', () => {
    for (const [tool, input, dialect, form] of [
      ['Edit', { file_path: 'a.ts', old_string: 'a', new_string: 'b' }, 'codex', 'apply_patch'],
      ['write_file', { path: 'a.ts', content: 'a' }, 'codex', 'apply_patch'],
      ['apply_patch', { input: '*** Begin Patch\n*** Delete File: a.ts\n*** End Patch' }, 'claude', 'Edit'],
    ] as const) {
      const { called, problem } = read(tool, input, dialect);
      assert.equal(problem, undefined);
      assert.match(called!.note!, new RegExp(`^Understood\\. Here, use ${form} for this, for example: ${form} `));
    }
  });

  it('in the form that was offered is answered with nothing beside its result', () => {
    for (const dialect of dialects) {
      for (const { tool, write, name } of dialect.forms) {
        const inputs: Record<string, Record<string, unknown>> = {
          read_file: { path: 'a.ts', from: 2, to: 9 },
          list_files: { path: 'src', depth: 3 },
          search_text: { pattern: 'x', path: 'src', glob: '*.ts', case: false },
          edit_file: { path: 'a.ts', edits: [{ old_text: 'a', new_text: 'b', all: true }] },
          write_file: { path: 'a.ts', content: 'x' },
          apply_patch: { patch: '*** Begin Patch' },
          run_command: { command: 'ls', timeout: 60 },
        };
        const { input, called, problem } = read(name, write(inputs[tool.name]!), dialect.name);
        assert.deepEqual(
          [dialect.name, name, input, called?.note, problem],
          [dialect.name, name, inputs[tool.name], undefined, undefined],
        );
      }
    }
  });

  it('keeps what the model wrote', () => {
    const { called, rawInput } = read('Read', { file_path: 'a.ts' }, 'claude');
    assert.deepEqual([called, rawInput], [{ name: 'Read' }, '{"file_path":"a.ts"}']);
  });
});

describe('a call whose meaning is not certain', () => {
  const refused = (tool: string, input: unknown, dialect?: string) =>
    read(tool, input, dialect).problem ?? 'no problem';

  it('is refused with the rejected argument, the likely one and a right call', () => {
    assert.equal(
      refused('read_file', { path: 'a.ts', lines: 5 }),
      'Invalid input for read_file: there is no argument lines (it takes path, from, to). A correct call: read_file {"path":"src/app.ts"}',
    );
    assert.match(
      refused('search_text', { patern: 'x' }),
      /pattern is missing; |there is no argument patern \(pattern is likely meant\)/,
    );
    assert.match(
      refused('Edit', { file_path: 'a', old_string: 'x', newString2: 'y' }, 'claude'),
      /there is no argument newString2 \(new_string is likely meant\).*new_string is missing.*A correct call: Edit \{"file_path":"src\/app\.ts","old_string":"old text","new_string":"new text"\}/,
    );
  });

  it('is not said to be understood', () => {
    assert.equal(read('Read', { file_path: 'a.ts', offset: -5 }).called?.note, undefined);
    assert.equal(read('Edit', { file_path: 'a.ts', old_string: 'x' }, 'codex').called?.note, undefined);
  });

  it('of a tool that another one replaces is refused by what that tool lacks, with a right call of the other', () => {
    const words = refused('edit_file', { edits: [{ old_text: 'x' }], foo: 1 }, 'codex');
    assert.match(
      words,
      /^Invalid input for edit_file: there is no argument foo \(it takes path, edits\); path is missing; /,
    );
    assert.match(words, /Use apply_patch here\. A correct call: apply_patch \{"input":/);
  });

  it('is refused with all faults at once, in the words of the dialect', () => {
    const words = refused('Edit', { old_string: 5, wrong: 1 }, 'claude');
    for (const part of [
      /file_path is missing/,
      /new_string is missing/,
      /old_string must be string/,
      /there is no argument wrong/,
    ])
      assert.match(words, part);
    assert.doesNotMatch(words, /old_text|edits/);
  });

  it('a first line and a count, whatever the first line is called', () => {
    assert.deepEqual(read('read_file', { path: 'a', start_line: 3, limit: '5' }).input, { path: 'a', from: 3, to: 7 });
  });

  it('because two names of one thing say different things, or lines are named in two ways', () => {
    assert.match(refused('read_file', { path: 'a', file_path: 'b' }), /path and file_path are both given and differ/);
    assert.match(refused('read_file', { path: 'a', from: 3, offset: 4 }), /given in two ways.*"from": 3, "to": 7/);
    assert.equal(read('read_file', { path: 'a', file_path: 'a' }).problem, undefined);
  });

  it('because it asks for what cannot be done', () => {
    assert.match(refused('Grep', { pattern: 'x', head_limit: 5 }), /head_limit cannot be used here/);
    assert.match(
      refused('Grep', { pattern: 'x', '-A': 3, multiline: true }),
      /-A cannot be used here.*multiline cannot be used here/,
    );
    assert.match(
      refused('WriteFile', { path: 'a', content: 'x', mode: 'append' }),
      /mode "append" cannot be used here/,
    );
    assert.match(
      refused('str_replace_editor', { command: 'undo_edit', path: 'a' }),
      /undo_edit.*view, create and str_replace/,
    );
    assert.match(
      refused('edit_file', { target_file: 'a', instructions: 'x', code_edit: '// ... existing code ...' }),
      /no argument code_edit/,
    );
    assert.equal(read('Grep', { pattern: 'x', head_limit: 0, multiline: false }).problem, undefined);
  });

  it('of a tool that is not there names the likely one, or those that there are', () => {
    assert.match(
      refused('raed_file', { path: 'a' }),
      /^There is no tool named raed_file\. You probably mean read_file\. A correct call: read_file \{"path":"src\/app\.ts"\}$/,
    );
    assert.match(
      refused('teleport', {}),
      /^There is no tool named teleport\. Tools: read_file, list_files, .*finish\.$/,
    );
    assert.match(refused('teleport', {}, 'codex'), /Tools: .*apply_patch, shell/);
    assert.doesNotMatch(refused('teleport', {}, 'codex'), /edit_file/);
    assert.match(
      refused('Glob', { pattern: '**/*.ts' }, 'claude'),
      /^There is no tool named Glob\. Folders are listed without a name pattern.* You probably mean LS\. A correct call: LS \{"path":"src"\}$/,
    );
  });
});

describe('the tools that a dialect offers', () => {
  const names = (dialect: string) => offeredTools(tools, dialectNamed(dialect)).map(({ name }) => name);

  it('are those of the family, and the rest is Waymark’s', () => {
    assert.deepEqual(names('claude').slice(0, 6), ['Read', 'LS', 'Grep', 'Edit', 'Write', 'Bash']);
    assert.deepEqual(names('codex').slice(0, 5), ['read_file', 'list_files', 'search_text', 'apply_patch', 'shell']);
    assert.deepEqual(names('gemini').slice(0, 6), [
      'read_file',
      'list_directory',
      'grep_search',
      'replace',
      'write_file',
      'run_shell_command',
    ]);
    assert.deepEqual(
      names('waymark'),
      tools.map(({ name }) => name).filter((name) => name !== 'apply_patch'),
    );
    for (const { name } of dialects)
      assert.deepEqual(names(name).slice(-7), [
        'todo',
        'ask_user',
        'move_file',
        'delete_file',
        'delegate',
        'think',
        'finish',
      ]);
  });

  it('include only one way to edit, and a call of the other one is understood', () => {
    for (const { name } of dialects) {
      const ways = names(name).filter((tool) => ['apply_patch', 'edit_file', 'Edit', 'replace'].includes(tool));
      assert.equal(ways.length, 1, `${name}: ${ways.join(', ')}`);
      const patch = '*** Begin Patch\n*** Delete File: a.txt\n*** End Patch';
      assert.deepEqual(read('apply_patch', { patch }, name).problem, undefined, name);
      const edits = [{ old_text: 'one', new_text: 'two' }];
      assert.deepEqual(read('edit_file', { path: 'a.txt', edits }, name).problem, undefined, name);
    }
  });

  it('leave nothing out whose replacement is not there', () => {
    const without = tools.filter(({ name }) => name !== 'apply_patch');
    const offered = offeredTools(without, dialectNamed('codex')).map(({ name }) => name);
    assert.ok(offered.includes('edit_file') && offered.includes('write_file'));
  });

  it('have names and schemas that every provider takes, and no argument that is not understood', () => {
    for (const dialect of dialects) {
      const forms = offeredTools(tools, dialect);
      assert.equal(new Set(forms.map(({ name }) => name)).size, forms.length, dialect.name);
      for (const { name, parameters } of forms) {
        assert.match(name, /^[a-zA-Z][\w-]{0,63}$/);
        assert.equal(parameters['type'], 'object');
      }
      for (const { name, parameters } of dialect.forms) {
        for (const argument of Object.keys(parameters['properties'] as object)) {
          assert.doesNotMatch(
            read(name, { [argument]: '1' }, dialect.name).problem ?? '',
            /no argument/,
            `${dialect.name} ${name} ${argument}`,
          );
        }
      }
    }
  });
});
