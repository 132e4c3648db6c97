import assert from 'node:assert/strict';
import fs from 'node:fs';
import { diskFiles } from '../../../src/adapters/files/diskFiles';
import { analyzers, assessWith } from '../../../src/core/security/analyzers';
import type { Environment } from '../../../src/core/ports/environment';
import { applyPatch } from '../../../src/core/tools/native/applyPatch';
import type { Event } from '../../../src/protocol/events/event';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';
import { untouched } from '../../support/toolContext';

/** Headline of the card for a patch that replaces a whole file. */
describe('a patch that overwrites a file', () => {
  let workspace: TemporaryWorkspace;
  let environment: Environment;
  beforeEach(() => {
    workspace = temporaryWorkspace();
    workspace.place('notes.md', 'one\ntwo\n');
    const files = diskFiles({ folders: [workspace.root] });
    environment = { root: workspace.root, files, search: untouched.search, terminal: untouched.terminal };
  });
  afterEach(() => workspace.stop());

  const assess = (lines: readonly string[], history: readonly Event[] = []) => {
    const call = applyPatch.bind({ patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });
    return assessWith(analyzers, { tool: applyPatch, call, environment, history });
  };

  it('is medium risk, and the reason says that the agent has not read the file', async () => {
    const { level, reasons, culprit } = await assess(['*** Add File: notes.md', '+three']);
    assert.deepEqual(reasons, ['Overwrites notes.md (2 lines), which the agent has not read.']);
    assert.deepEqual([level, culprit], ['medium', 'notes.md']);
  });

  it('names the file if a move overwrites it', async () => {
    workspace.place('old.md', 'a\n');
    const { reasons } = await assess(['*** Update File: old.md', '*** Move to: notes.md', '@@', '-a', '+b']);
    assert.deepEqual(reasons, ['Overwrites notes.md (2 lines), which the agent has not read.']);
  });

  it('is low risk if the agent has read the file', async () => {
    const details = { kind: 'read', path: 'notes.md', version: 'v1', from: 1, to: 2, lines: 2 };
    const observation = { type: 'observation', seq: 0, at: 0, actionId: 'a', outcome: 'ok', content: '', details };
    const read = observation as unknown as Event;
    const { level, reasons } = await assess(['*** Add File: notes.md', '+three'], [read]);
    assert.deepEqual([level, reasons], ['low', ['Overwrites notes.md (2 lines).']]);
  });

  it('is medium risk for a read-only file, and the reason says so, also for edits in place, moves and deletions', async () => {
    workspace.place('old.md', 'a\n');
    for (const name of ['old.md', 'notes.md']) fs.chmodSync(workspace.at(name), 0o444);
    for (const [lines, words] of [
      [['*** Update File: notes.md', '@@', '-one', '+1'], 'Changes notes.md, which is read-only.'],
      [['*** Add File: notes.md', '+three'], 'Changes notes.md, which is read-only.'],
      [['*** Delete File: old.md'], 'Changes old.md, which is read-only.'],
    ] as const) {
      const { level, reasons } = await assess(lines);
      assert.deepEqual([level === 'medium' || level === 'high', reasons.includes(words)], [true, true], reasons.join());
    }
  });

  it('gives no reason for new files, empty files and edits in place', async () => {
    workspace.place('empty.md', '');
    const harmless = [
      ['*** Add File: new.md', '+three'],
      ['*** Add File: empty.md', '+three'],
      ['*** Update File: notes.md', '@@', '-one', '+1'],
    ];
    for (const lines of harmless) {
      const { level, reasons } = await assess(lines);
      assert.deepEqual([level, reasons], ['low', []]);
    }
  });
});
