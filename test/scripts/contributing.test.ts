import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chooseStages } from '../../scripts/stages.mjs';
import { faultKinds } from '../chaos/kinds';

const root = process.env.REPOSITORY!;
const page = fs.readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');

/** The TypeScript blocks of the page, by the last file that the text before each one names. */
function filesOnPage(): Map<string, string> {
  const files = new Map<string, string>();
  let named = '';
  for (const part of page.matchAll(/```ts\n([\s\S]*?)```|`([\w/.-]+\.ts)`/g)) {
    const [, code, file] = part;
    if (file !== undefined) named = file;
    else if (code !== undefined) files.set(named, code.replaceAll(/^ {3}/gm, ''));
  }
  return files;
}

describe('CONTRIBUTING.md', () => {
  it('contains an example tool whose test passes', function () {
    this.timeout(300_000);
    const files = filesOnPage();
    assert.deepEqual(
      [...files.keys()],
      ['src/core/tools/native/countWords.ts', 'test/core/tools/native/countWords.test.ts'],
    );
    const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-contributing-'));
    try {
      for (const part of ['package.json', 'tsconfig.json', 'scripts', 'src', 'test/support']) {
        fs.cpSync(path.join(root, part), path.join(copy, part), { recursive: true });
      }
      fs.symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
      for (const [name, code] of files) {
        fs.mkdirSync(path.dirname(path.join(copy, name)), { recursive: true });
        fs.writeFileSync(path.join(copy, name), code, { flag: 'wx' });
      }
      const unit = [path.join(copy, 'scripts/unit.mjs'), 'core/tools/native/countWords.test.ts'];
      const env = { ...process.env, MOCHA_REPORTER: 'spec' };
      const output = execFileSync(process.execPath, unit, { cwd: copy, encoding: 'utf8', env });
      assert.match(output, /1 passing/);
    } finally {
      fs.rmSync(copy, { recursive: true, force: true });
    }
  });

  it('names only existing files, except those of the example', () => {
    const named = [...page.matchAll(/`((?:src|test|scripts|docs)\/[\w/.-]+\.\w+)`/g)].map(([, name]) => name!);
    const example = filesOnPage();
    assert.ok(named.length > example.size);
    assert.deepEqual(
      named.filter((name) => !example.has(name) && !fs.existsSync(path.join(root, name))),
      [],
    );
  });

  it('names commands whose stages, suites and fault kinds exist', () => {
    const commands = [...page.matchAll(/(npm test -- [^`#\n]*|node scripts\/unit\.mjs [^`#\n]*)/g)];
    assert.ok(commands.length > 6);
    for (const [, command] of commands) assert.equal(wrongIn(command!.trim()), undefined, command);
    const [, kind] = /`npm run chaos -- (\w+)`/.exec(page)!;
    assert.ok(faultKinds.some(({ name }) => name === kind));
  });

  it('says that a suite needs one stage, and lists the stages', () => {
    assert.throws(() => chooseStages(['wind']), /There is no stage wind\. There are: types, .*window\./);
    assert.throws(
      () => chooseStages([], ['core/tools']),
      /tests of one stage: core\/tools\. Name it with --only unit or/,
    );
    assert.throws(() => chooseStages(['host'], ['leaks']), /--only unit or --only window/);
    const stages = chooseStages(['window'], ['approvals']);
    assert.deepEqual(
      stages.map(({ name, commands }) => [name, commands[0]!.at(-1)]),
      [
        ['build', 'esbuild.js'],
        ['window', 'approvals'],
      ],
    );
  });
});

/** Returns what a command of the page names that does not exist. */
function wrongIn(command: string): string | undefined {
  const words = command.replace(/--grep "[^"]*"/, '').split(' ');
  const only = words.indexOf('--only');
  const stage = only > 0 ? words[only + 1] : 'unit';
  const places = words.slice(only > 0 ? only + 2 : 2).filter((word) => word !== '');
  if (only > 0) chooseStages([stage!], places);
  if (!command.includes('unit.mjs') && only < 0) return 'no stage';
  const below = stage === 'unit' ? 'test' : `test/${stage}`;
  const example = [...filesOnPage().keys()].map((file) => file.replace('test/', ''));
  const isThere = (place: string): boolean =>
    ['', '.test.ts'].some((end) => fs.existsSync(path.join(root, below, place + end)));
  return places.find((place) => !isThere(place) && !example.includes(place));
}
