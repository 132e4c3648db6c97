import fs from 'node:fs';
import path from 'node:path';
import type { Window, WindowOptions } from './window';

/**
 * Makes a window look as after its start, with an empty workspace: a new session, nothing running, no editor, message or
 * draft, views collapsed. Earlier sessions, and what a person decided for the workspace, remain.
 */
export async function restoreWindow(window: Window, { size }: Pick<WindowOptions, 'size'>): Promise<void> {
  const { page } = window;
  const box = page.locator('.quick-input-widget');
  for (let tries = 0; tries < 5 && (await box.isVisible()); tries++) await page.keyboard.press('Escape');
  if (size) await page.setViewportSize(size);
  await window.runCommand('Waymark: Stop Everything');
  const ended = /Nothing was running\.|Stopped everything/;
  await page.locator('.notifications-toasts', { hasText: ended }).waitFor();
  await window.runCommand('View: Close All Editors');
  await page.locator('.part.editor .tab').first().waitFor({ state: 'detached' });
  await window.runCommand('Waymark: New Session');
  await window.webview().getByTestId('composer').fill('');
  await window.runCommand('Notifications: Clear All Notifications');
  await page.locator('.notifications-toasts', { hasText: ended }).waitFor({ state: 'hidden' });
  const expanded = page.locator('.part.sidebar .pane-header.expanded:not([aria-label^="Conversation"])');
  for (let left = await expanded.count(); left > 0; left--) await expanded.last().click();
  if ((await page.locator('.monaco-workbench.vs-dark').count()) === 0) await window.setTheme('dark');
  for (const name of fs.readdirSync(window.workspace))
    fs.rmSync(path.join(window.workspace, name), { recursive: true, force: true, maxRetries: 5 });
}
