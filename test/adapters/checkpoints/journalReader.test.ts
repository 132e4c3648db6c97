import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { appendToJournal, JournalReader, readJournal } from '../../../src/adapters/checkpoints/journal';
import type { JournalEntry } from '../../../src/core/changes/journalEntry';
import { seededRandom } from '../../../src/core/model/sampling/seededRandom';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

const seed = Number(process.env['FILES_SEED'] ?? 20261122);

const entryOf = (action: number): JournalEntry => ({ type: 'began', at: action, action: `action-${action} ünï` });

describe('rereading a journal while it grows', () => {
  let place: TemporaryWorkspace;
  let file: string;

  beforeEach(() => {
    place = temporaryWorkspace();
    file = place.at('run.changes.jsonl');
  });
  afterEach(() => place.stop());

  it('gives the same entries as reading from the start, whatever happened to the file', () => {
    const random = seededRandom(seed);
    const reader = new JournalReader(file);
    const done: string[] = [];
    const changes: Record<string, () => void> = {
      'an entry': () => appendToJournal(file, entryOf(done.length)),
      'three entries': () => appendToJournal(file, ...[0, 1, 2].map((at) => entryOf(done.length * 10 + at))),
      'half a line': () => fs.appendFileSync(file, '{"type":"began","at":1'),
      'a line without its end': () => {
        appendToJournal(file, entryOf(done.length));
        fs.truncateSync(file, fs.statSync(file).size - 1);
      },
      'a line of somebody else': () => fs.appendFileSync(file, `${JSON.stringify(entryOf(7))}\n`),
      'a damaged line': () => fs.appendFileSync(file, 'no JSON\n'),
      'another file of the same name': () => {
        fs.rmSync(file, { force: true });
        appendToJournal(file, entryOf(99));
      },
      'cut short': () => {
        if (fs.existsSync(file)) fs.truncateSync(file, Math.floor(fs.statSync(file).size / 2));
      },
      gone: () => fs.rmSync(file, { force: true }),
    };
    const names = Object.keys(changes);
    for (let at = 0; at < 300; at++) {
      const name = names[Math.floor(random() * names.length)]!;
      // Most of the operations append entries.
      const chosen = random() < 0.5 ? 'an entry' : name;
      changes[chosen]!();
      done.push(chosen);
      assert.deepEqual(reader.read(), readJournal(file), `seed ${seed}: ${done.slice(-12).join(', ')}`);
    }
  });

  it('returns the same entry objects each time and lists that do not change later', () => {
    const reader = new JournalReader(file);
    appendToJournal(file, entryOf(1));
    const first = reader.read();
    appendToJournal(file, entryOf(2));
    const second = reader.read();
    assert.equal(first.entries.length, 1);
    assert.equal(second.entries.length, 2);
    assert.equal(second.entries[0], first.entries[0]);
  });
});
