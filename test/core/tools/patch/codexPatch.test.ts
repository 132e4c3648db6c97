import assert from 'node:assert/strict';
import fs from 'node:fs';
import { applyPatch } from '../../../../src/core/tools/native/applyPatch';
import { toolBench } from '../../../support/toolBench';

type Folder = Readonly<Record<string, string>>;

/** A published scenario of Codex's `apply_patch`, with files and text of this project. */
interface Scenario {
  /** Name of the published scenario. */
  readonly name: string;
  readonly before: Folder;
  readonly patch: readonly string[];
  /** The whole folder afterwards; unchanged if the patch is refused. */
  readonly after?: Folder;
  readonly refused?: RegExp;
}

const scenarios: readonly Scenario[] = [
  {
    name: '001_add_file',
    before: {},
    patch: ['*** Begin Patch', '*** Add File: harbour.md', '+The harbour opens at six.', '*** End Patch'],
    after: { 'harbour.md': 'The harbour opens at six.\n' },
  },
  {
    name: '002_multiple_operations',
    before: { 'ferry.txt': 'bow\nstern\n', 'wreck.txt': 'rust\n' },
    patch: [
      '*** Begin Patch',
      '*** Add File: pier/lamp.txt',
      '+lit',
      '*** Delete File: wreck.txt',
      '*** Update File: ferry.txt',
      '@@',
      '-stern',
      '+propeller',
      '*** End Patch',
    ],
    after: { 'ferry.txt': 'bow\npropeller\n', 'pier/lamp.txt': 'lit\n' },
  },
  {
    name: '003_multiple_chunks',
    before: { 'crew.txt': 'mate\ncook\npilot\nstoker\n' },
    patch: [
      '*** Begin Patch',
      '*** Update File: crew.txt',
      '@@',
      '-cook',
      '+baker',
      '@@',
      '-stoker',
      '+engineer',
      '*** End Patch',
    ],
    after: { 'crew.txt': 'mate\nbaker\npilot\nengineer\n' },
  },
  {
    name: '004_move_to_new_directory',
    before: { 'dock/one.txt': 'moored\n', 'dock/two.txt': 'afloat\n' },
    patch: [
      '*** Begin Patch',
      '*** Update File: dock/one.txt',
      '*** Move to: open/sea/one.txt',
      '@@',
      '-moored',
      '+under way',
      '*** End Patch',
    ],
    after: { 'dock/two.txt': 'afloat\n', 'open/sea/one.txt': 'under way\n' },
  },
  {
    name: '005_rejects_empty_patch',
    before: { 'buoy.txt': 'red\n' },
    patch: ['*** Begin Patch', '*** End Patch'],
    refused: /names no file/,
  },
  {
    name: '006_rejects_missing_context',
    before: { 'tide.txt': 'ebb\nflood\n' },
    patch: ['*** Begin Patch', '*** Update File: tide.txt', '@@', '-slack', '+spring', '*** End Patch'],
    refused: /hunk for tide\.txt/i,
  },
  {
    name: '007_rejects_missing_file_delete',
    before: { 'buoy.txt': 'red\n' },
    patch: ['*** Begin Patch', '*** Delete File: anchor.txt', '*** End Patch'],
    refused: /no file anchor\.txt/,
  },
  {
    name: '008_rejects_empty_update_hunk',
    before: { 'buoy.txt': 'red\n' },
    patch: ['*** Begin Patch', '*** Update File: buoy.txt', '*** End Patch'],
    refused: /buoy\.txt.*no hunk/,
  },
  {
    name: '009_requires_existing_file_for_update',
    before: { 'buoy.txt': 'red\n' },
    patch: ['*** Begin Patch', '*** Update File: anchor.txt', '@@', '-iron', '+steel', '*** End Patch'],
    refused: /no file anchor\.txt/,
  },
  {
    name: '010_move_overwrites_existing_destination',
    before: { 'dock/one.txt': 'moored\n', 'dock/two.txt': 'afloat\n', 'open/sea/one.txt': 'adrift\n' },
    patch: [
      '*** Begin Patch',
      '*** Update File: dock/one.txt',
      '*** Move to: open/sea/one.txt',
      '@@',
      '-moored',
      '+under way',
      '*** End Patch',
    ],
    after: { 'dock/two.txt': 'afloat\n', 'open/sea/one.txt': 'under way\n' },
  },
  {
    name: '011_add_overwrites_existing_file',
    before: { 'log.txt': 'yesterday\n' },
    patch: ['*** Begin Patch', '*** Add File: log.txt', '+today', '*** End Patch'],
    after: { 'log.txt': 'today\n' },
  },
  {
    name: '012_delete_directory_fails',
    before: { 'hold/crate.txt': 'tea\n' },
    patch: ['*** Begin Patch', '*** Delete File: hold', '*** End Patch'],
    refused: /hold is a folder/,
  },
  {
    name: '013_rejects_invalid_hunk_header',
    before: { 'buoy.txt': 'red\n' },
    patch: ['*** Begin Patch', '*** Repaint File: buoy.txt', '*** End Patch'],
    refused: /\*\*\* Repaint File: buoy\.txt.*\*\*\* Add File: /s,
  },
  {
    name: '014_update_file_appends_trailing_newline',
    before: { 'flag.txt': 'half mast' },
    patch: ['*** Begin Patch', '*** Update File: flag.txt', '@@', '-half mast', '+full mast', '+lit', '*** End Patch'],
    after: { 'flag.txt': 'full mast\nlit\n' },
  },
  {
    // Codex keeps files written before the failure; here a patch is applied completely or not at all.
    name: '015_failure_after_partial_success_leaves_changes',
    before: {},
    patch: [
      '*** Begin Patch',
      '*** Add File: buoy.txt',
      '+red',
      '*** Update File: anchor.txt',
      '@@',
      '-iron',
      '+steel',
      '*** End Patch',
    ],
    refused: /Nothing was changed\..*no file anchor\.txt/s,
  },
  {
    name: '016_pure_addition_update_chunk',
    before: { 'crew.txt': 'mate\ncook\n' },
    patch: ['*** Begin Patch', '*** Update File: crew.txt', '@@', '+pilot', '+stoker', '*** End Patch'],
    after: { 'crew.txt': 'mate\ncook\npilot\nstoker\n' },
  },
  {
    name: '017_whitespace_padded_hunk_header',
    before: { 'buoy.txt': 'red\n' },
    patch: ['*** Begin Patch', '   *** Update File: buoy.txt', '@@', '-red', '+green', '*** End Patch'],
    after: { 'buoy.txt': 'green\n' },
  },
  {
    name: '018_whitespace_padded_patch_markers',
    before: { 'buoy.txt': 'red\n' },
    patch: ['  *** Begin Patch', '*** Update File: buoy.txt', '@@', '-red', '+green', '*** End Patch  '],
    after: { 'buoy.txt': 'green\n' },
  },
  {
    name: '019_unicode_simple',
    before: { 'menu.txt': 'soup\ncrème brûlée\ntea\n' },
    patch: [
      '*** Begin Patch',
      '*** Update File: menu.txt',
      '@@',
      ' soup',
      '-crème brûlée',
      '+crème brûlée 🍮',
      '*** End Patch',
    ],
    after: { 'menu.txt': 'soup\ncrème brûlée 🍮\ntea\n' },
  },
  {
    name: '020_delete_file_success',
    before: { 'buoy.txt': 'red\n', 'wreck.txt': 'rust\n' },
    patch: ['*** Begin Patch', '*** Delete File: wreck.txt', '*** End Patch'],
    after: { 'buoy.txt': 'red\n' },
  },
  {
    name: '020_whitespace_padded_patch_marker_lines',
    before: { 'buoy.txt': 'red\n' },
    patch: ['*** Begin Patch  ', '*** Update File: buoy.txt', '@@', '-red', '+green', '  *** End Patch'],
    after: { 'buoy.txt': 'green\n' },
  },
  {
    name: '021_update_file_deletion_only',
    before: { 'crew.txt': 'mate\ncook\npilot\n' },
    patch: ['*** Begin Patch', '*** Update File: crew.txt', '@@', ' mate', '-cook', ' pilot', '*** End Patch'],
    after: { 'crew.txt': 'mate\npilot\n' },
  },
  {
    name: '022_update_file_end_of_file_marker',
    before: { 'tide.txt': 'ebb\nflood\n' },
    patch: [
      '*** Begin Patch',
      '*** Update File: tide.txt',
      '@@',
      ' ebb',
      '-flood',
      '+spring flood',
      '*** End of File',
      '*** End Patch',
    ],
    after: { 'tide.txt': 'ebb\nspring flood\n' },
  },
];

describe('apply_patch as Codex applies it', () => {
  for (const { name, before, patch, after = before, refused } of scenarios) {
    it(`plays the published scenario ${name}`, async () => {
      const bench = toolBench();
      try {
        for (const [file, text] of Object.entries(before)) bench.place(file, text);
        const answer = bench.use(applyPatch, { patch: `${patch.join('\n')}\n` });
        const { content, failed } = await answer.catch((thrown: Error) => ({ content: thrown.message, failed: true }));
        if (refused) assert.match(content, refused);
        assert.equal(failed ?? false, refused !== undefined, content);
        const left = bench.names().filter((file) => fs.statSync(bench.at(file)).isFile());
        assert.deepEqual(Object.fromEntries(left.map((file) => [file, bench.text(file)])), after);
      } finally {
        bench.stop();
      }
    });
  }
});
