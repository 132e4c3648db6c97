// An answer that arrives too late decides nothing, and its text is not lost.
import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ToPanel } from '../../../src/protocol/panel/panel';
import { decideOrGiveBack } from '../../../src/extension/panel/decideOrGiveBack';
import { openSecondWindow } from '../support/secondWindow';
import { until } from '../support/session';

describe('a refusal with a note', () => {
  it('returns the note to the composer if the action does not wait for an answer', async () => {
    const storage = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-late-'));
    const { window, close } = openSecondWindow(storage);
    const told: ToPanel[] = [];
    const panel = window.sidebar.connect((message) => told.push(message));
    try {
      await window.sidebar.shown.show(window.sessions.openSession());
      panel.receive({ type: 'ready', cursor: 0 });
      const comment = `Use git mv. ${'A pasted log. '.repeat(20_000)}`;
      panel.receive({ type: 'decide', actionId: 'ended', approved: false, comment });
      const returned = await until('the note is returned', () => told.find(({ type }) => type === 'compose'));
      assert.deepEqual(returned, {
        type: 'compose',
        text: comment,
        problem: 'The question is closed. Send the text as a message instead.',
      });
    } finally {
      panel.dispose();
      await close();
      fs.rmSync(storage, { recursive: true, force: true });
    }
  });

  it('also returns the note if the question changed meanwhile', async () => {
    const returned: unknown[] = [];
    const outlet = { giveBack: (text: string, problem: unknown) => void returned.push([text, String(problem)]) };
    assert.equal(await decideOrGiveBack('No.', Promise.resolve(true), outlet), true);
    assert.equal(await decideOrGiveBack('No.', Promise.reject(new Error('It changed.')), outlet), false);
    assert.deepEqual(returned, [['No.', 'Error: It changed.']]);
  });
});
