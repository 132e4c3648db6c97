import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { temporaryWorkspace } from '../support/temporaryWorkspace';

describe('npm run bench', () => {
  it('finds that what the host sends to the panel per token does not depend on the length of the run', function () {
    this.timeout(60_000);
    const folder = temporaryWorkspace();
    try {
      const { status, stderr } = spawnSync(
        process.execPath,
        [
          path.join(process.env['REPOSITORY']!, 'bench/bench.mjs'),
          '--only',
          'panel',
          '--json',
          folder.at('result.json'),
        ],
        { encoding: 'utf8' },
      );
      assert.equal(status, 0, stderr);
      const { rows } = JSON.parse(fs.readFileSync(folder.at('result.json'), 'utf8')) as {
        rows: { value: number; aim?: number }[];
      };
      const { value, aim } = rows.find((row) => row.aim !== undefined)!;
      assert.ok(value <= aim! && value > 0.9, `${value} times as much after 5,000 events`);
    } finally {
      folder.stop();
    }
  });

  it('says which measures there are', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(process.env['REPOSITORY']!, 'bench/bench.mjs'), '--only', 'weather'],
      { encoding: 'utf8' },
    );
    assert.equal(status, 1);
    assert.match(stderr, /no measure weather\. There are: bundles, steps,/);
  });
});
