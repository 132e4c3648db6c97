import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { diskFiles } from '../../../../src/adapters/files/diskFiles';
import { applyPatch } from '../../../../src/core/tools/native/applyPatch';
import type { ToolContext } from '../../../../src/core/ports/tool';

describe('a patch that means harm', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'patch-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  const run = (patch: string) =>
    applyPatch.bind({ patch }).run({
      environment: { files: diskFiles({ folders: [folder] }) },
      signal: new AbortController().signal,
      progress: () => undefined,
      versionSeen: () => undefined,
    } as unknown as ToolContext);
  const patch = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

  it('may quote hundreds of thousands of empty lines', async () => {
    fs.writeFileSync(path.join(folder, 'a.txt'), 'one\n');
    const { failed } = await run(patch('*** Update File: a.txt', '@@', '-one', `${' \n'.repeat(300_000)}+two`));
    assert.equal(failed, true);
    assert.equal(fs.readFileSync(path.join(folder, 'a.txt'), 'utf8'), 'one\n');
  });

  it('still takes a few empty lines at the end for the line end of the file', async () => {
    fs.writeFileSync(path.join(folder, 'a.txt'), 'one\n');
    assert.notEqual((await run(patch('*** Update File: a.txt', '@@', '-one', '+two', ' ', ' '))).failed, true);
    assert.match(fs.readFileSync(path.join(folder, 'a.txt'), 'utf8'), /^two\n/);
  });

  for (const [first, second] of [
    ['new.txt', './new.txt'],
    ['new.txt', 'sub/../new.txt'],
    ['new.txt', 'ABSOLUTE'],
  ] as const) {
    it(`never makes one file twice under two spellings: ${first} and ${second}`, async () => {
      const other = second === 'ABSOLUTE' ? path.join(folder, 'new.txt') : second;
      fs.mkdirSync(path.join(folder, 'sub'));
      const outcome = await run(patch(`*** Add File: ${first}`, '+one', `*** Add File: ${other}`, '+two')).catch(
        (thrown: unknown) => ({ failed: true, content: String(thrown) }),
      );
      const there = fs.existsSync(path.join(folder, 'new.txt'))
        ? fs.readFileSync(path.join(folder, 'new.txt'), 'utf8')
        : undefined;
      assert.deepEqual([outcome.failed === true, there], [true, undefined], outcome.content);
    });
  }
});
