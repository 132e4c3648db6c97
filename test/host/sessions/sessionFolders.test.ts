import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beganElsewhere, startingWith } from '../../../src/extension/sessions/sessionFolders';

describe('the folders of a session', () => {
  let open: string;
  let others: string;

  before(() => {
    [open, others] = ['open', 'others'].map((name) => fs.mkdtempSync(path.join(os.tmpdir(), `waymark-${name}-`))) as [
      string,
      string,
    ];
    fs.mkdirSync(path.join(open, 'below'));
  });

  after(() => {
    for (const folder of [open, others]) fs.rmSync(folder, { recursive: true });
  });

  it('start with the folder of the session, also if it is inside an open one', () => {
    assert.deepEqual(startingWith(others, [open, others]), [others, open]);
    const below = path.join(open, 'below');
    assert.deepEqual(startingWith(below, [open, others]), [below, open, others]);
  });

  it('do not include a folder that no longer exists', () => {
    const gone = path.join(open, 'gone');
    assert.deepEqual(startingWith(gone, [open, others]), [open, others]);
    assert.equal(beganElsewhere(gone, [open]), false);
  });

  it('are others if the session began in a folder that is not open', () => {
    assert.equal(beganElsewhere(others, [open]), true);
    assert.equal(beganElsewhere(path.join(open, 'below'), [open]), false);
  });
});
