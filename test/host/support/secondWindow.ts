import * as vscode from 'vscode';
import { Contributions } from '../../../src/extension/contributed/contributions';
import { WaymarkWindow } from '../../../src/extension/window/waymarkWindow';
import { extensionContext } from './extensionContext';

export interface SecondWindow {
  readonly window: WaymarkWindow;
  /** What it wrote to its output channel as errors. */
  readonly problems: readonly unknown[];
  close(): Promise<void>;
}

const nothing = (): undefined => undefined;

/**
 * Opens a window besides the one that VS Code started, with data of its own in the folder `storage`. Its side bar lists
 * have other names, because VS Code knows those of the first window, and are never visible.
 */
export function openSecondWindow(storage: string): SecondWindow {
  const real = vscode.window.createTreeView;
  const replace = (value: unknown): void =>
    void Object.defineProperty(vscode.window, 'createTreeView', { value, configurable: true, writable: true });
  const unseen: typeof real = (name, options) => real.call(vscode.window, `${name}.second`, options) as never;
  replace(unseen);
  const problems: unknown[] = [];
  const output = { error: (problem: unknown) => problems.push(problem), warn: nothing, info: nothing };
  const given = new Contributions();
  const window = new WaymarkWindow(extensionContext(storage), output as unknown as vscode.LogOutputChannel, given, {
    showBadge: nothing,
  });
  return {
    window,
    problems,
    async close() {
      replace(real);
      await window.close();
      window.dispose();
      given.dispose();
    },
  };
}
