import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { declared } from './support/conforms';
import { everyId } from './support/ids';
import './msa';
import './msaInteractive';
import './msaBatch';
import './msaVerifier';
import './her';
import './herBatch';
import './herContext';
import './herTools';
import './herApprovals';
import './oh';
import './ohContext';
import './ohRisk';
import './af';
import './exports';

describe('the conformance suite', () => {
  it('declares a result for every id of the reference', () => {
    assert.deepEqual(declared.map(({ id }) => id).sort(), [...everyId].sort());
  });

  it('matches docs/conformance.md: every id once with its own words', () => {
    const rows = fs
      .readFileSync(path.join(process.env.REPOSITORY!, 'docs/conformance.md'), 'utf8')
      .split('## What the originals do')[1]!
      .split('\n')
      .filter((line) => /^\| [A-Z]+-/.test(line))
      .map((line) =>
        line
          .split(/(?<!\\)\|/)
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    const known = new Map(declared.map(({ id, words }) => [id, words]));
    assert.deepEqual(
      rows.map(([id]) => id),
      everyId,
      'run npm run conformance',
    );
    for (const [id, , words] of rows)
      assert.equal(
        words!.replaceAll('\\|', '|'),
        known.get(id!),
        `${id} is described otherwise: run npm run conformance`,
      );
  });
});
