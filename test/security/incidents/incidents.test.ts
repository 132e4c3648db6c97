import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { declared } from './incident';
import './commandApproval';
import './ownPermissions';
import './paths';
import './openingRepository';
import './rendering';
import './supplyChain';
import './boundaries';
import './twoYeses';
import './decidesLater';
import './planMode';
import './lookedAt';

// For scripts/tables/incidents.mjs, which writes the table.
if (process.env.WAYMARK_INCIDENTS) fs.writeFileSync(process.env.WAYMARK_INCIDENTS, JSON.stringify(declared));

describe('the table of incidents', () => {
  const words = (text: string): string => text.replaceAll('|', '\\|');

  it('contains every row of the reference once, followed by those found here', () => {
    const [ofReference, foundHere] = [66, 15];
    assert.deepEqual(
      declared.map(({ row }) => row).sort((a, b) => a - b),
      Array.from({ length: ofReference + foundHere }, (_, index) => index + 1),
    );
  });

  it('matches docs/incidents.md', () => {
    const page = fs.readFileSync(path.join(process.env.REPOSITORY!, 'docs/incidents.md'), 'utf8');
    for (const { row, id, happened, protects, file, open } of declared) {
      const line = page.split('\n').find((one) => one.startsWith(`| ${row} |`)) ?? '';
      for (const said of [id, happened, protects, file, open?.why ?? ''])
        assert.ok(line.includes(words(said)), `row ${row} is described otherwise: run npm run incidents`);
    }
  });
});
