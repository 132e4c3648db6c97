import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const root = process.env.REPOSITORY!;
const read = (name: string) => fs.readFileSync(path.join(root, name), 'utf8');

describe('the documents', () => {
  it('match the manifest in every table', () => {
    const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'scripts/tables.mjs'), '--check'], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  });

  it('list every dependency with its installed version', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
      'dependencies' | 'devDependencies',
      Record<string, string>
    >;
    const page = read('docs/dependencies.md');
    const missing = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([name, version]) => !name.startsWith('@types/') && !page.includes(`${name} ${version}`),
    );
    assert.deepEqual(missing, []);
  });

  it('write the titles of commands and views in title case, as VS Code does', () => {
    const short = /^(?:a|an|and|as|at|by|for|from|in|into|of|on|or|the|to|with)$/;
    const isCapitalized = (title: string): boolean =>
      title
        .split(' ')
        .every((word, at, all) => /^\P{Ll}/u.test(word) || (at > 0 && at < all.length - 1 && short.test(word)));
    const titles = Object.entries(JSON.parse(read('package.nls.json')) as Record<string, string>).filter(([key]) =>
      /^(?:command|view)\./.test(key),
    );
    assert.ok(titles.length > 100);
    assert.deepEqual(
      titles.filter(([, title]) => !isCapitalized(title) || title.includes('...')),
      [],
    );
  });

  it('define exactly the strings that the manifest uses', () => {
    const strings = Object.keys(JSON.parse(read('package.nls.json')) as object);
    const used = new Set([...read('package.json').matchAll(/"%([\w.]+)%"/g)].map((match) => match[1]!));
    assert.deepEqual(
      [...used].filter((key) => !strings.includes(key)),
      [],
    );
    assert.deepEqual(
      strings.filter((key) => !used.has(key)),
      [],
    );
  });
});
