import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { pause, until, workspace } from './support/session';

const chat = (task: string): string =>
  `${JSON.stringify({
    messages: [
      { role: 'user', content: task },
      { role: 'assistant', content: 'Done.' },
    ],
  })}\n`;

describe('a replay', () => {
  it('asks which of several runs in a file to use, and does nothing without a choice', async () => {
    const file = path.join(workspace(), 'several.openai.jsonl');
    fs.writeFileSync(file, chat('First.') + chat('Second.'));
    const replayed = Promise.resolve(
      vscode.commands.executeCommand('waymark.replay', vscode.Uri.file(file), workspace()),
    );
    await until('an answer to the list', async () => {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return Promise.race([replayed.then(() => true), pause(200).then(() => false)]);
    });
    assert.equal(await replayed, undefined);
  });
});
