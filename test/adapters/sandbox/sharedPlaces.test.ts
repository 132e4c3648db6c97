// In a folder without Git, each sandbox guards an empty .git that exists only for it. Several may work there at once.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import type { Sandbox } from '../../../src/adapters/sandbox/sandbox';
import { AgentTerminal } from '../../../src/adapters/terminal/agentTerminal';
import { commandOptions, temporaryFolder } from '../../contracts/terminal.contract';

describe('sandboxes of one folder', function () {
  let root: string;
  let sandbox: () => Promise<Sandbox>;
  before(async function () {
    root = temporaryFolder();
    sandbox = async () => {
      const found = await findSandbox([root]);
      if (!('sandbox' in found)) throw new Error(found.none);
      return found.sandbox;
    };
    if (!('sandbox' in (await findSandbox([root])))) this.skip();
  });

  const guarded = (): boolean => fs.existsSync(path.join(root, '.git'));
  /** Prepares a start, as just before the sandbox mounts anything. */
  const prepare = (one: Sandbox): void => {
    const readable = temporaryFolder();
    one.wrap('sh', [], { readable, writable: path.join(readable, 'out') });
  };

  const terminalIn = (one: Sandbox, notices: string[]): AgentTerminal =>
    new AgentTerminal({
      cwd: root,
      folders: [root],
      wanted: 'auto',
      shell: 'bash',
      outputFolder: path.join(temporaryFolder(), 'outputs'),
      find: () => Promise.resolve({ sandbox: one }),
      onNotice: (text) => notices.push(text),
    });

  it('keep what they guard until the last of them ends, even if it has not started yet', async () => {
    const [first, second] = [await sandbox(), await sandbox()];
    prepare(first);
    prepare(first);
    prepare(second);
    assert.ok(guarded());
    first.end();
    assert.ok(guarded(), 'the second one is about to mount it');
    second.end();
    assert.ok(!guarded());
  });

  it('start again if the sandbox of another process deletes what they guard', async () => {
    const real = await sandbox();
    const notices: string[] = [];
    let starts = 0;
    const disturbed: Sandbox = {
      ...real,
      wrap: (...given) => {
        const line = real.wrap(...given);
        if (starts++ === 0) fs.rmSync(path.join(root, '.git'), { recursive: true });
        return line;
      },
    };
    const terminal = terminalIn(disturbed, notices);
    try {
      const { output, exitCode } = await terminal.run('tty', commandOptions({ tty: true }));
      assert.deepEqual([starts, exitCode, notices], [2, 0, []], output);
    } finally {
      await terminal.dispose();
    }
  });

  it('are started twice at most, and the error says why they do not start', async () => {
    const notices: string[] = [];
    let starts = 0;
    const broken: Sandbox = {
      ...(await sandbox()),
      wrap: () => {
        starts++;
        return { program: '/bin/sh', arguments: ['-c', 'echo "bwrap: Out of mounts" >&2; exit 1'] };
      },
    };
    const terminal = terminalIn(broken, notices);
    try {
      await assert.rejects(
        terminal.run('true', commandOptions({})),
        /The shell bash ended while it was starting: bwrap: Out of mounts/,
      );
      assert.deepEqual([starts, notices], [2, []]);
    } finally {
      await terminal.dispose();
    }
  });
});
