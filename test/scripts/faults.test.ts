import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { goneTests, testsNamedIn } from '../support/namedTests';

const page = fs.readFileSync(path.join(process.env['REPOSITORY']!, 'docs/faults.md'), 'utf8');

interface Row {
  readonly number: number;
  readonly fault: string;
  readonly happens: string;
  readonly heldBy: string;
}

const rows: readonly Row[] = page.split('\n').flatMap((line) => {
  const [, number, fault, happens, heldBy] = /^\| (\d+) \| ([^|]+) \| ([^|]+) \| (.+) \|$/.exec(line) ?? [];
  return number === undefined ? [] : [{ number: Number(number), fault: fault!, happens: happens!, heldBy: heldBy! }];
});

describe('the table of faults', () => {
  it('has at least ninety rows, numbered without gaps', () => {
    assert.ok(rows.length >= 90, `It has ${rows.length} rows.`);
    assert.deepEqual(
      rows.map(({ number }) => number),
      rows.map((_, at) => at + 1),
    );
    const others = page.split('\n').filter((line) => /^\| (?!# \||---|\d+ \|)/.test(line));
    assert.deepEqual(others, [], 'these rows cannot be read');
  });

  it('names existing tests for each fault, or says why there are none', () => {
    const wrong = rows.flatMap(({ number, heldBy }) => {
      const isOpen = /^Not (?:held|tested): .{20,}/.test(heldBy);
      const named = testsNamedIn(heldBy).length > 0;
      if (isOpen === named) return [`Row ${number} names no test and does not say why, or does both.`];
      return goneTests(heldBy).map((words) => `Row ${number}: ${words}`);
    });
    assert.deepEqual(wrong, []);
  });

  it('names tests for every fault number used in test/faults', () => {
    const tests = fs
      .readdirSync(path.join(process.env['REPOSITORY']!, 'test/faults'))
      .filter((name) => name.endsWith('.test.ts'));
    const texts = tests.map((name) =>
      fs.readFileSync(path.join(process.env['REPOSITORY']!, 'test/faults', name), 'utf8'),
    );
    const numbered = texts.flatMap((text) =>
      [...text.matchAll(/describe\('faults? (\d+)(?: and (\d+))?:/g)].flatMap(([, one, two]) => [
        Number(one),
        ...(two === undefined ? [] : [Number(two)]),
      ]),
    );
    assert.ok(numbered.length > 40);
    for (const number of numbered)
      assert.ok(testsNamedIn(rows[number - 1]!.heldBy).length > 0, `Row ${number} names no test.`);
  });
});
