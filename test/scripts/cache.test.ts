import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { once } from '../../scripts/host/cache.mjs';
import { packagesMatchLock } from '../../scripts/host/packages.mjs';

describe('a cached download', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wm-cache-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('appears complete and is not fetched again', async () => {
    const tools = path.join(folder, 'tools');
    let fills = 0;
    const fill = (building: string): void => {
      fills++;
      fs.writeFileSync(path.join(building, 'node'), 'binary');
    };
    await once(tools, fill);
    await once(tools, fill);
    assert.equal(fills, 1);
    assert.deepEqual(fs.readdirSync(folder), ['tools']);
    assert.equal(fs.readFileSync(path.join(tools, 'node'), 'utf8'), 'binary');
  });

  it('is one complete copy if two runs fetch it at once', async () => {
    const tools = path.join(folder, 'tools');
    const fill =
      (name: string) =>
      async (building: string): Promise<void> => {
        fs.writeFileSync(path.join(building, 'a'), name);
        await new Promise((resolve) => setTimeout(resolve, 20));
        fs.writeFileSync(path.join(building, 'b'), name);
      };
    await Promise.all([once(tools, fill('first')), once(tools, fill('second'))]);
    assert.deepEqual(fs.readdirSync(folder), ['tools']);
    assert.equal(fs.readFileSync(path.join(tools, 'a'), 'utf8'), fs.readFileSync(path.join(tools, 'b'), 'utf8'));
  });

  it('does not exist if fetching fails', async () => {
    await assert.rejects(
      once(path.join(folder, 'tools'), (building) => {
        fs.writeFileSync(path.join(building, 'half'), '');
        throw new Error('no network');
      }),
      /no network/,
    );
    assert.deepEqual(fs.readdirSync(folder), []);
  });
});

describe('the installed packages', () => {
  let folder: string;
  const write = (name: string, packages: object): void => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), JSON.stringify({ packages }));
  };
  const lock = {
    '': { name: 'x' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/for-windows': { version: '2.0.0', optional: true },
  };
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wm-lock-'));
    write('package-lock.json', lock);
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('are missing in a fresh clone', () => assert.equal(packagesMatchLock(folder), false));

  it('match the lock file despite missing packages of other platforms', () => {
    write('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.0' } });
    assert.equal(packagesMatchLock(folder), true);
  });

  it('do not match if one has another version', () => {
    write('node_modules/.package-lock.json', { 'node_modules/a': { version: '1.0.1' } });
    assert.equal(packagesMatchLock(folder), false);
  });
});
