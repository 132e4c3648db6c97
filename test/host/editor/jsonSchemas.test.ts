// The published JSON schemas in use: VS Code validates and completes the files while the user edits them.
import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { until, workspace } from '../support/session';

describe('a JSON file that Waymark reads', () => {
  const cases = [
    {
      file: '.agent/mcp.json',
      text: '{ "servers": { "notes": { "command": 7,  } } }',
      wrong: /string/i,
      offered: 'headers',
    },
    { file: '.mcp.json', text: '{ "mcpServers": { "notes": { "url": true,  } } }', wrong: /string/i, offered: 'env' },
    { file: '.agent/hooks.json', text: '{ "hooks": { "Never": [],  } }', wrong: /Never/, offered: 'PreToolUse' },
  ];

  for (const { file, text, wrong, offered } of cases) {
    it(`shows problems and completions while it is edited: ${file}`, async function () {
      this.timeout(180_000);
      const place = path.join(workspace(), file);
      fs.mkdirSync(path.dirname(place), { recursive: true });
      fs.writeFileSync(place, text);
      try {
        const document = await vscode.workspace.openTextDocument(place);
        await vscode.window.showTextDocument(document);
        await until('its problem', () =>
          vscode.languages.getDiagnostics(document.uri).find(({ message }) => wrong.test(message)),
        );
        const at = document.positionAt(text.lastIndexOf(',') + 2);
        await until(`the word ${offered}`, async () => {
          const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
            'vscode.executeCompletionItemProvider',
            document.uri,
            at,
          );
          return items.find(({ label }) => (typeof label === 'string' ? label : label.label) === offered);
        });
        assert.equal(document.isDirty, false);
      } finally {
        await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
        fs.rmSync(place, { force: true });
      }
    });
  }
});
