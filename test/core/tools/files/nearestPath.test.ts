import assert from 'node:assert/strict';
import { editFile } from '../../../../src/core/tools/native/editFile';
import { listFiles } from '../../../../src/core/tools/native/listFiles';
import { readFile } from '../../../../src/core/tools/native/readFile';
import { searchText } from '../../../../src/core/tools/native/searchText';
import type { Tool } from '../../../../src/core/ports/tool';
import { toolBench, type ToolBench } from '../../../support/toolBench';

describe('a call that names what is not there', () => {
  let bench: ToolBench;
  beforeEach(() => {
    bench = toolBench();
    for (const name of [
      'src/utils/text.ts',
      'src/utils/dates.ts',
      'src/main.ts',
      'README.md',
      'docs/deep/er/Guide.md',
      'node_modules/x/guide.md',
      'secret/main.tsx',
    ])
      bench.place(name, 'x\n');
    bench.place('.gitignore', 'node_modules\n');
    bench.place('.agentignore', 'secret\n');
  });
  afterEach(() => bench.stop());

  const said = (tool: Tool, input: object): Promise<string> =>
    bench.use(tool, input).then(
      ({ content }) => content,
      (problem: Error) => problem.message,
    );

  for (const [what, path, words] of [
    ['another ending', 'src/main.js', 'There is no file src/main.js. Similar: src/main.ts.'],
    ['a slip', 'src/utils/text.tss', 'There is no file src/utils/text.tss. Similar: src/utils/text.ts.'],
    [
      'a slip in a folder',
      'src/utlis/text.ts',
      'There is no file src/utlis/text.ts. Similar: src/utils/text.ts, src/utils.',
    ],
    ['the wrong folder', 'guide.md', 'There is no file guide.md. Similar: docs/deep/er/Guide.md.'],
    ['a name unlike all', 'src/zebra.py', 'There is no file src/zebra.py. src contains: utils/, main.ts.'],
    [
      'a folder unlike all',
      'zoo/zebra.py',
      'There is no file zoo/zebra.py. The workspace folder contains: docs/, src/, .agentignore, .gitignore, README.md.',
    ],
    [
      'a file taken for a folder',
      'README.md/part',
      'There is no README.md/part: a part of its path is a file, not a folder.',
    ],
  ] as const) {
    it(`is told the nearest: ${what}`, async () => assert.equal(await said(readFile, { path }), words));
  }

  it('is told the nearest by every tool that takes a path, and by none of them to call itself', async () => {
    assert.equal(await said(listFiles, { path: 'src/util' }), 'There is no folder src/util. Similar: src/utils.');
    assert.equal(
      await said(listFiles, { path: 'lib' }),
      'There is no folder lib. The workspace folder contains: docs/, src/, .agentignore, .gitignore, README.md.',
    );
    assert.equal(
      await said(searchText, { pattern: 'x', path: 'src/mian.ts' }),
      'There is no file or folder src/mian.ts. Similar: src/main.ts.',
    );
    assert.equal(
      await said(editFile, { path: 'main.ts', edits: [{ old_text: 'x', new_text: 'y' }] }),
      'There is no file main.ts. Similar: src/main.ts.',
    );
  });

  it('works with the separators of Windows', async () => {
    assert.match(await said(readFile, { path: 'src\\mian.ts' }), /Similar: src\/main\.ts\.$/);
    assert.match(await said(readFile, { path: 'source\\main.ts' }), /Similar: src\/main\.ts\.$/);
  });

  it('works with absolute paths, and says nothing of what lies outside', async () => {
    assert.match(
      await said(readFile, { path: bench.at('src/mian.ts') }),
      /There is no file src\/mian\.ts\. Similar: src\/main\.ts\.$/,
    );
    assert.match(await said(readFile, { path: '/etc/passwdd' }), /outside the workspace/);
  });
});
