import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { readTextOrEmpty } from '../../../src/adapters/storage/lenientReads';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';

describe('a file that may be unreadable', () => {
  it('is empty if it is a pipe or a device, and nobody waits for it', function () {
    if (process.platform === 'win32') this.skip();
    const place = temporaryWorkspace();
    // A reader that waits would stop this process for good, so somebody opens the pipe after a while.
    const script = 'sleep 3; echo written > "$0"; touch "$1"';
    const [pipe, released] = [place.at('pipe'), place.at('released')];
    execFileSync('mkfifo', [pipe]);
    const writer = spawn('sh', ['-c', script, pipe, released], { stdio: 'ignore', detached: true });
    try {
      assert.equal(readTextOrEmpty(pipe), '');
      assert.equal(fs.existsSync(released), false);
      assert.equal(readTextOrEmpty('/dev/null'), '');
      place.place('file', 'text');
      assert.equal(readTextOrEmpty(place.at('file')), 'text');
    } finally {
      process.kill(-writer.pid!, 'SIGKILL');
      place.stop();
    }
  }).timeout(20_000);
});
