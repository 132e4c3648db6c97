import { strict as assert } from 'node:assert';
import { analyzers } from '../../src/core/security/analyzers';
import { slowness } from './growingReader';
import { hostileTexts, type HostileText } from './readers/hostileTexts';
import { readers, type Reader } from './readers/readers';

/**
 * Tries one in this many texts for each reader. Each reader starts with a different one, so that every text meets
 * readers of every kind. `npm run fuzz` tries all of them.
 */
const share = Number(process.env.LINEAR_SHARE ?? 1200);

/** ★ Findings of `npm run fuzz`: a reader and the text that was too slow for it. */
const foundOnce: readonly (readonly [reader: string, text: string])[] = [
  ['command of powershell', 'nested "sudo " … ""'],
  ['bash, command', 'nested "A=a " … ""'],
  ['change of a file, another end', 'repeated " \\n"'],
  ['words of zsh', 'repeated "<StructuredResponse>"'],
  ['a diagram of stateDiagram-v2', 'repeated "state A {\\n  A : words\\n  x --> y\\n}\\n"'],
  [
    'a diagram of classDiagram',
    'repeated "namespace A {\\n  class `namespace A`\\n  class x\\n}\\nx --> `namespace A`\\n"',
  ],
  ['a diagram of flowchart TD', 'repeated "subgraph A (2)\\nsubgraph A\\nend\\nsubgraph A\\nb --> c\\nend\\nend\\n"'],
];

/** Returns whether one of three attempts sees that a reader is slow. Other work on the machine may hide it from some. */
async function isSeen(reader: Reader, text: HostileText): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt++)
    if ((await slowness(reader, text, undefined, 20)) !== undefined) return true;
  return false;
}

describe('readers of untrusted text', function () {
  this.timeout(0);

  it('are recognized as slow if they are', async () => {
    const searches = {
      name: 'searches',
      read: (text: string) => [...text].map((_, at) => text.slice(at, at + text.length / 8).lastIndexOf('\u0001')),
    };
    const nests = { name: 'nests', read: (text: string): unknown => (text === '' ? '' : nests.read(text.slice(1))) };
    const deep = hostileTexts.find((text) => text.nests)!;
    for (const [reader, text] of [
      [searches, hostileTexts[0]!],
      [nests, deep],
    ] as const)
      assert.ok(await isSeen(reader, text), `nobody sees that it ${reader.name}`);
    assert.equal(
      await slowness({ name: 'counts', read: (text) => text.split('a').length }, hostileTexts[0]!, 1_000_000),
      undefined,
    );
  });

  it('take linear time and handle any nesting', async () => {
    const problems: string[] = [];
    for (const [number, reader] of (await readers()).entries()) {
      const texts = hostileTexts.filter((_, index) => (number * 7 + index) % share === 0);
      for (const text of texts) {
        const problem = await slowness(reader, text);
        if (problem !== undefined) problems.push(problem);
      }
    }
    assert.deepEqual(problems, []);
  });

  it('take linear time up to a million characters where they once did not', async () => {
    const all = await readers();
    for (const [name, written] of foundOnce) {
      const reader = all.find((one) => one.name === name)!;
      const text = hostileTexts.find((one) => one.name === written)!;
      assert.equal(await slowness(reader, text, 1_000_000), undefined);
    }
  });

  it('have different names, and at least nine analyzers exist', async () => {
    assert.ok(analyzers.length >= 9);
    const names = (await readers()).map(({ name }) => name);
    const twice = names.filter((name, index) => names.indexOf(name) !== index);
    assert.deepEqual(twice, [], 'two readers have one name');
  });
});
