import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { cliFile } from '../support/commandLine';
import { finish, jsonLines, onBatchMachine } from './support';

describe('a task process whose worker is gone', function () {
  this.timeout(120_000);

  it('leaves nothing in its folder after another worker has already removed it', async () => {
    await onBatchMachine(async (machine) => {
      const script = machine.write('script.jsonl', jsonLines([finish()]));
      const ownFolder = machine.at('tmp/waymark-worker-swept');
      const job = {
        task: { index: 0, id: 'a', named: true, prompt: 'Do.' },
        batch: 0,
        sources: { base: machine.at(), repositories: machine.at(), within: [machine.at()], leftOut: [], hidden: [] },
        options: { settings: { sandbox: 'off' }, script },
        unstored: {},
        toolsets: [],
        log: `${ownFolder}/log.waymark.jsonl`,
        logName: '',
        outcome: `${ownFolder}/outcome.json`,
        ownFolder,
        keepsWithoutReasoning: false,
        checks: false,
        checkSeconds: 0,
        asksForRequests: false,
      };
      const child = spawn(process.execPath, [cliFile, 'batch-task'], { env: machine.environment, stdio: 'pipe' });
      child.stdout.resume();
      child.stderr.resume();
      child.stdin.end(`${JSON.stringify(job)}\n`);
      await new Promise((resolve) => child.on('close', resolve));
      assert.equal(fs.existsSync(ownFolder), false);
      assert.deepEqual(machine.leftovers(), []);
    });
  });
});
