import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const root = process.env.REPOSITORY!;
const read = (name: string) => fs.readFileSync(path.join(root, name), 'utf8');

describe('what the documents say', () => {
  it('agrees with the manifest in every table', () => {
    const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'scripts/tables.mjs'), '--check'], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  });

  it('links to files that are there', () => {
    const securityPages = fs.readdirSync(path.join(root, 'docs/security')).map((name) => `docs/security/${name}`);
    const architecture = fs
      .readdirSync(path.join(root, 'docs/architecture'))
      .map((name) => `docs/architecture/${name}`);
    const pages = [
      ...architecture,
      'README.md',
      'SECURITY.md',
      'AGENTS.md',
      'docs/dependencies.md',
      'docs/events.md',
      'docs/performance.md',
      ...securityPages,
    ];
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => path.join(path.dirname(page), match[1]!)),
    );
    assert.ok(links.length > 4);
    assert.deepEqual(
      links.filter((link) => !fs.existsSync(path.join(root, link))),
      [],
    );
  });

  it('names every dependency, at the version that is installed', () => {
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

  it('uses every string of the manifest and lacks none', () => {
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
