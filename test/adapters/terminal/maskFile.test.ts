import assert from 'node:assert/strict';
import fs from 'node:fs';
import { maskFile } from '../../../src/adapters/terminal/output/maskFile';
import { secrets } from '../../../src/core/secrets/secrets';
import { MASK } from '../../../src/core/secrets/secretShapes';
import { freshForEach, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

let workspace: TemporaryWorkspace;
const megabyte = 'ordinary words of a log, line after line\n'.repeat(26_000);
const value = 'harbour-Lamp-40417-otter';

/** Returns a file with this content after its secrets were masked. */
async function masked(content: string | Buffer): Promise<{ bytes: Buffer; isSameFile: boolean; names: string[] }> {
  const file = workspace.at('output.txt');
  fs.writeFileSync(file, content, { mode: 0o600 });
  const before = fs.statSync(file);
  await maskFile(file);
  const after = fs.statSync(file);
  if (process.platform !== 'win32') assert.equal(after.mode & 0o777, 0o600);
  return { bytes: fs.readFileSync(file), isSameFile: before.ino === after.ino, names: workspace.names() };
}

describe('the output file of a flood', () => {
  freshForEach((fresh) => (workspace = fresh));
  before(() => secrets.learn(value));

  it('has secrets masked wherever its pieces are split, and nothing else changed', async () => {
    for (const at of [131_072 - 10, 131_072 * 3 - 1, megabyte.length - 3]) {
      const whole = megabyte.slice(0, at) + ` ${value} ghp_${'a1B2c3D4'.repeat(5)} ` + megabyte.slice(at);
      const { bytes, names } = await masked(whole);
      const expected = `${megabyte.slice(0, at)} ${MASK} ${MASK} ${megabyte.slice(at)}`;
      assert.ok(bytes.toString() === expected, `at ${at}`);
      assert.deepEqual(names, ['output.txt']);
    }
  });

  it('keeps characters beyond 16 bits whole wherever its pieces are split', async () => {
    const signs = '🎉'.repeat(90_000);
    for (const before of ['', 'x']) {
      const { bytes } = await masked(`${before}${signs} ${value} ${signs}`);
      assert.ok(bytes.toString() === `${before}${signs} ${MASK} ${signs}`, `behind "${before}"`);
    }
  });

  it('is unchanged byte for byte if it has no secrets', async () => {
    const content = Buffer.concat([Buffer.from(megabyte), Buffer.from([0xff, 0xfe, 0x00, 0xc3]), Buffer.from('äöü')]);
    const { bytes, isSameFile } = await masked(content);
    assert.ok(bytes.equals(content));
    assert.ok(isSameFile, 'a file without secrets was written again');
  });

  it('is masked even if it already contained the mask', async () => {
    const { bytes } = await masked(`${MASK} ${megabyte}${value}`);
    assert.ok(bytes.toString() === `${MASK} ${megabyte}${MASK}`);
  });
});
