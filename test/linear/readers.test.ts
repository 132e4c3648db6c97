import { strict as assert } from 'node:assert';
import { analyzers } from '../../src/core/security/analyzers';
import { slowness } from './growingReader';
import { spentMs } from './growth';
import { hostileTexts } from './readers/hostileTexts';
import { readers } from './readers/readers';

const [short, long] = [32_000, Number(process.env.LINEAR_LONGEST ?? 1_000_000)];

/**
 * Each reader is tried with one of so many texts. Each begins with another one, so that every text meets readers of every kind.
 * `LINEAR_SHARE=1` tries all of them, also at full length, which takes hours; `LINEAR_READER=` (a pattern of names) tries a part.
 */
const share = Number(process.env.LINEAR_SHARE ?? 600);
/** Hundreds of programs of a shell share few readers. */
const shareOfPrograms = Number(process.env.LINEAR_SHARE ?? 3000);
/** One of so many is tried at full length, where a share is named. */
const shareOfLong = process.env.LINEAR_SHARE === undefined ? Infinity : share * 5;
const wanted = new RegExp(process.env.LINEAR_READER ?? '');

describe('what reads texts of others', function () {
  this.timeout(0);

  it('is seen to be slow where it is', async () => {
    const searches = {
      name: 'searches',
      read: (text: string) => [...text].map((_, at) => text.slice(at).lastIndexOf('\u0001')),
    };
    const nests = { name: 'nests', read: (text: string): unknown => (text === '' ? '' : nests.read(text.slice(1))) };
    for (const reader of [searches, nests])
      assert.ok(await slowness(reader, hostileTexts[0]!, [short]), `nobody sees that it ${reader.name}`);
    assert.equal(
      await slowness({ name: 'counts', read: (text) => text.split('a').length }, hostileTexts[0]!, [short, long]),
      undefined,
    );
  });

  it('takes time in proportion to the text, and room for any nesting', async () => {
    const all = (await readers()).filter(({ name }) => wanted.test(name));
    assert.ok(all.length > 0, 'no reader has such a name');
    const problems: string[] = [];
    let tried = 0;
    for (const [number, reader] of all.entries()) {
      const before = spentMs();
      const ofProgram = reader.name.startsWith('words of ');
      const every = ofProgram ? shareOfPrograms : share;
      for (const [index, text] of hostileTexts.entries()) {
        const turn = number * 7 + index;
        if (turn % every !== 0) continue;
        const isLong = !ofProgram && turn % shareOfLong === 0;
        const lengths = isLong ? [short, long] : [short];
        tried++;
        const problem = await slowness(reader, text, lengths);
        if (problem !== undefined) problems.push(problem);
        if (problem !== undefined && process.env.LINEAR_TELL) console.log(problem);
      }
      const spent = Math.round(spentMs() - before);
      if (spent > 500 && process.env.LINEAR_TELL)
        console.log(`${number} of ${all.length}: ${reader.name}, ${spent} ms`);
    }
    if (process.env.LINEAR_TELL) console.log(`${all.length} readers, ${tried} times a text`);
    assert.deepEqual(problems, []);
  });

  it('is all of it: every analyzer sees the arguments of every tool', async () => {
    assert.ok(analyzers.length >= 9);
    const names = (await readers()).map(({ name }) => name);
    const twice = names.filter((name, index) => names.indexOf(name) !== index);
    assert.deepEqual(twice, [], 'two readers have one name');
  });
});
