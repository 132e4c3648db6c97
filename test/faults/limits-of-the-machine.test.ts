import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { findSandbox } from '../../src/adapters/sandbox/findSandbox';
import { accounts, sandboxed, withBubblewrap } from '../adapters/support/sandboxedCommands';
import { ensureBuilt, onMachine } from '../cli/support/commandLine';
import { temporaryFolder } from '../contracts/terminal.contract';
import { reply, toolCall } from '../support/modelServer';
import { readOnlyDisk, smallDisk } from './support/smallDisk';

describe('a machine with few resources', function () {
  this.timeout(120_000);
  before(() => {
    ensureBuilt();
  });

  /** Runs a command with these environment variables and returns its output. */
  const ranWith = (
    environment: NodeJS.ProcessEnv,
  ): Promise<{ code: number | null; printed: string; file: string | undefined }> =>
    onMachine(
      [toolCall('run_command', { command: 'echo ran > file' }), reply('Done.')],
      async ({ start, args, workspace }) => {
        const { code, stdout, stderr } = await start(args('Try.', '--confirm', 'never'), environment).ended;
        const file = fs.existsSync(workspace.at('file')) ? fs.readFileSync(workspace.at('file'), 'utf8') : undefined;
        return { code, printed: stdout + stderr, file };
      },
    );
  const goesOn = async (environment: NodeJS.ProcessEnv): Promise<void> => {
    const { code, printed, file } = await ranWith(environment);
    assert.deepEqual({ code, file }, { code: 0, file: 'ran\n' }, printed);
  };

  it('runs commands if TMPDIR does not exist', () => goesOn({ TMPDIR: path.join(temporaryFolder(), 'not', 'there') }));

  it('runs commands if TMPDIR is a file', () => {
    const file = path.join(temporaryFolder(), 'file');
    fs.writeFileSync(file, '');
    return goesOn({ TMPDIR: file });
  });

  it('runs commands if TMPDIR is full', async function () {
    const disk = smallDisk();
    if (!disk) this.skip(); // a disk cannot be mounted here
    try {
      disk.fill(0);
      await goesOn({ TMPDIR: disk.folder });
    } finally {
      disk.stop();
    }
  });

  it('runs commands if TMPDIR is read-only', async function () {
    const disk = readOnlyDisk();
    if (!disk) return this.skip(); // a disk cannot be mounted read-only here
    try {
      await goesOn({ TMPDIR: disk.folder });
    } finally {
      disk.stop();
    }
  });

  it('finishes a run if HOME is a file', async () => {
    const file = path.join(temporaryFolder(), 'file');
    fs.writeFileSync(file, '');
    // Nothing can be stored below a file.
    await goesOn({ HOME: file, XDG_STATE_HOME: path.join(file, 'state') });
  });

  describe('and too few processes for a sandbox', () => {
    before(async function () {
      if ('none' in (await findSandbox([temporaryFolder()]))) this.skip();
    }); // this machine does not support a sandbox

    for (const account of accounts) {
      it(`runs no command of ${account.name} without one, and continues in one when there are more`, async () => {
        const words = 'bwrap: Creating new namespace failed: Resource temporarily unavailable';
        const never = `#!/bin/sh\necho '${words}' >&2; exit 1\n`;
        const { cwd, results, notices } = await sandboxed(account, ['touch outside', 'touch outside'], {
          environment: withBubblewrap(never),
          wanted: 'auto',
        });
        for (const { refused } of results) {
          assert.match(
            refused!,
            /^The command was not run: bubblewrap is installed but could not be started now \(bwrap: .*Resource temporarily unavailable\)\. End other programs, or raise the limits/,
          );
        }
        assert.deepEqual(fs.readdirSync(cwd), []);
        assert.deepEqual(
          notices.filter((text) => text.includes('without a sandbox')),
          [],
        );

        const seen = path.join(temporaryFolder(), 'seen');
        fs.chmodSync(path.dirname(seen), 0o777);
        const once = `#!/bin/sh\nif [ ! -e '${seen}' ]; then : > '${seen}'; echo '${words}' >&2; exit 1; fi\nexec BWRAP "$@"\n`;
        const later = await sandboxed(account, ['true', 'touch inside'], {
          environment: withBubblewrap(once),
          wanted: 'auto',
        });
        assert.ok(fs.existsSync(seen));
        assert.deepEqual([later.results[1]!.refused, later.results[1]!.sandbox], [undefined, 'inside']);
      });
    }
  });
});
