import { strict as assert } from 'node:assert';
import { finish, until, useAgentWindow } from '../support/agentWindow';

const files = {
  'src/add.js': 'export function add(a, b) {\n  return a - b;\n}\n',
  'src/with blank.js': 'export {};\n',
  'src/a name that is far too long for a narrow panel.js': 'export {};\n',
  '.env': 'TOKEN=none\n',
  '.agent/release.md':
    '---\nname: release\ndescription: Makes a release.\ninputs:\n  - name: version\n    description: the new number\n---\nRelease ${version} now.\n',
};

describe('a message with mentions', function () {
  this.timeout(240_000);
  const agent = useAgentWindow({ files });
  const byId = (id: string) => agent().view.getByTestId(id);
  const options = () => byId('completions').getByRole('option');
  const open = async (name: string): Promise<void> => {
    const { page } = agent();
    const input = page.locator('.quick-input-widget input[type="text"]').first();
    await until('the palette', async () => {
      await page.keyboard.press('F1');
      return input.fill(name, { timeout: 3000 }).then(
        () => true,
        () => false,
      );
    });
    await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.tab.active', { hasText: name }).waitFor();
  };

  it('completes workspace files, and the model receives their content', async () => {
    const { page, window } = agent();
    await window.openConversation();
    await byId('composer').click();
    await page.keyboard.type('Mend @');
    await options().filter({ hasText: '@problems' }).waitFor();
    for (const theme of ['dark', 'light'] as const) {
      await window.setTheme(theme);
      await byId('composer').click();
      await page.keyboard.press('End');
      await page.keyboard.type('a');
      await page.keyboard.press('Backspace');
      await options().filter({ hasText: 'add.js' }).waitFor();
      assert.equal(await options().filter({ hasText: '.env' }).count(), 0);
      await window.screenshot(`completion-${theme}`);
    }
    await page.keyboard.type('add');
    await until('the file alone', async () => (await options().count()) === 1);
    await page.keyboard.press('Enter');
    assert.equal(await byId('composer').inputValue(), 'Mend @src/add.js ');
    agent().model(finish('Mended.'));
    await page.keyboard.type('please');
    await page.keyboard.press('Enter');
    await agent().finished();
    const { task, context } = await agent().reaches('task_started');
    assert.equal(task, 'Mend @src/add.js please');
    assert.deepEqual(
      context?.map(({ kind, source, trust }) => [kind, source, trust]),
      [['file', 'src/add.js', 'project']],
    );
    assert.ok(agent().server.requests.at(-1)!.text.includes('return a - b'));
    await byId('context').getByText('@src/add.js: src/add.js, 3 lines').waitFor();
    await window.screenshot('mention-sent');
  });

  it('that calls a skill by name asks for a missing value', async () => {
    const { page, window } = agent();
    await agent().command('Waymark: New Session');
    await byId('composer').click();
    await page.keyboard.type('/rel');
    await options().filter({ hasText: '/release <version>' }).waitFor();
    await window.screenshot('completion-command');
    await page.keyboard.press('Enter');
    agent().model(finish('Released.'));
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-widget', { hasText: 'version: the new number' }).waitFor();
    await page.keyboard.type('1.2.0');
    await page.keyboard.press('Enter');
    await agent().finished();
    assert.equal((await agent().reaches('task_started')).task, '/release version=1.2.0');
    assert.equal(
      (await agent().reaches('skill_woken')).text,
      '[.agent/release.md, given because the user called /release:]\nRelease 1.2.0 now.',
    );
  });

  it('can be previewed before it is sent', async () => {
    const { page, window } = agent();
    await agent().command('Waymark: New Session');
    await byId('composer').click();
    await page.keyboard.type('Mend @src/add.js please');
    const asked = agent().server.requests.length;
    await byId('show-context').click();
    const text = page.locator('.editor-instance .view-lines');
    for (const words of [
      'Next request',
      'Tool dialect:',
      'System prompt',
      'Tool: read_file',
      '| Tokens | Part |',
      'Mentioned: @src/add.js: src/add.js, 3 lines',
    ]) {
      await page.locator('.editor-instance').click();
      await page.keyboard.press('Control+F');
      await page.locator('.find-widget textarea').first().fill(words);
      await until(`"${words}" in the document`, async () =>
        /of [1-9]/.test(await page.locator('.find-widget .matchesCount').innerText()),
      );
    }
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Home');
    await until('the beginning', async () =>
      (await text.innerText()).replaceAll('\u00a0', ' ').includes('Next request'),
    );
    await window.screenshot('show-context');
    assert.equal(agent().server.requests.length, asked, 'nothing is sent');
    await byId('composer').fill('');
  });

  it('that mentions a file with likely secrets is returned with the reason', async () => {
    const { page } = agent();
    await agent().command('Waymark: New Session');
    await byId('composer').fill('Read @.env'); // no completion fits, so no list receives the Enter key
    await byId('composer').press('Enter');
    await agent().view.getByRole('alert').getByText('.env usually contains secrets').waitFor();
    assert.equal(await byId('composer').inputValue(), 'Read @.env');
    assert.equal(await page.locator('.notifications-toasts .notification-list-item').count(), 0, 'it is said once');
    await byId('composer').fill('');
    await agent().view.getByRole('button', { name: 'Dismiss' }).click();
  });

  it('includes the open editor until a person removes it by keyboard', async () => {
    const { page, window } = agent();
    await agent().command('Waymark: New Session');
    for (const name of ['a name that is far too long for a narrow panel.js', '.env', 'with blank.js', 'add.js'])
      await open(name);
    await byId('editor-chip').getByText('src/add.js').waitFor();
    await byId('others-chip').getByText('+2 open editors').waitFor();
    for (const theme of ['light', 'high-contrast-dark', 'dark'] as const) {
      await window.setTheme(theme);
      await window.screenshot(`open-editors-${theme}`);
    }
    await window.setPanelWidth(250 + 48);
    const wide = await byId('composer').evaluate((box) => {
      const { scrollWidth, clientWidth } = box.ownerDocument.documentElement;
      return scrollWidth - clientWidth;
    });
    assert.ok(wide <= 0, 'the chips fit into a narrow panel');
    await window.screenshot('open-editors-narrow');
    await window.setPanelWidth(350 + 48);
    const sent = async (words: string) => {
      agent().model(finish('Seen.'));
      await byId('composer').fill(words);
      await byId('composer').press('Enter');
      const event = await until(words, () =>
        agent()
          .events()
          .find(
            (each) =>
              (each.type === 'task_started' && each.task === words) ||
              (each.type === 'user_message' && each.text === words),
          ),
      );
      await agent().finished();
      return (
        (event as { context?: { kind: string; label: string; text: string }[] }).context?.map(({ label, text }) => [
          label,
          text,
        ]) ?? []
      );
    };
    const here = ['Open in the editor: src/add.js', 'The cursor is in line 1.'];
    await byId('composer').fill('See what is open.');
    await byId('show-context').click();
    const shown = await until('all that is open', async () => {
      const text = (await page.locator('.editor-instance .view-lines').first().innerText()).replaceAll('\u00a0', ' ');
      return text.includes('Open in other tabs: 2 files') && text;
    });
    assert.ok(shown.includes('Mentioned: Open in the editor: src/add.js'));
    assert.equal(await byId('editor-chip').innerText(), 'src/add.js', 'to look changes nothing of it');
    const [first, second, ...more] = await sent('See what is open.');
    assert.deepEqual([first, more], [here, []]);
    assert.equal(second![0], 'Open in other tabs: 2 files');
    assert.deepEqual(second![1]!.split('\n').sort(), [
      'src/a name that is far too long for a narrow panel.js',
      'src/with blank.js',
    ]);
    await byId('composer').focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Space');
    await until('the chip off', async () => (await byId('others-chip').getAttribute('aria-pressed')) === 'false');
    assert.deepEqual(await sent('See only this.'), [here]);
  });

  it('can contain pasted pictures, and sends them to models that support pictures', async () => {
    const { page, window } = agent();
    const paste = async (): Promise<void> => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.evaluate(`(async () => {
        const canvas = new OffscreenCanvas(32, 16);
        const brush = canvas.getContext('2d');
        brush.fillStyle = 'teal';
        brush.fillRect(0, 0, 32, 16);
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': await canvas.convertToBlob({ type: 'image/png' }) })]);
      })()`);
      await byId('composer').focus();
      await page.keyboard.press('Control+V');
      await byId('pictures').getByRole('listitem').first().waitFor();
    };
    await window.openConversation();
    await agent().command('Waymark: New Session');
    await paste();
    await window.screenshot('picture');
    agent().model(finish('A picture in teal.'));
    await page.keyboard.type('What is this?');
    await page.keyboard.press('Enter');
    await agent().finished();
    const [image] = (await agent().reaches('task_started')).images!;
    assert.match(image!.data, /^iVBORw0KGgo/);
    assert.deepEqual(picturesOf(agent().server.requests.at(-1)!.body), [`data:image/png;base64,${image!.data}`]);
    await window.changeSettings({ 'waymark.model.vision': 'none' });
    await window.openConversation();
    await agent().command('Waymark: New Session');
    await paste();
    await byId('pictures').getByText('test-model cannot read images, so they are omitted.').waitFor();
    await window.screenshot('picture-unseen');
    agent().model(finish('There is a picture.'));
    await byId('composer').click();
    await page.keyboard.type('And this?');
    await page.keyboard.press('Enter');
    const { body, text } = await until('the request', () =>
      agent().server.requests.find((request) => request.text.includes('And this?')),
    );
    assert.deepEqual(picturesOf(body), []);
    assert.ok(text.includes('An image (image/png) was omitted: this model cannot read images.'));
  });
});

const picturesOf = ({ messages }: { readonly messages: readonly Record<string, unknown>[] }): string[] =>
  messages.flatMap(({ content }) =>
    Array.isArray(content)
      ? (content as { type: string; image_url?: { url: string } }[]).flatMap((part) =>
          part.type === 'image_url' ? [part.image_url!.url] : [],
        )
      : [],
  );
