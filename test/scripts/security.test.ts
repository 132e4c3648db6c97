import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';

const root = process.env.REPOSITORY!;
const read = (name: string): string => fs.readFileSync(path.join(root, name), 'utf8');
const pages = fs.readdirSync(path.join(root, 'docs/security')).map(name => `docs/security/${name}`);

interface Claim { readonly number: number; readonly subject: string; readonly rest: string }

/** Numbered table rows (`| 7 | Subject | … |`) and numbered paragraphs (`7. **Subject** …`). */
function claimsIn(page: string): Claim[] {
  const claims: Claim[] = [];
  for (const line of read(page).split('\n')) {
    const [, row, cell, cells] = /^\| (\d+) \| (.*?) \| (.*) \|$/.exec(line) ?? [];
    const [, item, lead, words] = /^(\d+)\. \*\*(.*?)\*\* ?(.*)$/.exec(line) ?? [];
    const number = row ?? item;
    if (number !== undefined) claims.push({ number: Number(number), subject: (cell ?? lead)!, rest: (cells ?? words)! });
  }
  return claims;
}

describe('SECURITY.md', () => {
  const claims = claimsIn('SECURITY.md');
  const proofs = claimsIn('docs/security/claims.md');

  it('is read in two minutes: at most 80 lines and 1,000 words', () => {
    const text = read('SECURITY.md');
    assert.ok(text.trimEnd().split('\n').length <= 80, 'It has more than 80 lines.');
    assert.ok(text.match(/\p{L}[\p{L}’'-]*/gu)!.length <= 1000, 'It has more than 1,000 words.');
  });

  it('numbers each claim, and each has its tests in docs/security/claims.md', () => {
    assert.ok(claims.length > 20);
    assert.deepEqual(claims.map(({ number }) => number), claims.map((_, at) => at + 1));
    assert.deepEqual(proofs.map(({ number, subject }) => `${number} ${subject}`), claims.map(({ number, subject }) => `${number} ${subject}`));
    const unnumbered = read('SECURITY.md').split('\n').filter(line => /^\| (?!\d+ \||#|---)/.test(line) || /^[-*] /.test(line));
    assert.deepEqual(unnumbered, [], 'these claims have no number');
  });

  for (const { number, subject, rest } of proofs) {
    it(`is held at ${number} (${subject}) by tests that exist`, () => {
      const named = [...rest.matchAll(/`(test\/[^`]+)`: ((?:“[^”]+”(?:, )?)+)/g)];
      assert.ok(named.length > 0, 'It names no test.');
      for (const [, file, titles] of named) {
        const text = read(file!);
        for (const [, title] of titles!.matchAll(/“([^”]+)”/g)) {
          assert.ok(text.includes(title!), `${file} has no test “${title}”.`);
        }
      }
    });
  }
});

describe('the pages of docs/security', () => {
  it('name tests and files of the sources that are there', () => {
    const named = pages.flatMap(page => [...read(page).matchAll(/`((?:test|core)\/[\w/.-]+)`/g)].map(([, name]) => name!));
    const isThere = (name: string): boolean => fs.existsSync(path.join(root, name)) || fs.existsSync(path.join(root, 'src', name));
    assert.ok(named.length > 40);
    assert.deepEqual(named.filter(name => !isThere(name)), []);
  });

  it('are all in the list of pages, and name no place of a machine', () => {
    const list = read('docs/security/README.md');
    assert.deepEqual(pages.map(page => path.basename(page)).filter(name => name !== 'README.md' && !list.includes(`](${name})`)), []);
    assert.deepEqual(pages.filter(page => /\/(work|root|home\/(?!dev\b)\w+)\//.test(read(page))), []);
  });
});
