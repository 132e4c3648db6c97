import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { note } from './support/session';

interface Manifest {
  readonly activationEvents: readonly string[];
  readonly contributes: { readonly commands: readonly { command: string; category?: string; title: string }[] };
}

const waymark = (): vscode.Extension<unknown> => {
  const extension = vscode.extensions.getExtension('waymark.waymark');
  assert.ok(extension, 'the extension under development is not there');
  return extension;
};

describe('the extension in a real extension host', () => {
  it('activates only by its own views, commands and tools', () => {
    const { activationEvents } = waymark().packageJSON as Manifest;
    assert.deepEqual(
      activationEvents.filter(
        (event) => !/^on(View|Command|CustomEditor|Walkthrough|LanguageModelTool|WebviewPanel)/.test(event),
      ),
      [],
    );
  });

  it('registers every contributed command', async () => {
    const [asleep, began] = [!waymark().isActive, performance.now()];
    await waymark().activate();
    if (asleep) note(`activation took ${Math.round(performance.now() - began)} ms, with the way to the host and back`);
    assert.equal(waymark().isActive, true);
    const known = new Set(await vscode.commands.getCommands(true));
    const { commands } = (waymark().packageJSON as Manifest).contributes;
    assert.ok(commands.length > 0);
    assert.deepEqual(
      commands.map(({ command }) => command).filter((command) => !known.has(command)),
      [],
    );
  });

  it('gives every command the category Waymark', () => {
    const { commands } = (waymark().packageJSON as Manifest).contributes;
    assert.deepEqual(
      commands.filter(({ category }) => category !== 'Waymark').map(({ command }) => command),
      [],
    );
  });
});
