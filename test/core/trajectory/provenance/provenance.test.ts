import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import {
  textAfterChange,
  isStep,
  markedText,
  emptyText,
  spansOf,
  type MarkedText,
  type Origin,
} from '../../../../src/core/trajectory/provenance';
import { fingerprints } from '../../../../src/core/trajectory/provenance/fingerprints';
import { shortestEdit, type LineSpan } from '../../../../src/core/trajectory/provenance/matchLines';

const step = (action: string): Origin => ({ session: 's', action });
const change = (before: MarkedText, text: string, by: Origin): MarkedText =>
  textAfterChange(before, fingerprints(text), by);
const shortNames = { person: 'p', unknown: '?' };
const shown = ({ origins }: MarkedText): string =>
  origins.map((origin) => (isStep(origin) ? origin.action : shortNames[origin])).join(' ');

/** The slow model: every line is an object with a known author, and edits are recorded instead of computed. */
interface Line {
  readonly text: string;
  readonly origin: Origin;
}

/** One edit of one side. Numbers are taken modulo the available range. */
interface Edit {
  readonly kind: 'insert' | 'remove' | 'replace' | 'move';
  readonly at: number;
  readonly count: number;
  readonly to: number;
}

const edits = fc.array(
  fc.record<Edit>({
    kind: fc.constantFrom('insert', 'remove', 'replace', 'move'),
    at: fc.nat(),
    count: fc.integer({ min: 1, max: 6 }),
    to: fc.nat(),
  }),
  { minLength: 1, maxLength: 5 },
);
const story = fc.array(fc.record({ by: fc.constantFrom('person', 'agent'), edits }), { minLength: 1, maxLength: 8 });

function edited(lines: readonly Line[], { kind, at, count, to }: Edit, make: () => Line): Line[] {
  const from = at % (lines.length + 1);
  const fresh = Array.from({ length: count }, make);
  if (kind === 'insert') return lines.toSpliced(from, 0, ...fresh);
  if (kind === 'remove') return lines.toSpliced(from, count);
  if (kind === 'replace')
    return lines.toSpliced(
      from,
      Math.min(count, lines.length - from),
      ...fresh.slice(0, Math.min(count, lines.length - from)),
    );
  const cut = lines.toSpliced(from, count);
  return cut.toSpliced(to % (cut.length + 1), 0, ...lines.slice(from, from + count));
}

const textOf = (lines: readonly Line[]): string => lines.map(({ text }) => `${text}\n`).join('');

