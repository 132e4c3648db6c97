import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { AgentTerminal } from '../../../src/adapters/terminal/agentTerminal';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import { gitEditor } from '../../../src/adapters/processes/childEnvironment';
import { commandOptions, temporaryFolder } from '../../contracts/terminal.contract';

describe('variables handed from the sandbox to the shell outside', function () {
  this.timeout(60_000);
  before(async function () {
    if ('none' in (await findSandbox([temporaryFolder()]))) this.skip();
  }); // this machine does not support a sandbox

  it('do not decide what runs there', async () => {
    const cwd = temporaryFolder();
    const proof = path.join(cwd, 'proof');
    fs.writeFileSync(path.join(cwd, 'usercustomize.py'), `open('${proof}', 'w').write('python')\n`);
    fs.mkdirSync(path.join(cwd, 'src'));
    fs.writeFileSync(path.join(cwd, 'src/chosen.js'), `require('fs').writeFileSync('${proof}', 'node')`);
    const terminal = new AgentTerminal({
      cwd,
      folders: [cwd],
      wanted: 'on',
      outputFolder: temporaryFolder(),
      shell: '/bin/bash',
    });
    try {
      await terminal.run(
        'export PYTHONPATH=. NODE_PATH=src RAILS_ENV=production NODE_ENV=test GOFLAGS=-mod=vendor GIT_EDITOR=true PERL5LIB=. CLASSPATH=.',
        commandOptions(),
      );
      const { output, note } = await terminal.outside.run(
        'env | grep -E "^(PYTHONPATH|NODE_PATH|RAILS_ENV|NODE_ENV|GOFLAGS|GIT_EDITOR|PERL5LIB|CLASSPATH)="',
        commandOptions(),
      );
      // Git's editor is the one that both shells begin with.
      assert.equal(output, `NODE_ENV=test\nGIT_EDITOR=${gitEditor}\n`);
      const stayed = /Not passed to it: ([^.]*)\./.exec(note!)![1]!.split(', ').sort();
      assert.deepEqual(stayed, [
        'CLASSPATH',
        'GIT_EDITOR',
        'GOFLAGS',
        'NODE_PATH',
        'PERL5LIB',
        'PYTHONPATH',
        'RAILS_ENV',
      ]);
      await terminal.outside.run(
        `command -v python3 >/dev/null && python3 -c pass; '${process.execPath}' -e "try { require('chosen') } catch {}"`,
        commandOptions(),
      );
      assert.ok(!fs.existsSync(proof), 'code of the workspace ran outside');
    } finally {
      await terminal.dispose();
    }
  });
});
