import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = process.env.REPOSITORY!;
const page = fs.readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');

/** The blocks of TypeScript on the page, by the last file that the text before each of them names. */
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
  it('has an example of a tool whose test passes', function () {
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

  it('names only files that exist, but for those of the example', () => {
    const named = [...page.matchAll(/`((?:src|test|scripts|docs)\/[\w/.-]+\.\w+)`/g)].map(([, name]) => name!);
    const example = filesOnPage();
    assert.ok(named.length > example.size);
    assert.deepEqual(
      named.filter((name) => !example.has(name) && !fs.existsSync(path.join(root, name))),
      [],
    );
  });
});
