// VS Code closes a window at any time, also while Waymark still loads. This is a second Waymark in the same host, with
// names of its own, because VS Code knows those of the first.
import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { activate, deactivate } from '../../src/extension/extension';
import { extensionContext } from './support/extensionContext';
import { countRegistrations } from './support/registrations';

/** Functions whose first argument is a name that may be registered only once, or whose things are shared by name. */
const named = [
  [vscode.commands, 'registerCommand'],
  [vscode.window, 'createOutputChannel'],
  [vscode.window, 'registerCustomEditorProvider'],
  [vscode.window, 'registerWebviewPanelSerializer'],
  [vscode.window, 'registerWebviewViewProvider'],
  [vscode.window, 'createTreeView'],
] as const;

/** Registers everything under other names. The tools, of which VS Code accepts only declared ones, are left out. */
function withOwnNames(): () => void {
  const restore: (() => void)[] = [];
  const replace = (space: object, name: string, value: unknown): void => {
    const real = Object.getOwnPropertyDescriptor(space, name)!;
    Object.defineProperty(space, name, { value, configurable: true, writable: true });
    restore.push(() => Object.defineProperty(space, name, real));
  };
  for (const [space, name] of named) {
    const real = (space as Record<string, (...given: unknown[]) => unknown>)[name]!;
    replace(space, name, (id: string, ...given: unknown[]) => real.call(space, `${id}.closing`, ...given));
  }
  replace(vscode.lm, 'registerTool', () => new vscode.Disposable(() => undefined));
  return () => restore.forEach((undo) => undo());
}

describe('closing a window', () => {
  let storage: string;
  let registrations: ReturnType<typeof countRegistrations>;
  let ownNames: () => void;
  let context: vscode.ExtensionContext;
  beforeEach(() => {
    storage = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-closing-'));
    registrations = countRegistrations();
    ownNames = withOwnNames();
    context = extensionContext(storage);
  });
  afterEach(() => {
    ownNames();
    registrations.stop();
    fs.rmSync(storage, { recursive: true, force: true });
  });

  /** Closes as VS Code does: it disposes the subscriptions without waiting for `deactivate`. */
  async function close(): Promise<void> {
    const closed = deactivate();
    for (const each of context.subscriptions.toReversed()) (each as vscode.Disposable).dispose();
    await closed;
  }
  const files = (): string[] =>
    fs
      .readdirSync(storage, { recursive: true, withFileTypes: true, encoding: 'utf8' })
      .flatMap((entry) => (entry.isFile() ? [path.relative(storage, path.join(entry.parentPath, entry.name))] : []));
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('ends everything that an open window registered', async () => {
    const { sessions } = activate(context);
    assert.deepEqual(await sessions(), []);
    assert.ok(registrations.living()['window.createOutputChannel'], 'a window is open');
    await close();
    assert.deepEqual(registrations.living(), {});
    assert.deepEqual(
      files().filter((name) => name.includes('lock')),
      [],
    );
  });

  for (const [when, turns] of [
    ['before it begins to load', 0],
    ['while it loads', 4],
  ] as const)
    it(`opens none if VS Code closes it ${when}`, async () => {
      const { sessions } = activate(context);
      for (let at = 0; at < turns; at++) await turn();
      assert.equal(registrations.living()['window.createOutputChannel'], undefined, 'the window is still loading');
      await close();
      // A call waits until the window is loaded.
      await assert.rejects(sessions(), /VS Code closed the window/);
      await turn();
      assert.deepEqual(registrations.living(), {});
      assert.deepEqual(files(), []);
    });
});
