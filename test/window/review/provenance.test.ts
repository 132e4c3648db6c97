import { strict as assert } from 'node:assert';
import { toolCall } from '../../support/modelServer';
import { finish, goOnFromEachOther, run, until, useAgentWindow } from '../support/agentWindow';
import type { Theme } from '../support/window';

const before = [
  'export function area(width: number, height: number): number {',
  '  return width * height;',
  '}',
  '',
  'export const unit = "m²";',
  '',
].join('\n');
const added = [
  '',
  '/** The length of the line around a rectangle. */',
  'export function perimeter(width: number, height: number): number {',
  '  return 2 * (width + height);',
  '}',
  '',
].join('\n');

describe('who wrote a line, in a window', function () {
  this.timeout(240_000);
  goOnFromEachOther(this);
  const agent = useAgentWindow({
    files: { 'src/shapes.ts': before },
    settings: { 'waymark.provenance': 'on', 'editor.minimap.enabled': false, 'editor.hover.delay': 100 },
  });
  const line = (text: string) => agent().page.locator('.editor-instance .view-line', { hasText: text }).first();
  const hover = () => agent().page.locator('.monaco-hover:visible', { hasText: 'Waymark' }).first();
  const screenshot = (name: string): Promise<string> => agent().window.screenshot(name);
  /** Moves away and back, because the editor ignores an unchanged position. */
  const point = async (text: string): Promise<void> => {
    await agent().page.keyboard.press('Escape');
    await agent().page.mouse.move(5, 5);
    await line(text).locator('span span').last().hover();
  };

  it('is marked beside lines of tools and commands', async () => {
    agent().model(
      toolCall('read_file', { path: 'src/shapes.ts' }),
      toolCall(
        'edit_file',
        {
          path: 'src/shapes.ts',
          edits: [{ old_text: '}\n\nexport const unit', new_text: `}\n${added}\nexport const unit` }],
        },
        { text: 'The task asks for the perimeter too. It goes beside the area, in the same style.' },
      ),
      run('rm -rf old && echo "export const corners = 4;" >> src/shapes.ts'),
      finish('Perimeter and corners are there.'),
    );
    await agent().task('Add the perimeter and the corners.');
    await agent().reaches('confirmation_requested');
    await agent().view.getByTestId('run-once').click();
    await agent().reaches('finished');
    await agent().page.keyboard.press('F1');
    const input = agent().page.locator('.quick-input-widget input[type="text"]').first();
    await input.waitFor();
    await input.fill('shapes.ts');
    await agent().page.locator('.quick-input-list .monaco-list-row', { hasText: 'shapes.ts' }).first().waitFor();
    await agent().page.keyboard.press('Enter');
    await line('corners').waitFor();
    await until(
      'bars beside the lines of the agent',
      async () => (await agent().page.locator('.glyph-margin-widgets .cgmr').count()) >= 6,
    );
  });

  for (const theme of ['dark', 'light', 'high-contrast-dark', 'high-contrast-light'] satisfies Theme[]) {
    it(`is shown on hover with reason, model and approval, in the theme ${theme}`, async () => {
      if (theme !== 'dark') await agent().window.setTheme(theme);
      await until('the hover of the edit', async () => {
        await point('perimeter(width');
        return hover()
          .waitFor({ timeout: 3000 })
          .then(
            () => true,
            () => false,
          );
      });
      const words = await hover().innerText();
      assert.match(words, /The task asks for the perimeter too/);
      assert.match(words, /Model: test-model/);
      await screenshot(`provenance-hover-${theme}`);
      await until('the hover of the command', async () => {
        await point('corners');
        return hover()
          .waitFor({ timeout: 3000 })
          .then(
            () => true,
            () => false,
          );
      });
      await until('the words about consent', async () => /Approved by you/.test(await hover().innerText()));
      await screenshot(`provenance-command-${theme}`);
      await agent().page.mouse.move(5, 5);
    });

    it(`is listed by Agent Blame in the theme ${theme}`, async () => {
      await line('perimeter(width').click();
      await agent().command('Waymark: Agent Blame');
      await agent().page.locator('.quick-input-list .monaco-list-row', { hasText: 'echo' }).first().waitFor();
      assert.match(
        await agent().page.locator('.quick-input-list .monaco-list-row.focused').innerText(),
        /Edit src\/shapes\.ts/,
      );
      await screenshot(`provenance-blame-${theme}`);
      await agent().page.keyboard.press('Escape');
    });
  }

  it('leads to the step by keyboard', async () => {
    await agent().window.setTheme('dark');
    await line('corners').click();
    await agent().command('Waymark: Show Step for This Line');
    await agent().page.locator('.tab.active', { hasText: 'waymark.jsonl' }).waitFor();
    const inspector = agent().window.inspector();
    await inspector.getByTestId('step-view').waitFor();
    assert.match(await inspector.getByTestId('step-view').innerText(), /rm -rf old/);
    await screenshot('provenance-step');
  });
});
