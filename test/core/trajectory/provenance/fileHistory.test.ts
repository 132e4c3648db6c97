import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import {
  textAfterChange,
  markedText,
  emptyText,
  type MarkedText,
  type Origin,
} from '../../../../src/core/trajectory/provenance';
import { FileHistory } from '../../../../src/core/trajectory/provenance/fileHistory';
import { fingerprints } from '../../../../src/core/trajectory/provenance/fingerprints';
import {
  recordedChange,
  ProvenanceRecord,
  textPieces,
  packedLines,
  unpackedLines,
} from '../../../../src/core/trajectory/provenance/record';

const step = (action: string): Origin => ({ session: 's', action });
const whole = (version: string, text: MarkedText): ProvenanceRecord => ({
  v: 1,
  version,
  at: 1,
  base: null,
  pieces: textPieces(text),
});
interface Changed {
  readonly base: string;
  readonly before: MarkedText;
  readonly text: string;
  readonly by: Origin;
}
const changed = (version: string, { base, before, text, by }: Changed): ProvenanceRecord => ({
  v: 1,
  version,
  at: 2,
  base,
  pieces: recordedChange(before, fingerprints(text), by).pieces,
});
/** The record as it is read from disk. */
const kept = (record: ProvenanceRecord): ProvenanceRecord => ProvenanceRecord.parse(JSON.parse(JSON.stringify(record)));

describe('the history of a file', () => {
  const line = fc.constantFrom('alpha();', 'beta();', '}', '', 'gamma();', 'delta();');
  const origin = fc.constantFrom<Origin>(step('a'), step('b'), 'person', 'unknown');

  it('gives every text back as it was, with its marks, after any changes and a way over the disk', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ lines: fc.array(line, { maxLength: 20 }), by: origin }), { minLength: 1, maxLength: 12 }),
        (changes) => {
          const history = new FileHistory();
          let text = emptyText;
          const texts = changes.map(({ lines, by }, index) => {
            const now = fingerprints(lines.map((each) => `${each}\n`).join(''));
            const { text: next, pieces } = recordedChange(text, now, by);
            assert.deepEqual(next, textAfterChange(text, now, by));
            history.add(
              kept({ v: 1, version: `v${index}`, at: index, base: index === 0 ? null : `v${index - 1}`, pieces }),
            );
            return (text = next);
          });
          texts.forEach((text, index) => assert.deepEqual(history.text(`v${index}`), text));
          const shorter = new FileHistory(history.shortenedRecords(3).map(kept));
          texts
            .slice(-3)
            .forEach((text, index, { length }) =>
              assert.deepEqual(shorter.text(`v${texts.length - length + index}`), text),
            );
          assert.equal(shorter.latest, history.latest);
        },
      ),
    );
  });

  it('packs lines and unpacks them', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeNat().map((number) => number % 2 ** 48)), (lines) =>
        assert.deepEqual(unpackedLines(packedLines(lines)), lines),
      ),
    );
    assert.throws(() => unpackedLines('AAAA'), RangeError);
    assert.throws(() => unpackedLines('AAAA AAA'), RangeError);
  });

  it('knows which text is there when an earlier one comes back', () => {
    const first = markedText('one();\n', 'unknown');
    const history = new FileHistory([
      whole('v1', first),
      changed('v2', { base: 'v1', before: first, text: 'one();\ntwo();\n', by: step('a') }),
    ]);
    assert.equal(history.latest, 'v2');
    history.add({ v: 1, version: 'v1', at: 3 });
    assert.equal(history.latest, 'v1');
    assert.deepEqual(history.text('v2')!.origins, ['unknown', step('a')]);
  });

  it('believes the step that says it wrote a text before whoever only found it there', () => {
    const first = markedText('one();\n', 'unknown');
    const found = changed('v2', { base: 'v1', before: first, text: 'one();\ntwo();\n', by: 'unknown' });
    const wrote = changed('v2', { base: 'v1', before: first, text: 'one();\ntwo();\n', by: step('a') });
    for (const records of [
      [found, wrote],
      [wrote, found],
    ]) {
      const history = new FileHistory([whole('v1', first), ...records]);
      assert.deepEqual(history.text('v2')!.origins, ['unknown', step('a')]);
      assert.equal(history.strength('v2'), 2);
    }
    const late = new FileHistory([whole('v1', first), found]);
    assert.deepEqual(late.text('v2')!.origins, ['unknown', 'unknown']);
    late.add(wrote);
    assert.deepEqual(late.text('v2')!.origins, ['unknown', step('a')]);
  });

  it('finds the nearest of its texts for one that it does not know', () => {
    const main = markedText('shared();\nmain();\nmore();\n', step('a'));
    const branch = markedText('shared();\nother();\nthings();\n', step('b'));
    const history = new FileHistory([whole('main', main), whole('branch', branch)]);
    assert.equal(history.nearest(fingerprints('shared();\nmain();\nmore();\nlater();\n'))!.version, 'main');
    assert.equal(history.nearest(fingerprints('shared();\nother();\n'))!.version, 'branch');
    assert.equal(history.nearest(fingerprints('nothing();\n'))!.version, 'branch', 'of equal ones the later');
    assert.equal(new FileHistory().nearest([1]), undefined);
  });

  it('is not brought down by records that are damaged, missing or lead in a circle', () => {
    const first = markedText('one();\n', 'unknown');
    const history = new FileHistory([
      { v: 1, version: 'a', at: 1, base: 'b', pieces: [[0, 1]] },
      { v: 1, version: 'b', at: 1, base: 'a', pieces: [[0, 1]] },
      { v: 1, version: 'c', at: 1, base: 'gone', pieces: [[0, 1]] },
      { v: 1, version: 'd', at: 1, base: 'first', pieces: [[0, 9]] },
      whole('first', first),
      { v: 1, version: 'e', at: 1, base: null, pieces: [{ by: 'person', lines: 'short' }] },
    ]);
    for (const version of ['a', 'b', 'c', 'd', 'e', 'never']) assert.equal(history.text(version), undefined);
    assert.deepEqual(history.text('first'), first);
    assert.equal(history.nearest(first.lines)!.version, 'first');
  });
});
