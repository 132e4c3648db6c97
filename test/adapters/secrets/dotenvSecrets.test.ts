import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { learnDotenvBelow } from '../../../src/adapters/secrets/dotenvSecrets';
import { createTerminal } from '../../../src/adapters/terminal/ptyTerminal';
import { OutputFile } from '../../../src/adapters/terminal/output/outputFile';
import { Secrets, secrets } from '../../../src/core/secrets/secrets';
import { MASK } from '../../../src/core/secrets/secretShapes';
import { readFile } from '../../../src/core/tools/native/readFile';
import { wholeResult } from '../../../src/core/tools/addedTool';
import { commandOptions } from '../../contracts/terminal.contract';
import { onSlowDisk } from '../../support/slowDisk';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

let made = 0;
/** A value without a recognizable shape, different each time. */
const value = (): string => `harbour lantern ${(made++).toString(36)}x willow ${process.pid} orchard`;

async function inWorkspace(use: (workspace: TemporaryWorkspace) => Promise<void>): Promise<void> {
  const workspace = temporaryWorkspace();
  try {
    await use(workspace);
  } finally {
    workspace.stop();
  }
}

const isKnown = (text: string): boolean => secrets.mask(`before ${text} after`) === `before ${MASK} after`;

describe('.env files below a folder', () => {
  it('have their secrets learned at any depth, ignored by Git or not', () =>
    inWorkspace(async ({ root, place }) => {
      const places = [
        '.env',
        'sub/.env',
        'a/b/c/d/e/.env.local',
        'dist/.env.production',
        '.hidden/.envrc',
        'services/web/.dev.vars',
      ];
      const values = places.map(value);
      places.forEach((name, index) => place(name, `MY_PASSWORD="${values[index]}"\n`));
      place('.gitignore', '.env*\ndist\n.hidden\n');
      const foreign = value();
      place('node_modules/x/test/.env', `MY_PASSWORD="${foreign}"\n`);
      await learnDotenvBelow([root]);
      for (const [index, one] of values.entries()) assert.ok(isKnown(one), places[index]);
      assert.ok(!isKnown(foreign), 'what others published is no secret of the project');
    }));

  it('are learned later too: in new folders, in existing folders and after changes', () =>
    inWorkspace(async ({ root, at, place }) => {
      place('old/x.txt', '');
      place('old/.env', 'A=1\n');
      await learnDotenvBelow([root]);
      const [fresh, changed, deep] = [value(), value(), value()];
      place('old/.env.local', `API_TOKEN='${fresh}'\n`);
      place('old/.env', `API_TOKEN='${changed}'\n`);
      place('new/er/.env', `API_TOKEN='${deep}'\n`);
      await learnDotenvBelow([root]);
      for (const one of [fresh, changed, deep]) assert.ok(isKnown(one), one);
      fs.rmSync(at('new'), { recursive: true });
      await learnDotenvBelow([root]);
    }));

  it('are learned later too on a slow disk', () =>
    inWorkspace(async ({ root, place }) => {
      for (let folder = 0; folder < 40; folder++) place(`old-${folder}/x.txt`, '');
      await learnDotenvBelow([root]);
      const [fresh, deep] = [value(), value()];
      for (let folder = 0; folder < 40; folder++) place(`old-${folder}/.env`, `API_TOKEN='${fresh} ${folder}'\n`);
      place('old-39/new/.env', `API_TOKEN='${deep}'\n`);
      await onSlowDisk(() => learnDotenvBelow([root]));
      for (let folder = 0; folder < 40; folder++) assert.ok(isKnown(`${fresh} ${folder}`), `${folder}`);
      assert.ok(isKnown(deep));
    }));

  it('are learned before a second caller continues, even if another one started the scan', () =>
    inWorkspace(async ({ root, place }) => {
      for (let folder = 0; folder < 1200; folder++) place(`packages/p${folder}/a.ts`, '');
      const one = value();
      place('packages/p0/.env', `MY_PASSWORD="${one}"\n`);
      void learnDotenvBelow([root]);
      await learnDotenvBelow([root]);
      assert.ok(isKnown(one));
    }));

  it('are not scanned again if nothing changed', () =>
    inWorkspace(async ({ root, place }) => {
      for (let folder = 0; folder < 60; folder++) place(`packages/p${folder}/src/a.ts`, '');
      for (const name of fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).reverse())
        fs.utimesSync(path.join(root, name), 1_000_000, 1_000_000);
      fs.utimesSync(root, 1_000_000, 1_000_000);
      const real = fs.readdirSync;
      let looked = 0;
      fs.readdirSync = ((...given: Parameters<typeof real>) => {
        looked++;
        return real(...given);
      }) as typeof real;
      try {
        await learnDotenvBelow([root]);
        const first = looked;
        await learnDotenvBelow([root]);
        assert.ok(first > 120, `${first} folders were looked into at first`);
        assert.equal(looked, first, 'and none of them again');
      } finally {
        fs.readdirSync = real;
      }
    }));

  it('created by a command are masked in that command’s output', () =>
    inWorkspace(async ({ root, at }) => {
      const terminal = createTerminal({ cwd: root, outputFolder: path.join(at('..'), 'outputs'), shell: '/bin/bash' });
      try {
        const one = value();
        const { output } = await terminal.run(
          `mkdir -p deep/below && printf 'DB_PASSWORD="%s"\\n' '${one}' > deep/below/.env && cat deep/below/.env`,
          commandOptions(),
        );
        assert.equal(output.trim(), `DB_PASSWORD="${MASK}"`);
      } finally {
        await terminal.dispose();
      }
    }));
});

