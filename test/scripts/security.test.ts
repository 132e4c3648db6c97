import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { goneTests, testsNamedIn } from '../support/namedTests';

const root = process.env.REPOSITORY!;
const read = (name: string): string => fs.readFileSync(path.join(root, name), 'utf8');
const pages = fs.readdirSync(path.join(root, 'docs/security')).map((name) => `docs/security/${name}`);

interface Claim {
  readonly number: number;
  readonly subject: string;
  readonly rest: string;
}

/** Returns numbered table rows (`| 7 | Subject | … |`) and numbered paragraphs (`7. **Subject** …`). */
function claimsIn(page: string): Claim[] {
  const claims: Claim[] = [];
  for (const line of read(page).split('\n')) {
    const [, row, cell, cells] = /^\| (\d+) \| (.*?) \| (.*) \|$/.exec(line) ?? [];
    const [, item, lead, words] = /^(\d+)\. \*\*(.*?)\*\* ?(.*)$/.exec(line) ?? [];
    if (row !== undefined) claims.push({ number: Number(row), subject: cell!, rest: cells! });
    if (item !== undefined) claims.push({ number: Number(item), subject: lead!, rest: words! });
  }
  return claims;
}

describe('SECURITY.md', () => {
  const claims = claimsIn('SECURITY.md');
  const proofs = claimsIn('docs/security/claims.md');

  it('has at most 80 lines and 1,000 words', () => {
    const text = read('SECURITY.md');
    assert.ok(text.trimEnd().split('\n').length <= 80, 'It has more than 80 lines.');
    assert.ok(text.match(/\p{L}[\p{L}’'-]*/gu)!.length <= 1000, 'It has more than 1,000 words.');
  });

  it('numbers each claim, and docs/security/claims.md lists tests for each', () => {
    assert.ok(claims.length > 20);
    assert.deepEqual(
      claims.map(({ number }) => number),
      claims.map((_, at) => at + 1),
    );
    const named = (list: readonly Claim[]): string[] => list.map(({ number, subject }) => `${number} ${subject}`);
    assert.deepEqual(named(proofs), named(claims));
    const unnumberedRowOrItem = /^\| (?!\d+ \||#|---)|^[-*] /;
    const unnumbered = read('SECURITY.md')
      .split('\n')
      .filter((line) => unnumberedRowOrItem.test(line));
    assert.deepEqual(unnumbered, [], 'these claims have no number');
  });

  for (const { number, subject, rest } of proofs) {
    it(`backs claim ${number} (${subject}) with existing tests`, () => {
      assert.ok(testsNamedIn(rest).length > 0, 'It names no test.');
      assert.deepEqual(goneTests(rest), []);
    });
  }
});

describe('the pages of docs/security', () => {
  it('name existing tests and source files', () => {
    const namedBy = (page: string): string[] =>
      [...read(page).matchAll(/`((?:test|core)\/[\w/.-]+)`/g)].map(([, name]) => name!);
    const named = pages.flatMap(namedBy);
    const isThere = (name: string): boolean =>
      [name, `src/${name}`].some((each) => fs.existsSync(path.join(root, each)));
    assert.ok(named.length > 40);
    assert.deepEqual(
      named.filter((name) => !isThere(name)),
      [],
    );
  });

  it('are all in the list of pages and contain no machine paths', () => {
    const list = read('docs/security/README.md');
    const names = pages.map((page) => path.basename(page)).filter((name) => name !== 'README.md');
    assert.deepEqual(
      names.filter((name) => !list.includes(`](${name})`)),
      [],
    );
    assert.deepEqual(
      pages.filter((page) => /\/(work|root|home\/(?!dev\b)\w+)\//.test(read(page))),
      [],
    );
  });
});