describe('the provenance of lines', () => {
  it('is kept through edits before, between and after them', () => {
    const file = change(
      markedText('one();\ntwo();\nthree();\n', 'unknown'),
      'one();\nagent();\nagain();\ntwo();\nthree();\n',
      step('a'),
    );
    assert.equal(shown(file), '? a a ? ?');
    assert.equal(
      shown(change(file, 'first();\none();\nagent();\nmiddle();\nagain();\ntwo();\n', 'person')),
      'p ? a p a ?',
    );
  });

  it('is lost by a line that a person changed, and by no other', () => {
    const file = markedText('if (x) {\n  call(x);\n}\n', step('a'));
    assert.equal(shown(change(file, 'if (x) {\n  call(x, y);\n}\n', 'person')), 'a p a');
  });

  it('goes along with lines that are moved, with the braces and blank lines among them', () => {
    const file = change(markedText('head();\n', 'unknown'), 'head();\nfunction f() {\n  work();\n\n}\n', step('a'));
    assert.equal(shown(change(file, 'function f() {\n  work();\n\n}\nhead();\n', 'person')), 'a a a a ?');
  });

  it('is not given to a brace that a person typed where another one of the agent went', () => {
    const file = change(
      markedText('one();\ntwo();\nthree();\n', 'unknown'),
      'one();\n}\ntwo();\nthree();\n',
      step('a'),
    );
    assert.equal(shown(change(file, 'one();\ntwo();\nthree();\n}\n', 'person')), '? ? ? p');
  });

  it('is that of the step before, where a later step writes the same line again', () => {
    const file = change(emptyText, 'a();\nb();\n', step('a'));
    assert.equal(shown(change(file, 'a();\nc();\n', step('b'))), 'a b');
  });

  it('does not depend on line ends, nor on one at the end of the file', () => {
    assert.equal(shown(change(markedText('a();\nb();', step('a')), 'a();\r\nb();\r\n', 'person')), 'a a');
    assert.equal(shown(change(markedText('a();\r\n\r\nb();\r\n', step('a')), 'a();\n\nb();', 'person')), 'a a a');
  });

  it('is told in spans', () => {
    const file = change(markedText('one();\ntwo();\n', step('a')), 'one();\nx();\ny();\ntwo();\n', step('b'));
    assert.deepEqual(
      spansOf(file).map(({ from, to, origin }) => [from, to, isStep(origin) && origin.action]),
      [
        [0, 1, 'a'],
        [1, 3, 'b'],
        [3, 4, 'a'],
      ],
    );
    assert.deepEqual(spansOf(emptyText), []);
  });

  it('is that of the slow model after any edits of agent and person, where lines can be told apart', () => {
    fc.assert(
      fc.property(fc.nat({ max: 30 }), story, (size, turns) => {
        let made = 0;
        let lines: Line[] = Array.from({ length: size }, () => ({ text: `line ${++made};`, origin: 'unknown' }));
        let file = markedText(textOf(lines), 'unknown');
        turns.forEach(({ by, edits }, turn) => {
          const origin = by === 'person' ? 'person' : step(`a${turn}`);
          for (const edit of edits) lines = edited(lines, edit, () => ({ text: `line ${++made};`, origin }));
          file = change(file, textOf(lines), origin);
          assert.deepEqual(
            file.origins,
            lines.map((line) => line.origin),
          );
        });
      }),
      { numRuns: 500 },
    );
  });

  it('is kept by every line outside the one place that a person changed, also where all lines look alike', () => {
    const alike = fc.array(fc.constantFrom('', '}', 'x', 'return;'), { maxLength: 40 });
    fc.assert(
      fc.property(alike, alike, fc.nat(), fc.nat({ max: 10 }), (texts, typed, at, count) => {
        const before: Line[] = texts.map((text, index) => ({ text, origin: step(`a${index}`) }));
        const from = at % (before.length + 1);
        const after = before.toSpliced(from, count, ...typed.map((text) => ({ text, origin: 'person' as const })));
        const file = change(
          { lines: fingerprints(textOf(before)), origins: before.map(({ origin }) => origin) },
          textOf(after),
          'person',
        );
        assert.ok(
          file.origins.filter(isStep).length >= before.length - Math.min(count, before.length - from),
          'a line that nobody touched lost its mark',
        );
        assertSound(before, after, file);
      }),
      { numRuns: 500 },
    );
  });

  it('never marks a line that the step did not write, nor two lines for one', () => {
    const alike = fc.array(fc.constantFrom('', '}', 'x', 'y', 'return;', 'return x;', 'call();', 'other();'), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(alike, alike, (one, other) => {
        const before: Line[] = one.map((text, index) => ({ text, origin: step(`a${index}`) }));
        const after: Line[] = other.map((text) => ({ text, origin: 'person' }));
        assertSound(
          before,
          after,
          change(
            { lines: fingerprints(textOf(before)), origins: before.map(({ origin }) => origin) },
            textOf(after),
            'person',
          ),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('is found by the shortest edit, as the slowest search finds it', () => {
    const lines = fc.array(fc.constantFrom(1, 2, 3), { maxLength: 40 });
    fc.assert(
      fc.property(lines, lines, (one, other) => {
        const pairs: [number, number][] = [];
        const spanOf = (lines: readonly number[]): LineSpan => ({ lines, from: 0, to: lines.length });
        shortestEdit(spanOf(one), spanOf(other), (atOne, atOther) => pairs.push([atOne, atOther]));
        pairs.reverse().forEach(([atOne, atOther], index) => {
          assert.equal(one[atOne], other[atOther]);
          if (index > 0) assert.ok(atOne > pairs[index - 1]![0] && atOther > pairs[index - 1]![1], 'two pairs cross');
        });
        assert.equal(pairs.length, longestCommon(one, other));
      }),
      { numRuns: 500 },
    );
  });

  it('can tell 100,000 different lines apart', () => {
    const lines = fingerprints(
      Array.from({ length: 100_000 }, (_, at) => `const value${at} = compute(${at * 7});\n`).join(''),
    );
    assert.equal(new Set(lines).size, 100_000);
    assert.ok(lines.every((line) => Number.isSafeInteger(line) && line >= 0 && line < 2 ** 48));
  });
});

/** Asserts that each kept mark belongs to a line with the same text, and that none is kept twice. */
function assertSound(before: readonly Line[], after: readonly Line[], file: MarkedText): void {
  const kept = file.origins.filter(isStep).map(({ action }) => action);
  assert.equal(new Set(kept).size, kept.length, 'one line became two');
  file.origins.forEach((origin, at) => {
    if (isStep(origin)) assert.equal(before[Number(origin.action.slice(1))]!.text, after[at]!.text);
  });
}

function longestCommon<Item>(one: readonly Item[], other: readonly Item[]): number {
  let row = new Array<number>(other.length + 1).fill(0);
  for (const item of one) {
    const next = [0];
    for (let at = 1; at <= other.length; at++)
      next.push(item === other[at - 1] ? row[at - 1]! + 1 : Math.max(row[at]!, next[at - 1]!));
    row = next;
  }
  return row.at(-1)!;
}
