import assert from 'node:assert/strict';
import fs from 'node:fs';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import { AgentTerminal } from '../../../src/adapters/terminal/agentTerminal';
import { commandOptions, temporaryFolder } from '../../contracts/terminal.contract';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

describe('the sandbox of several folders', function () {
  this.timeout(60_000);
  let place: TemporaryWorkspace;
  let terminal: AgentTerminal;
  before(async function () {
    if ('none' in (await findSandbox([temporaryFolder()]))) this.skip();
  }); // this machine does not support a sandbox
  beforeEach(() => {
    place = temporaryWorkspace();
    place.place('first/a', 'a\n');
    place.place('second/b', 'b\n');
    place.place('other/c', 'c\n');
    const folders = [place.at('first'), place.at('second')];
    terminal = new AgentTerminal({
      cwd: folders[0]!,
      folders,
      wanted: 'on',
      outputFolder: place.at('outputs'),
      shell: '/bin/bash',
    });
  });
  afterEach(async () => {
    await terminal.dispose();
    place.stop();
  });
  const run = async (command: string): Promise<string> => (await terminal.run(command, commandOptions())).output;
  const write = 'for f in . ../second ../other; do touch $f/new 2>/dev/null && echo $f; done';

  it('lets commands write in both and nowhere else', async () => {
    assert.equal(await run(write), '.\n../second\n');
  });

  it('begins without a folder that does not exist', async () => {
    fs.rmSync(place.at('second'), { recursive: true });
    assert.equal(await run(write), '.\n');
  });

  it('begins again after a folder was deleted, or replaced by a link to a folder outside', async () => {
    for (const replace of [() => undefined, () => fs.symlinkSync('other', place.at('second'))]) {
      await run('true');
      fs.rmSync(place.at('second'), { recursive: true, force: true });
      replace();
      await run('exit');
      assert.equal(await run(write), '.\n');
      assert.ok(!fs.existsSync(place.at('other/new')));
    }
  });
});
