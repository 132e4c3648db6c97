import assert from 'node:assert/strict';
import { applyPatch } from '../../../../src/core/tools/native/applyPatch';
import { addedTool } from '../../../../src/core/tools/addedTool';
import { editFile } from '../../../../src/core/tools/native/editFile';
import { editPreview } from '../../../../src/core/tools/files/editPreview';
import { patch } from '../../../../src/core/tools/hermes/patch';
import { memory } from '../../../../src/core/tools/memory/memory';
import { fileEditor } from '../../../../src/core/tools/openhands/fileEditor';
import { readFile } from '../../../../src/core/tools/native/readFile';
import type { Tool } from '../../../../src/core/ports/tool';
import { writeFile } from '../../../../src/core/tools/native/writeFile';
import { toolBench, type ToolBench } from '../../../support/toolBench';

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

/** Every tool that edits files, with a call in its own format. */
const calls: readonly (readonly [what: string, tool: Tool, input: object])[] = [
  ['edit_file', editFile, { path: 'src/a.txt', edits: [{ old_text: 'five', new_text: 'V\nV' }] }],
  ['write_file', writeFile, { path: 'src/a.txt', content: 'one\ntwo\n' }],
  ['write_file of a new file', writeFile, { path: 'src/new/b.txt', content: 'first\nsecond\n' }],
  [
    'apply_patch',
    applyPatch,
    {
      patch:
        '*** Begin Patch\n*** Update File: src/a.txt\n@@\n-three\n+3\n*** Add File: c.txt\n+text\n*** Delete File: old.txt\n*** End Patch',
    },
  ],
  ['patch', patch, { path: 'src/a.txt', old_string: 'two\nthree', new_string: 'two' }],
  ['patch in mode patch', patch, { mode: 'patch', patch: '*** Begin Patch\n*** Delete File: old.txt\n*** End Patch' }],
  ['file_editor create', fileEditor, { command: 'create', path: 'd.txt', file_text: 'new\n' }],
  ['file_editor str_replace', fileEditor, { command: 'str_replace', path: 'src/a.txt', old_str: 'six', new_str: '6' }],
  ['file_editor insert', fileEditor, { command: 'insert', path: 'src/a.txt', insert_line: 2, new_str: 'between' }],
];

describe('the preview of an edit', () => {
  let bench: ToolBench;
  beforeEach(async () => {
    bench = toolBench();
    bench.place('src/a.txt', before);
    bench.place('old.txt', 'gone soon\n');
    await bench.use(readFile, { path: 'src/a.txt' });
    await bench.use(readFile, { path: 'old.txt' });
  });
  afterEach(() => bench.stop());
  const preview = (tool: Tool, input: object) =>
    editPreview(tool, tool.bind(input), bench.context().environment, bench.context());

  for (const [what, tool, input] of calls) {
    it(`shows what ${what} then does, and does nothing itself`, async () => {
      const shown = await preview(tool, input);
      assert.deepEqual(
        [bench.text('src/a.txt'), bench.text('old.txt'), bench.text('c.txt'), bench.text('d.txt')],
        [before, 'gone soon\n', undefined, undefined],
      );
      assert.ok(shown && 'changes' in shown, JSON.stringify(shown));
      const { details } = await bench.use(tool, input);
      assert.ok(details?.kind === 'edit');
      const withoutVersion = (changes: typeof details.changes) => changes.map(({ version: _, ...change }) => change);
      assert.deepEqual(withoutVersion([...shown.changes]), withoutVersion(details.changes));
      for (const { path, after } of shown.written) assert.equal(bench.text(path) ?? null, after);
    });
  }

  it('says why an edit would change nothing', async () => {
    const shown = await preview(editFile, { path: 'src/a.txt', edits: [{ old_text: 'eight', new_text: '8' }] });
    assert.ok(shown && 'refused' in shown);
    assert.match(shown.refused, /src\/a\.txt was not changed/);
    const missing = await preview(patch, { path: 'nowhere.txt', old_string: 'a', new_string: 'b' });
    assert.ok(
      missing && 'refused' in missing && /There is no file nowhere\.txt/.test(missing.refused),
      JSON.stringify(missing),
    );
  });

  it('runs no tool that writes no file of the workspace, or that another program answers', async () => {
    assert.equal(await preview(memory, { action: 'add', content: 'The tests need a database.' }), undefined);
    assert.equal(await preview(fileEditor, { command: 'view', path: 'src/a.txt' }), undefined);
    assert.equal(await preview(readFile, { path: 'src/a.txt' }), undefined);
    let called = 0;
    const given = addedTool({
      name: 'mcp_notes_write',
      description: '',
      parameters: { type: 'object', properties: {} },
      effect: 'writes',
      from: { source: 'the MCP server notes', tool: 'write' },
      risk: { level: 'unknown', reasons: [] },
      run: () => {
        called++;
        return Promise.resolve({ content: 'written' });
      },
    });
    const claiming: Tool = {
      ...given,
      bind: (input) => ({ ...given.bind(input), touches: { writes: ['src/a.txt'] } }),
    };
    for (const tool of [given, claiming]) assert.equal(await preview(tool, {}), undefined);
    assert.equal(called, 0);
  });
});
