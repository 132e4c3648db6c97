import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { allProcesses, killFamily, relatives } from '../../../src/adapters/processes/processTree';
import { programOfWindows } from '../../../src/adapters/storage/windowsPrograms';

describe('a program of Windows', () => {
  it('is started by its full path, since a bare name means one in the current folder first', () => {
    assert.equal(programOfWindows('taskkill.exe', { SystemRoot: 'D:\\Win' }), 'D:\\Win\\System32\\taskkill.exe');
    assert.equal(programOfWindows('cmd.exe', {}), 'C:\\Windows\\System32\\cmd.exe');
    const names = ['taskkill', 'powershell', 'cmd', 'where', 'wmic', 'tasklist'].join('|');
    const bare = new RegExp(
      `(?:spawn|exec|execFile)(?:Sync)?\\(\\s*'(?:${names})|\\?\\? '(?:${names})\\.exe'|'powershell\\.exe',$`,
      'm',
    );
    for (const folder of ['adapters', 'cli', 'extension'])
      for (const name of fs.readdirSync(path.join(process.env['REPOSITORY']!, 'src', folder), {
        recursive: true,
        encoding: 'utf8',
      }))
        if (name.endsWith('.ts'))
          assert.doesNotMatch(
            fs.readFileSync(path.join(process.env['REPOSITORY']!, 'src', folder, name), 'utf8'),
            bare,
            name,
          );
  });

  (process.platform === 'win32' ? describe : describe.skip)('on Windows', () => {
    it('ends a process, also if taskkill cannot', async () => {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
      const ended = once(child, 'exit');
      await killFamily(
        { shell: child.pid!, mark: 'A=B', outputs: '\0', device: undefined },
        { shell: true, politeMs: 0 },
      );
      await ended;
    });
    it('is not needed to list processes, which Windows does not do', () => {
      assert.deepEqual(allProcesses(), []);
      assert.deepEqual(relatives({ shell: process.pid, mark: 'A=B', outputs: '\0', device: undefined }), []);
    });
  });
});
