import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';
import { cliFile, ensureBuilt } from '../support/commandLine';

describe('a current folder that was deleted', function () {
  this.timeout(60_000);
  before(ensureBuilt);

  for (const command of ['run Task --base-url http://127.0.0.1:9 --model m', 'sessions', 'assess ls'])
    it(`is an error that says so: ${command}`, () => {
      const { root } = temporaryWorkspace();
      const { status, stderr } = spawnSync(
        '/bin/sh',
        ['-c', `mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" ${command}`, process.execPath, cliFile],
        { cwd: root, env: { ...process.env, HOME: root, XDG_STATE_HOME: root }, encoding: 'utf8' },
      );
      assert.equal(status, 1);
      assert.equal(
        stderr,
        'The current folder was deleted or cannot be opened. Change to another folder, and try again.\n',
      );
    });
});
