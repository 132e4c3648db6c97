import { strict as assert } from 'node:assert';
import type { FrameLocator } from 'playwright-core';
import { fullRun } from '../support/trajectory';
import { until } from './support/agentWindow';
import { useWindow } from './support/window';

const ownLog = [{ waymark: 1 }, ...fullRun()].map(line => `${JSON.stringify(line)}\n`).join('');

describe('the inspector', function () {
  this.timeout(90_000);
  const window = useWindow({ files: { 'runs/first.waymark.jsonl': ownLog, 'runs/second.waymark.jsonl': ownLog }, size: { width: 1280, height: 860 } });
  const inspector = (): FrameLocator => window().page.frameLocator('iframe.webview.ready[src*="extensionId=waymark.waymark"]:not([src*="purpose=webviewView"])').last().frameLocator('iframe#active-frame');
  const press = async (...keys: string[]): Promise<void> => { for (const key of keys) { await window().page.keyboard.press(key); await window().page.waitForTimeout(60); } };
  const focusedRow = async (): Promise<string> => (await inspector().locator('.row-line:focus').textContent({ timeout: 1000 }).catch(() => '')) ?? '';
  const onRow = (what: string, pattern: RegExp): Promise<boolean> => until(what, async () => pattern.test(await focusedRow()));
  /** From the palette's list of files, without the mouse. */
  async function open(name: string): Promise<void> {
    await window().page.keyboard.press('ControlOrMeta+P');
    await window().page.keyboard.type(`runs/${name}`);
    await window().page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().waitFor();
    await window().page.keyboard.press('Enter');
    await inspector().getByTestId('row').first().waitFor();
  }

  it('opens with a log, has the focus, and is walked by keys alone', async () => {
    await open('first.waymark.jsonl');
    await onRow('the first row', /^Task/);
    await press('l', 'l');
    await onRow('step 2', /^Step 2/);
    await press('Enter');
    await inspector().getByTestId('step-view').waitFor();
    await window().screenshot('inspector-edit');
    await press('l');
    await onRow('step 3', /^Step 3/);
    await press('$');
    await onRow('the end', /^End/);
    await press('0');
    await onRow('the beginning', /^Task/);
  });

  it('goes to the next trajectory and back, and opens a step and the whole file as text', async () => {
    await press('L');
    await until('the second file', async () => (await window().page.locator('.tabs-container .tab.active').getAttribute('data-resource-name')) === 'second.waymark.jsonl');
    await inspector().getByTestId('row').first().waitFor();
    await onRow('its first row', /^Task/);
    await press('H');
    await until('the first file', async () => (await window().page.locator('.tabs-container .tab.active').getAttribute('data-resource-name')) === 'first.waymark.jsonl');
    await onRow('its first row', /^Task/);
    await press('l', 'e');
    await window().page.locator('.monaco-editor .view-lines', { hasText: '"request"' }).waitFor();
    assert.match(await window().page.locator('.tabs-container .tab.active').textContent() ?? '', /step 1 of first/);
  });

  for (const theme of ['light', 'high-contrast-dark'] as const) {
    it(`looks as it should: ${theme}`, async () => {
      await window().runCommand('View: Close All Editors');
      await window().setTheme(theme);
      await open('first.waymark.jsonl');
      await press('0', 'l', 'l', 'l', 'Enter');
      await inspector().getByTestId('step-view').waitFor();
      await window().screenshot(`inspector-${theme}`);
    });
  }
});
