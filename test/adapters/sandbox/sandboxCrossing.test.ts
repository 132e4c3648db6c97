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

describe('what a command in the sandbox can have written', function () {
  this.timeout(60_000);
  before(async function () {
    if ('none' in (await findSandbox([temporaryFolder()]))) this.skip();
  }); // this machine does not support a sandbox

  it('is only inside, unless it ran outside or an earlier one still runs there', async () => {
    const cwd = temporaryFolder();
    const terminal = new AgentTerminal({
      cwd,
      folders: [cwd],
      wanted: 'on',
      outputFolder: temporaryFolder(),
      shell: '/bin/bash',
    });
    try {
      await terminal.run('true', commandOptions());
      assert.equal(await terminal.wroteOnlyInside(), true);
      await terminal.outside.run('sleep 60 & true', commandOptions());
      assert.equal(await terminal.wroteOnlyInside(), false);
      await terminal.run('true', commandOptions());
      assert.equal(await terminal.wroteOnlyInside(), false, 'a process outside is left');
      await terminal.outside.run('kill %1; wait', commandOptions());
      await terminal.run('true', commandOptions());
      assert.equal(await terminal.wroteOnlyInside(), true);
      await terminal.outside.run('sleep 1 & true', commandOptions());
      await terminal.run('sleep 2', commandOptions());
      assert.equal(await terminal.wroteOnlyInside(), false, 'a process outside ran at first');
      await terminal.run('true', commandOptions());
      assert.equal(await terminal.wroteOnlyInside(), true);
    } finally {
      await terminal.dispose();
    }
  });

  it('is anything without a sandbox', async () => {
    const cwd = temporaryFolder();
    const terminal = new AgentTerminal({ cwd, folders: [cwd], wanted: 'off', outputFolder: cwd, shell: '/bin/bash' });
    try {
      await terminal.run('true', commandOptions());
      assert.equal(await terminal.wroteOnlyInside(), false);
    } finally {
      await terminal.dispose();
    }
  });
});
