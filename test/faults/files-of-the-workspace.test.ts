import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { diskFiles } from '../../src/adapters/files/diskFiles';
import { FileProblem } from '../../src/core/ports/files';
import { temporaryWorkspace } from '../support/temporaryWorkspace';
import { ensureBuilt, onMachine } from '../cli/support/commandLine';
import { toolCall } from '../support/modelServer';
import { smallDisk } from './support/smallDisk';

/** Error messages of tools for files that the machine does not let them access. */
describe('workspace files', function () {
  this.timeout(300_000);

  it('can be read on a read-only disk, and an edit reports why it fails', async function () {
    const disk = smallDisk();
    if (!disk) {
      this.test!.title += ' (a disk cannot be mounted here)';
      return this.skip();
    }
    try {
      const file = path.join(disk.folder, 'a.txt');
      fs.writeFileSync(file, 'one\n');
      const remounted = spawnSync('mount', ['-o', 'remount,ro', disk.folder]);
      if (remounted.status !== 0) {
        this.test!.title += ' (a disk cannot be mounted read-only here)';
        return this.skip();
      }
      const files = diskFiles({ folders: [disk.folder] });
      const { text, version } = await files.read('a.txt');
      assert.equal(text, 'one\n');
      for (const change of [
        { path: 'a.txt', text: 'two\n', expected: version },
        { path: 'new.txt', text: 'new\n', expected: null },
      ])
        await assert.rejects(files.write([change]), (problem: Error) => {
          assert.ok(problem instanceof FileProblem, String(problem));
          return problem.message.includes(change.path) && /read-only|EROFS/i.test(problem.message);
        });
      assert.equal(fs.readFileSync(file, 'utf8'), 'one\n');
    } finally {
      spawnSync('mount', ['-o', 'remount,rw', disk.folder]);
      disk.stop();
    }
  });

  it('with a too long path are refused with a message; 1,000 folders deep they can be read and written', async () => {
    const place = temporaryWorkspace('work');
    try {
      const files = diskFiles({ folders: [place.root] });
      await assert.rejects(files.read(`${'a/'.repeat(2500)}b`), (problem: Error) => problem instanceof FileProblem);
      await assert.rejects(
        files.write([{ path: 'x'.repeat(300), text: '', expected: null }]),
        (problem: Error) => problem instanceof FileProblem,
      );
      const deep = `${'d/'.repeat(1000)}file.txt`;
      fs.mkdirSync(path.dirname(path.join(place.root, deep)), { recursive: true });
      await files.write([{ path: deep, text: 'deep\n', expected: null }]);
      assert.equal((await files.read(deep)).text, 'deep\n');
    } finally {
      place.stop();
    }
  });

  it('deleted with the run’s folder are reported, and the run continues', async () => {
    ensureBuilt();
    let removed = (): void => undefined;
    await onMachine(
      [
        toolCall('run_command', { command: 'pwd' }),
        () => {
          removed();
          return toolCall('read_file', { path: 'a.txt' });
        },
        toolCall('list_files', { path: '.' }),
        toolCall('search_text', { pattern: 'one' }),
        toolCall('write_file', { path: 'b.txt', content: 'two\n' }),
        toolCall('finish', { summary: 'The folder is gone.' }),
      ],
      async ({ workspace, run, events }) => {
        workspace.place('a.txt', 'one\n');
        removed = () => fs.rmSync(workspace.root, { recursive: true });
        const { code, stderr } = await run('Work.', '--confirm', 'never');
        assert.equal(code, 0, stderr);
        const [before, ...after] = events().flatMap((event) => (event.type === 'observation' ? [event] : []));
        assert.equal(before!.outcome, 'ok');
        assert.deepEqual(
          after.slice(0, -1).map(({ outcome, content }) => [outcome, content]),
          [
            ['error', 'There is no file a.txt.'],
            ['error', 'The workspace folder no longer exists.'],
            ['error', `The folder ${workspace.root} no longer exists.`],
            ['error', 'There is no file b.txt.'],
          ],
        );
        assert.equal(fs.existsSync(workspace.root), false, 'nothing is made anew');
      },
    );
  });
});