describe('a secret cut off by a length limit', () => {
  it('is masked at the beginning and at the end', () => {
    const own = new Secrets();
    own.learn('correct horse battery staple');
    assert.equal(own.maskCutEnds('the words are correct horse bat', { end: true }), `the words are ${MASK}`);
    assert.equal(own.maskCutEnds('ttery staple are the words', { start: true }), `${MASK} are the words`);
    const encoded = Buffer.from('correct horse battery staples.').toString('base64');
    assert.equal(
      own.maskCutEnds(`${encoded.slice(11)} in base64`, { start: true }),
      `${MASK}${encoded.slice(-3)} in base64`,
    );
    assert.equal(own.maskCutEnds('nothing cor', { end: true }), 'nothing cor', 'what tells nothing stays');
    assert.equal(own.maskCutEnds('correct horse bat', {}), 'correct horse bat', 'where nothing was cut');
  });

  it('is masked in a shortened line and in a shortened result', async () => {
    const one = value();
    secrets.learn(one);
    for (let shift = 1; shift < one.length; shift += 5) {
      const line = `${'x'.repeat(2000 - shift)}${one}${'y'.repeat(100)}`;
      const { content } = await readFile.bind({ path: 'a.txt' }).run({
        environment: { files: { read: async () => ({ path: 'a.txt', text: line, version: '1' }) } },
        versionSeen: () => undefined,
        history: [],
      } as never);
      assert.ok(!content.includes(one.slice(0, 5)), content.slice(1990, 2020));
      const { content: result } = await wholeResult(
        { content: `${'x'.repeat(35_000 - shift)}${one}${'y'.repeat(20_000)}` },
        undefined,
      );
      assert.ok(!result.includes(one.slice(0, 5)));
    }
  });

  it('is masked at the edges of a truncated output', () =>
    inWorkspace(async ({ at, place }) => {
      const one = value();
      secrets.learn(one);
      // A redrawn progress bar collapses to nothing, so that the edge of the read part is shown.
      const bar = '\r=>'.repeat(21_830);
      for (const shift of [6, 15, 24]) {
        place('out.txt', `${bar}${'\r'.repeat(65_536 - bar.length - shift)}${one}${'z'.repeat(300_000)}`);
        assert.ok(!new OutputFile(at('out.txt')).take().text.includes(one.slice(0, 6)), `the head, ${shift}`);
        place('out.txt', `${'z'.repeat(300_000)}${one}\n${bar}${'\r'.repeat(65_535 - bar.length - shift)}`);
        assert.ok(!new OutputFile(at('out.txt')).take().text.includes(one.slice(-6)), `the tail, ${shift}`);
      }
    }));
});
