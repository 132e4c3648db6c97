import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { launchProfile } from '../../scripts/host/browser.mjs';

describe('the browser of the window tests', () => {
  it('disables everything that Playwright disables', async function () {
    if (process.platform === 'win32') this.skip(); // no scripts with #!
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wm-browser-'));
    const [program, given] = [path.join(folder, 'browser'), path.join(folder, 'given')];
    fs.writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > '${given}'\nexit 1\n`, { mode: 0o755 });
    const before = process.env['WAYMARK_CHROMIUM'];
    process.env['WAYMARK_CHROMIUM'] = program;
    try {
      await assert.rejects(launchProfile(path.join(folder, 'profile'), { viewport: { width: 800, height: 600 } }));
      const lists = fs
        .readFileSync(given, 'utf8')
        .split('\n')
        .filter((option) => option.startsWith('--disable-features='))
        .map((option) => option.split('=')[1]!.split(','));
      assert.equal(lists.length, 2);
      assert.deepEqual(
        lists[0]!.filter((name) => !lists[1]!.includes(name)),
        [],
        'Chromium obeys only the last list',
      );
    } finally {
      if (before === undefined) delete process.env['WAYMARK_CHROMIUM'];
      else process.env['WAYMARK_CHROMIUM'] = before;
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
});
