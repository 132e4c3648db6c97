// The files through which Waymark drives its shells must be out of reach of what runs in the sandbox.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import { stateFolder } from '../../../src/adapters/storage/stateFolder';
import { AgentTerminal } from '../../../src/adapters/terminal/agentTerminal';
import { commandOptions, temporaryFolder } from '../../contracts/terminal.contract';

(process.platform === 'linux' ? describe : describe.skip)('the private files of a terminal', function () {
  const before = process.env['TMPDIR'];
  let root: string;
  let terminal: AgentTerminal;
  beforeEach(async function () {
    root = temporaryFolder();
    if (!('sandbox' in (await findSandbox([root])))) return this.skip();
    // Some people have their temporary files in their home folder, and open that.
    process.env['TMPDIR'] = path.join(root, 'tmp');
    fs.mkdirSync(path.join(root, 'tmp'));
    terminal = new AgentTerminal({
      cwd: root,
      folders: [root],
      wanted: 'auto',
      shell: 'bash',
      outputFolder: path.join(stateFolder(), `private-files-${process.pid}`, 'outputs'),
    });
  });
  afterEach(async () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    await terminal?.dispose();
  });

  it('are not in the workspace, even if its temporary files are', async () => {
    await terminal.outside.run('true', commandOptions({}));
    const elsewhere =
      'find / \\( -path /proc -o -path /usr -o -name node_modules -o -name .git \\) -prune -o -path "*terminals*" -name "waymark-*" -print';
    const listed = `find . -name "waymark-*"; ${elsewhere} 2>/dev/null; echo end`;
    const { output } = await terminal.run(listed, commandOptions({}));
    assert.equal(output.trim(), 'end');
  });
});

(process.platform === 'linux' ? describe : describe.skip)('a sandbox', () => {
  for (const folder of ['/', '/proc', '/proc/self', '/sys', '/dev', '/run'])
    it(`does not exist for ${folder}, and the reason says why`, async () => {
      const found = await findSandbox([folder]);
      assert.match('none' in found ? found.none : '', /contains devices, processes or sockets of the system/);
    });
});
