import { strict as assert } from 'node:assert';
import type { FrameLocator } from 'playwright-core';
import { writeAtOnce } from '../../../src/core/trajectory/format';
import { writtenFormats } from '../../../src/core/trajectory/formats/formats';
import { fullRun, otherRun } from '../../support/trajectory';
import { until } from '../support/agentWindow';
import { useWindow } from '../support/window';

const logOf = (events: readonly object[]): string =>
  [{ waymark: 1 }, ...events].map((line) => `${JSON.stringify(line)}\n`).join('');
/** The same run in every supported format: name, file to open, and all files by path. */
const foreignRuns = (): {
  readonly format: string;
  readonly label: string;
  readonly open: string;
  readonly files: Readonly<Record<string, string>>;
}[] =>
  writtenFormats
    .filter(({ reader }) => reader)
    .map((format) => {
      const { name, label } = format;
      const written = writeAtOnce(format, fullRun(), { version: '0.0.0', session: `as-${name}` });
      const files = Object.fromEntries(written.map(({ path, text }) => [`formats/${path}`, text]));
      return {
        format: name,
        label,
        files,
        open: Object.keys(files).find((path) => path.endsWith('base_state.json')) ?? Object.keys(files)[0]!,
      };
    });

const foreign = foreignRuns();

describe('the inspector', function () {
  this.timeout(240_000);
  const window = useWindow({
    files: {
      'runs/first.waymark.jsonl': logOf(fullRun()),
      'runs/second.waymark.jsonl': logOf(otherRun()),
      ...(Object.assign({}, ...foreign.map(({ files }) => files)) as Record<string, string>),
    },
    size: { width: 1280, height: 860 },
  });
  const inspector = (): FrameLocator => window().inspector();
  /** Presses keys one after the other, each once the one before it has been drawn. */
  const press = async (...keys: string[]): Promise<void> => {
    for (const [index, key] of keys.entries()) {
      if (index > 0)
        await inspector()
          .locator('body')
          .evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
      await window().page.keyboard.press(key);
    }
  };
  const focusedRow = async (): Promise<string> =>
    (await inspector()
      .locator('.row-line:focus')
      .textContent({ timeout: 1000 })
      .catch(() => '')) ?? '';
  const onRow = (what: string, pattern: RegExp): Promise<boolean> =>
    until(what, async () => pattern.test(await focusedRow()));
  /** Opens a file from the palette's file list, without the mouse. */
  async function open(name: string, path = `runs/${name}`): Promise<void> {
    await window().page.keyboard.press('ControlOrMeta+P');
    await window().page.locator('.quick-input-widget input[type="text"]').first().fill(path);
    await window().page.locator('.quick-input-list .monaco-list-row.focused', { hasText: name }).waitFor();
    await window().page.keyboard.press('Enter');
    await until(
      'the file',
      async () =>
        (await window().page.locator('.tabs-container .tab.active').getAttribute('data-resource-name')) === name,
    );
  }

  it('opens with a log, takes the focus, and can be used by keyboard only', async () => {
    await open('first.waymark.jsonl');
    await inspector().getByTestId('row').first().waitFor();
    const icon = window().page.locator('.tabs-container .tab.active .monaco-icon-label');
    const image = await icon.evaluate((label) => {
      const view = label.ownerDocument.defaultView!;
      return view.getComputedStyle(label, '::before').backgroundImage;
    });
    assert.match(image, /tab-dark\.svg/, 'not the icon of JSON files');
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

  it('shows the next and previous trajectory, and opens a step or the whole file as text', async () => {
    await press('L');
    await until(
      'the second file',
      async () =>
        (await window().page.locator('.tabs-container .tab.active').getAttribute('data-resource-name')) ===
        'second.waymark.jsonl',
    );
    await inspector().getByTestId('row').first().waitFor();
    await onRow('its first row', /^Task/);
    await press('H');
    await until(
      'the first file',
      async () =>
        (await window().page.locator('.tabs-container .tab.active').getAttribute('data-resource-name')) ===
        'first.waymark.jsonl',
    );
    await onRow('its first row', /^Task/);
    await press('l', 'e');
    await window().page.locator('.monaco-editor .view-lines', { hasText: '"request"' }).waitFor();
    assert.match((await window().page.locator('.tabs-container .tab.active').textContent()) ?? '', /step 1 of first/);
  });

  for (const { format, open: file } of foreign) {
    it(`opens a run written by ${format}, and can be used by keyboard there`, async () => {
      await window().runCommand('View: Close All Editors');
      const name = file.split('/').at(-1)!;
      await open(name, file);
      // Files with common names open as text; the user chooses the inspector for them.
      if (!/\.(waymark\.jsonl|traj\.json|atif\.json|sharegpt\.jsonl)$/.test(name)) {
        await window().page.locator('.part.editor .monaco-editor .view-line').first().waitFor();
        const offer = window().page.locator('.quick-input-list .monaco-list-row', { hasText: 'Waymark Inspector' });
        await until('the inspector is offered', async () => {
          await window().runCommand('View: Reopen Editor With...');
          const isOffered = await offer.waitFor({ timeout: 2000 }).then(
            () => true,
            () => false,
          );
          // VS Code registers the editors for a file a moment after it shows it; an open list does not change.
          if (!isOffered) await window().page.keyboard.press('Escape');
          return isOffered;
        });
        await offer.click();
      }
      await inspector().getByTestId('row').first().waitFor();
      await press('0', 'l');
      await onRow('the first step', /^Step 1|^Message|^Reply/);
      await press('Enter');
      await inspector().getByTestId('step-view').waitFor();
      await press('$', '0');
      await onRow('the first row', /^Task|^Message/);
      await window().screenshot(`inspector-format-${format}`);
    });
  }

  it('draws charts, and a row of their tables leads to its step', async () => {
    await window().runCommand('View: Close All Editors');
    await open('first.waymark.jsonl');
    await inspector().getByTestId('row').first().waitFor();
    await press('v');
    await inspector().getByTestId('run-graph').locator('svg').waitFor();
    await window().screenshot('inspector-charts');
    await inspector().getByTestId('chart').first().locator('summary').press('Enter');
    await inspector().getByTestId('chart').first().getByRole('button', { name: 'Step 3' }).press('Enter');
    await onRow('step 3', /^Step 3/);
  });

  it('works by keyboard in a narrow window', async () => {
    await window().page.setViewportSize({ width: 760, height: 860 });
    await press('0', 'l');
    await onRow('step 1', /^Step 1/);
    await window().screenshot('inspector-narrow');
    await window().page.setViewportSize({ width: 1280, height: 860 });
  });

  for (const theme of ['light', 'high-contrast-dark'] as const) {
    it(`opens a step in the theme ${theme}`, async () => {
      await window().runCommand('View: Close All Editors');
      await window().setTheme(theme);
      await open('first.waymark.jsonl');
      await inspector().getByTestId('row').first().waitFor();
      await press('0', 'l', 'l', 'l', 'Enter');
      await inspector().getByTestId('step-view').waitFor();
      await window().screenshot(`inspector-${theme}`);
    });
  }
});
