import { strict as assert } from 'node:assert';
import { composeFindings } from '../../../../src/core/security/scripts/composeFindings';
import { explainMiss } from '../../../../src/core/tools/files/closestMatch';
import { replaceExactly } from '../../../../src/core/tools/files/replacements';
import { indexOfPart, indexOfSequence, indexesOfSequence } from '../../../../src/core/tools/matching/indexOfSequence';
import { seededRandom } from '../../../../src/core/model/sampling/seededRandom';

describe('the places of a part', () => {
  it('are those that the engine finds, in any text of few letters', () => {
    const random = seededRandom(13);
    const letters = (most: number): string =>
      Array.from({ length: 1 + Math.floor(random() * most) }, () => 'ab'[Math.floor(random() * 2)]).join('');
    for (let round = 0; round < 500; round++) {
      const [text, part] = [letters(60), letters(6)];
      const from = Math.floor(random() * 5);
      assert.equal(indexOfSequence(text, part, from), text.indexOf(part, from), JSON.stringify([text, part, from]));
      const all = [...text].flatMap((_, at) => (text.startsWith(part, at) ? [at] : []));
      assert.deepEqual([...indexesOfSequence(text, part)], all);
    }
  });

  it('are found where the engine takes minutes: in a million equal characters, with another one in the middle of the part', () => {
    const text = 'a'.repeat(1_000_000);
    const part = `${'a'.repeat(250_000)}b${'a'.repeat(250_000)}`;
    assert.equal(indexOfPart(text, part), -1);
    assert.equal(indexOfPart(`${text}b${text}`, part), 750_000);
  });

  it('are replaced all, as long as they do not overlap', () => {
    assert.deepEqual(replaceExactly('aaaaa', { old_text: 'aa', new_text: 'b', all: true }), { text: 'bba' });
    assert.deepEqual(replaceExactly('a-b-c', { old_text: '-', new_text: '$&', all: true }), { text: 'a$&b$&c' });
  });

  it('are explained where there is none, in a long file of equal lines', async () => {
    const lines = 'a\n'.repeat(100_000);
    const why = await explainMiss(lines, `${'a\n'.repeat(50_000)}b\n${'a\n'.repeat(50_000)}`);
    assert.match(why, /^old_text was not found/);
  });
});

describe('a compose file', () => {
  const file = { path: 'compose.yml', workspace: undefined, variables: {} };

  it('of a thousand brackets that open is an alarm, not a wait without end', () => {
    for (const text of ['{'.repeat(1000), '{'.repeat(1000) + '}'.repeat(1000), '{ '.repeat(40) + '} '.repeat(40)]) {
      const { alarms } = composeFindings(text, file);
      assert.deepEqual(alarms, ['Starts containers from compose.yml, which could not be read.']);
    }
  });

  it('that is one is read as ever, with its own tags and merged fields', () => {
    const text = 'x-a: &a\n  privileged: true\nservices:\n  web:\n    <<: *a\n    ports: !reset []\n    image: nginx\n';
    const { alarms } = composeFindings(text, file);
    assert.equal(alarms.length, 1);
    assert.match(alarms[0]!, /web in compose\.yml/);
  });
});
