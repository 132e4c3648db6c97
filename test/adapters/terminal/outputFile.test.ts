import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { cleanText } from '../../../src/adapters/terminal/output/cleanText';
import { cleanFile } from '../../../src/adapters/terminal/output/outputFile';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

describe('a long output kept in a file', () => {
  let folder: TemporaryWorkspace;
  beforeEach(() => {
    folder = temporaryWorkspace();
  });
  afterEach(() => folder.stop());

  it('is cleaned in pieces exactly as if it were cleaned whole', () => {
    const coloured = Array.from(
      { length: 40_000 },
      (_, line) => `\x1b[3${line % 8}mřádek ${line} 🐎\x1b[0m${line % 3 ? '\n' : '\r\n'}`,
    ).join('');
    const bar = Array.from({ length: 60_000 }, (_, step) => `\r${step} of 60000`).join('');
    const text = `${coloured}${bar}\nshort\n${coloured}\x1b[1mno end`;
    folder.place('output.txt', text);
    cleanFile(folder.at('output.txt'));
    assert.ok(folder.bytes('output.txt')!.equals(Buffer.from(cleanText(text))));
    assert.deepEqual(folder.names(), ['output.txt']);
  });

  it('is unchanged if it is clean, empty or too large', () => {
    for (const text of ['', 'a line\n'.repeat(100_000), `\x1b[1m${'x'.repeat(10 * 1024 * 1024)}`]) {
      folder.place('output.txt', text);
      const { ino } = fs.statSync(folder.at('output.txt'));
      cleanFile(folder.at('output.txt'));
      assert.equal(folder.bytes('output.txt')!.toString(), text);
      assert.deepEqual([folder.names(), fs.statSync(folder.at('output.txt')).ino], [['output.txt'], ino]);
    }
    cleanFile(folder.at('nothing.txt'));
    assert.deepEqual(folder.names(), ['output.txt']);
  });
});
