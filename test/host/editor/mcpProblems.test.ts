import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { pause, until, workspace } from '../support/session';

describe('a file that configures MCP servers', function () {
  this.timeout(180_000);
  const file = (): string => path.join(workspace(), '.mcp.json');
  before(() => vscode.extensions.getExtension('waymark.waymark')!.activate());
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    fs.rmSync(file(), { force: true });
  });

  it('shows its problems where they are, once its servers were read, and none when they are mended', async () => {
    const uri = vscode.Uri.file(file());
    const shown = (): string[] =>
      vscode.languages
        .getDiagnostics(uri)
        .filter(({ source }) => source === 'Waymark')
        .map(({ severity, range }) => `${vscode.DiagnosticSeverity[severity]} in line ${range.start.line + 1}`);
    /** The list of servers reads them. */
    const lookedAt = (isSo: () => boolean): Promise<unknown> =>
      until('the problems', async () => {
        await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
        void vscode.commands.executeCommand('waymark.mcpServers');
        await pause(500);
        return isSo();
      });
    fs.writeFileSync(file(), '{\n  "mcpServers": {\n    "broken": { "command": 7 }\n  }\n}\n');
    await lookedAt(() => shown().length > 0);
    assert.deepEqual(shown(), ['Error in line 3']);
    fs.writeFileSync(file(), '{\n  "mcpServers": {\n    "broken": { "command": "true", "disabled": true }\n  }\n}\n');
    await lookedAt(() => shown().length === 0);
  });
});
