import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { until } from '../support/session';

const extension = (): string => vscode.extensions.getExtension('waymark.waymark')!.extensionUri.fsPath;

/** Pages linked from the walkthrough, from empty views and from the settings editor. */
function linkedPages(): string[] {
  const words = fs.readFileSync(path.join(extension(), 'package.nls.json'), 'utf8');
  return [
    ...new Set([...words.matchAll(/command:waymark\.openDocs\?([^)]+)\)/g)].map(([, argument]) => argument!)),
  ].map((argument) => JSON.parse(decodeURIComponent(argument)) as string);
}

const shown = (): string | undefined => {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  const isPreview = tab?.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith('markdown.preview');
  return isPreview ? tab.label : undefined;
};

describe('the documentation in the editor', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('opens a preview of every page that the window links to', async () => {
    const pages = linkedPages();
    assert.ok(pages.length >= 8, pages.join(', '));
    for (const page of pages) {
      assert.ok(fs.existsSync(path.join(extension(), 'docs', page)), page);
      await vscode.commands.executeCommand('waymark.openDocs', page);
      await until(`a preview of ${page}`, () => shown()?.includes(path.basename(page)) === true);
    }
  });

  it('opens the list of pages if no page is named', async () => {
    await vscode.commands.executeCommand('waymark.openDocs');
    await until('a preview of the list', () => shown()?.includes('README.md') === true);
  });

  it('opens no file outside its folder', async () => {
    for (const page of ['../package.json', '../README.md', '/etc/hostname.md', 'use/../../README.md', 'missing'])
      await vscode.commands.executeCommand('waymark.openDocs', page);
    assert.deepEqual(
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs),
      [],
    );
  });
});
