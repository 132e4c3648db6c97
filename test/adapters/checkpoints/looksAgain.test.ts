import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RunChanges } from '../../../src/adapters/checkpoints/restoring/runChanges';
import { seededRandom } from '../../../src/core/model/sampling/seededRandom';
import { recordedFolder, type RecordedFolder } from './recordedFolder';

const seed = Number(process.env['FILES_SEED'] ?? 20261123);
const rounds = 20;
const names = Array.from({ length: 12 }, (_, at) => `file${at}.txt`);

/** Changes of a file that are easily missed. `text` is as long as the content that the agent left. */
const changes: readonly ((file: string, text: string) => void)[] = [
  (file, text) => fs.writeFileSync(file, text),
  (file, text) => {
    const { atimeMs, mtimeMs } = fs.statSync(file);
    fs.writeFileSync(file, text);
    fs.utimesSync(file, atimeMs / 1000, mtimeMs / 1000);
  },
  (file, text) => {
    const { atimeMs, mtimeMs } = fs.statSync(file);
    fs.writeFileSync(`${file}.new`, text);
    fs.utimesSync(`${file}.new`, atimeMs / 1000, mtimeMs / 1000);
    fs.renameSync(`${file}.new`, file);
  },
  (file) => fs.chmodSync(file, fs.statSync(file).mode ^ 0o100),
  (file) => fs.rmSync(file),
  (file) => {
    fs.rmSync(file);
    fs.symlinkSync('nowhere', file);
  },
];

describe('repeated scans of files that others change', () => {
  let folder: RecordedFolder;
  beforeEach(() => {
    folder = recordedFolder(Object.fromEntries(names.map((name) => [name, `one\ntwo ${name}\n`])));
  });
  afterEach(() => folder.end());

  it('find the same changes as a fresh scan', async () => {
    const { place, store, log, run } = folder;
    const at = (name: string): string => place.at('work', name);
    const held = (name: string, word: string): string => `${word}\nTWO ${name}\n`;
    const shout = (): void => {
      for (const name of names) {
        fs.rmSync(at(name), { force: true });
        fs.writeFileSync(at(name), held(name, 'one'));
      }
    };
    const checkpoint = await run.before('shout');
    shout();
    await checkpoint.after();
    const here = new RunChanges(log, store, (file) => file);
    const found = async (changesHere: RunChanges) => {
      await changesHere.refresh();
      return (await changesHere.changes()).map(({ path: file, kind, hunks }) => [
        path.basename(file),
        kind,
        hunks.map(({ id, kind: what, isContested }) => [id, what, isContested]),
      ]);
    };
    const random = seededRandom(seed);
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
    for (let round = 0; round < rounds; round++) {
      // Timestamps that are too recent are not trusted.
      await pause(120);
      await found(here);
      for (let count = 0; count < 3; count++) {
        const name = pick(names);
        if (fs.lstatSync(at(name), { throwIfNoEntry: false })?.isFile())
          pick(changes)(at(name), held(name, pick(['uno', 'due', 'one'])));
        const now = await found(here);
        assert.deepEqual(now, await found(new RunChanges(log, store, (file) => file)), `seed ${seed}, round ${round}`);
      }
      if (random() < 0.2) shout();
    }
  });
});
