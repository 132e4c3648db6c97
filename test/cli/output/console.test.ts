import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cliFile, ensureBuilt } from '../support/commandLine';

describe('what packages print with console', () => {
  before(ensureBuilt);

  it('goes to stderr, formatted as Node does and without control characters', () => {
    const words = `"said %s","it\\x1b[2J",Object.create(null)`;
    const program = `process.on("exit",()=>console.log(${words}))`;
    const { stdout, stderr, status } = spawnSync(process.execPath, [cliFile, '--version'], {
      env: { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` },
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    assert.equal(stderr, 'said it\\u{1b}[2J [Object: null prototype] {}\n');
    assert.match(stdout, /^\S+\n$/);
  });
});
