import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { AgentTerminal } from '../../../src/adapters/agentTerminal';
import { findSandbox } from '../../../src/adapters/sandbox';
import { accounts, sandboxed } from '../../adapters/support/sandboxedCommands';
import { commandOptions, temporaryFolder } from '../../contracts/terminal.contract';
import { section } from './incident';

/** On a machine where no sandbox can be made, nothing can be said about it. */
const needs = async (): Promise<boolean> => 'sandbox' in await findSandbox([temporaryFolder()]);

// These were done to Waymark itself, by trying.
section('The boundaries of the sandbox', 'boundaries.ts', declare => {
  declare({
    row: 67, id: 'Waymark: kernel settings', needs,
    happened: 'As root, a command in the sandbox wrote `kernel.core_pattern`, which names a program that the kernel starts outside.',
    protects: 'The switches of the kernel are read-only inside, root cannot make namespaces there, and where that does not hold there is no sandbox for root.',
  }, Object.fromEntries(accounts.map(account => [`${account.name} changes no setting of the kernel`, async () => {
    const settings = ['/proc/sys/kernel/core_pattern', '/proc/sys/kernel/modprobe', '/proc/sys/vm/drop_caches'];
    const { results } = await sandboxed(account, settings.map(setting => `(: >> ${setting})`));
    for (const { exitCode, output } of results) assert.notEqual(exitCode, 0, output);
  }])));
  declare({
    row: 68, id: 'Waymark: fork bombs', needs,
    happened: 'A fork bomb in the sandbox took all processes of the machine, since nothing inside was bounded.',
    protects: 'Processes, memory, disk and processor time of the sandbox have limits that the person sets; beyond them it is ended from outside.',
  }, Object.fromEntries(accounts.map(account => [`of ${account.name} ends as one failed command`, async () => {
    // It would come to an end by itself, so that a sandbox without limits does not take the machine of the tests.
    const bomb = 'bomb() { if [ "$1" -gt 0 ]; then bomb $(($1 - 1)) & bomb $(($1 - 1)) & fi; sleep 20; }; bomb 10';
    const { results: [burst, next] } = await sandboxed(account, [bomb, 'echo usable'], { limits: { processes: 150 } });
    assert.equal(burst!.end, 'shell_died');
    assert.match(burst!.note!, /more than 150 processes/);
    assert.equal(next!.output, 'usable\n');
  }])));
  declare({
    row: 69, id: 'Waymark: variables that cross', needs,
    happened: 'A variable that was set in the sandbox (`PYTHONPATH=.`) went along to the shell outside, where the next program loaded code of the workspace.',
    protects: 'Only a short list of variables goes from the sandbox to the shell outside, none of which names a file, a folder or a program.',
  }, {
    'no code of the workspace is loaded outside': async world => {
      const { workspace } = world.repository({ 'src/chosen.js': 'require("node:fs").writeFileSync("../pwned", "")' });
      const terminal = new AgentTerminal({ cwd: workspace.root, folders: [workspace.root], wanted: 'on', outputFolder: temporaryFolder(), shell: '/bin/bash' });
      world.after(() => terminal.dispose());
      await terminal.run('export NODE_PATH=src', commandOptions());
      const load = `'${process.execPath}' -e "require('chosen')"`;
      const { exitCode, note } = await terminal.outside.run(load, commandOptions());
      assert.notEqual(exitCode, 0);
      assert.match(note!, /Not handed on to it: NODE_PATH/);
      assert.equal(fs.existsSync(workspace.at('../pwned')), false);
      const known = await terminal.outside.run(`NODE_PATH=src ${load}`, commandOptions());
      assert.equal(known.exitCode, 0, 'the trick is a sham');
    },
  });
});
