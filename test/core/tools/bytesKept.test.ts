import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Tool } from '../../../src/core/ports/tool';
import { patch } from '../../../src/core/tools/hermes/patch';
import { applyPatch } from '../../../src/core/tools/native/applyPatch';
import { editFile } from '../../../src/core/tools/native/editFile';
import { moveFile } from '../../../src/core/tools/native/moveAndDelete';
import { readFile } from '../../../src/core/tools/native/readFile';
import { writeFile } from '../../../src/core/tools/native/writeFile';
import { fileEditor } from '../../../src/core/tools/openhands/fileEditor';
import { formats, linesIn, type Lines } from '../../support/textFormats';
import { toolBench } from '../../support/toolBench';

/** Input for each editing tool that replaces the line `old` with `now`. */
const edits: Readonly<Record<string, readonly [Tool, (text: string, old: string, now: string) => object]>> = {
  edit_file: [editFile, (_text, old_text, new_text) => ({ path: 'a.txt', edits: [{ old_text, new_text }] })],
  write_file: [writeFile, (text, old, now) => ({ path: 'a.txt', content: text.replace(old, now) })],
  patch: [patch, (_text, old_string, new_string) => ({ path: 'a.txt', old_string, new_string })],
  file_editor: [fileEditor, (_text, old_str, new_str) => ({ command: 'str_replace', path: 'a.txt', old_str, new_str })],
  apply_patch: [
    applyPatch,
    (_text, old, now) => ({
      patch: ['*** Begin Patch', '*** Update File: a.txt', '@@', `-${old}`, `+${now}`, '*** End Patch'].join('\n'),
    }),
  ],
};

describe('editing tools keep the bytes of what they do not change', () => {
  for (const format of formats)
    for (const [name, [tool, input]] of Object.entries(edits))
      it(`${name}: ${format.name}`, async () => {
        await fc.assert(
          fc.asyncProperty(linesIn(format), async (given: Lines) => {
            const bench = toolBench();
            try {
              const { before, after, text, old, now, isOpenEnd } = given;
              // Codex adds a newline to a last line that its patches change, and so does its format here.
              fc.pre(name !== 'apply_patch' || !isOpenEnd);
              bench.place('a.txt', before);
              await bench.use(readFile, { path: 'a.txt' });
              const { failed, content } = await bench.use(tool, input(text, old, now));
              assert.equal(failed, undefined, content);
              assert.deepEqual(bench.bytes('a.txt'), after);
            } finally {
              bench.stop();
            }
          }),
          { numRuns: 6 },
        );
      });

  it('move_file: every format', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...formats).chain(linesIn), async ({ before }) => {
        const bench = toolBench();
        try {
          bench.place('a.txt', before);
          await bench.use(moveFile, { from: 'a.txt', to: 'b.txt' });
          assert.deepEqual(bench.bytes('b.txt'), before);
        } finally {
          bench.stop();
        }
      }),
      { numRuns: 20 },
    );
  });

  it('signs that Latin-1 cannot hold are named, and nothing is written', async () => {
    const bench = toolBench();
    const before = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]);
    bench.place('a.txt', before);
    await bench.use(readFile, { path: 'a.txt' });
    const edit = { path: 'a.txt', edits: [{ old_text: 'café', new_text: 'café → 中' }] };
    await assert.rejects(bench.use(editFile, edit), /has no "→", "中"/);
    assert.deepEqual(bench.bytes('a.txt'), before);
    bench.stop();
  });

  it('short texts in Latin-1 are read', async () => {
    const bench = toolBench();
    for (const text of ['Größe\n', 'été\n', 'Œuvre']) {
      bench.place('a.txt', Buffer.from(text.replace('Œ', '\x8c'), 'latin1'));
      assert.match((await bench.use(readFile, { path: 'a.txt' })).content, new RegExp(text.trim()));
    }
    bench.stop();
  });

  it('what is no Latin-1 is left to commands', async () => {
    const bench = toolBench();
    const [shiftJis, katakana, cyrillic] = ['82b182ea82cd93fa967b8cea82cc95b6', '8341834383450a', 'cff0e8e2e5f20a'];
    for (const bytes of [shiftJis, katakana, cyrillic]) {
      bench.place('a.txt', Buffer.from(bytes, 'hex'));
      await assert.rejects(bench.use(readFile, { path: 'a.txt' }), /neither UTF-8, UTF-16 nor Latin-1/);
    }
    bench.stop();
  });
});
