import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { fullRun } from '../support/trajectory';
import { until, workspace } from './support/session';

const viewTypeOf = (tab: vscode.Tab | undefined): string | undefined =>
  tab?.input instanceof vscode.TabInputCustom ? tab.input.viewType : undefined;
const active = (): vscode.Tab | undefined => vscode.window.tabGroups.activeTabGroup.activeTab;
const write = (name: string, text: string): vscode.Uri => {
  const file = path.join(workspace(), name);
  fs.writeFileSync(file, text);
  return vscode.Uri.file(file);
};
const log = (): string => [{ waymark: 1 }, ...fullRun()].map((line) => `${JSON.stringify(line)}\n`).join('');

describe('the inspector', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('opens logs by default, and leaves other JSON files to the text editor', async () => {
    await vscode.commands.executeCommand('vscode.open', write('run.waymark.jsonl', log()));
    await until('the inspector', () => viewTypeOf(active()) === 'waymark.trajectory');
    for (const [name, text] of [
      ['plain.json', '{}'],
      ['lines.jsonl', '{}\n'],
    ] as const) {
      await vscode.commands.executeCommand('vscode.open', write(name, text));
      await until('a text editor', () => active()?.input instanceof vscode.TabInputText);
    }
  });

  it('opens a JSON Lines file on request', async () => {
    const file = write('lines.jsonl', log());
    await vscode.commands.executeCommand('vscode.openWith', file, 'waymark.anyTrajectory');
    await until('the inspector', () => viewTypeOf(active()) === 'waymark.anyTrajectory');
  });

  it('opens a comparison of two files', async () => {
    await vscode.commands.executeCommand(
      'waymark.compare',
      write('one.waymark.jsonl', log()),
      write('two.waymark.jsonl', log()),
    );
    await until(
      'the comparison',
      () => active()?.input instanceof vscode.TabInputWebview && active()!.label.startsWith('Compare'),
    );
  });

  it('opens for a step that another part requests', async () => {
    const file = write('run.waymark.jsonl', log());
    await vscode.commands.executeCommand('waymark.showStep', file, 7);
    await until('the inspector', () => viewTypeOf(active()) === 'waymark.trajectory');
  });
});
