import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { failure, startModelServer, toolCall, type ModelServer } from '../../support/modelServer';
import { alive, finish, newestLog, run, until } from '../support/agentWindow';
import { toast } from '../../../scripts/host/drive.mjs';
import { useWindow } from '../support/window';

/** The model's answer to the trial request. */
const trial = toolCall('report_word', { word: 'lighthouse' });
const canary = 'sk-canary-4f9d2c71e8b35a60';
const usualPorts = [11434, 1234, 8080, 8000];

describe('the first start', function () {
  this.timeout(240_000);
  const window = useWindow({
    size: { width: 1200, height: 800 },
    env: { OPENAI_API_KEY: 'sk-of-the-person' },
    allBuiltIn: true,
  });
  const view = () => window().webview();
  const quickInput = () => window().page.locator('.quick-input-widget');
  const answerBox = async (title: string, answer: string): Promise<void> => {
    await quickInput().locator('.quick-input-title', { hasText: title }).waitFor();
    const input = quickInput().locator('.quick-input-box input');
    assert.equal(await input.getAttribute('type'), title.includes('Key') ? 'password' : 'text');
    await input.fill(answer);
    await input.press('Enter');
  };
  let server: ModelServer | undefined;

  before(async () => {
    await window().openConversation();
    await window().setPanelWidth(398);
  });
  after(() => server?.stop());

  it('says what to do if no model server is found on this machine', async function () {
    if ((await Promise.all(usualPorts.map(taken))).includes(true)) this.skip();
    await view().getByTestId('offer-local').click();
    await window().page.getByText('No model server answered on ports 11434, 1234, 8080 and 8000.').first().waitFor();
    await window().screenshot('first-start-no-server-350');
    await window().runCommand('Notifications: Clear All Notifications');
  });

  it('finds a server on its usual port, and uses the chosen model', async function () {
    if (await taken(11434)) this.skip();
    const local = await startModelServer([trial, finish('Found.')], {
      port: 11434,
      models: ['little-model:8b', 'other-model'],
    });
    try {
      await view().getByTestId('offer-local').click();
      await quickInput().getByText('little-model:8b').waitFor();
      await window().screenshot('first-start-local-350');
      await window().page.keyboard.press('Enter');
      await toast(window().page, 'little-model:8b works').waitFor();
      await window().runCommand('Notifications: Clear All Notifications');
      await view().getByText('Ready for a task').waitFor();
      await view().getByTestId('composer').fill('Try the local model.');
      await view().getByTestId('composer').press('Enter');
      await view().getByTestId('finished').waitFor();
      assert.deepEqual(
        local.requests.map(({ body }) => body.model),
        ['little-model:8b', 'little-model:8b'],
      );
      assert.equal(local.requests[1]!.headers.authorization, undefined);
    } finally {
      await local.stop();
    }
  });

  it('accepts an address, a model and a key, and sends the key to that server', async () => {
    server = await startModelServer([
      trial,
      run('env; cat /proc/$$/environ 2>/dev/null | tr "\\0" "\\n"; true'),
      finish('Looked.'),
      failure(
        401,
        {
          message: `Incorrect API key provided: ${canary}. You can find your key elsewhere.`,
          type: 'invalid_request_error',
          code: 'invalid_api_key',
        },
        { 'x-request-id': canary },
      ),
      finish('Now it works.'),
    ]);
    await window().runCommand('Waymark: Choose Model…');
    await quickInput().locator('.quick-input-title', { hasText: 'Choose Model' }).waitFor();
    await window().page.keyboard.type('compatible');
    await quickInput().getByText('An OpenAI-compatible address and key').click();
    const answers = [
      ['Address of the model', server.baseUrl],
      ['API Key for', canary],
      ['Model from', 'some-model'],
    ] as const;
    for (const [title, answer] of answers) await answerBox(title, answer);
    await toast(window().page, 'some-model works').waitFor();
    await window().runCommand('Notifications: Clear All Notifications');
    await window().runCommand('Waymark: New Session');
    await view().getByText('Ready for a task').waitFor();
    await view().getByTestId('composer').fill('Show the environment.');
    await view().getByTestId('composer').press('Enter');
    await view().getByTestId('approval').waitFor();
    await alive(view(), 'run-once').click();
    await view().getByTestId('finished').waitFor();
    assert.deepEqual(
      server.requests.map(({ headers }) => headers.authorization),
      Array(3).fill(`Bearer ${canary}`),
    );
  });

  it('reports a rejected key without showing it, and continues with the next one', async () => {
    await view().getByTestId('composer').fill('Once more.');
    await view().getByTestId('composer').press('Enter');
    const failed = view().getByTestId('finished').last();
    await failed.getByText('did not accept the key').waitFor();
    assert.ok(!(await view().locator('body').innerText()).includes(canary));
    await window().screenshot('first-start-401-350');
    await window().runCommand('Waymark: Set API Key…');
    await answerBox('API Key for', 'sk-second');
    await failed.getByTestId('retry').click();
    await view().getByText('Now it works.', { exact: true }).waitFor();
    assert.equal(server!.requests.at(-1)!.headers.authorization, 'Bearer sk-second');
  });

  it('stores the key in no log, session or setting, and passes it to no child process', async () => {
    const seen = window().server.userData;
    const files = fs
      .readdirSync(seen, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    assert.ok(
      files.some((file) => file.endsWith('session.waymark.jsonl')),
      'no session log was searched',
    );
    assert.deepEqual(
      files.filter((file) => fs.readFileSync(file).includes(canary)).map((file) => path.relative(seen, file)),
      [],
    );
    const sent = server!.requests.flatMap(({ text }) => text);
    const environment = sent.find((text) => text.includes('PATH='));
    assert.ok(environment, 'the environment of a command was not seen');
    assert.ok(!sent.some((text) => text.includes(canary)));
    assert.ok(!environment.includes('sk-of-the-person'), 'a key of the person reached a command');
  });
});

const taken = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = net
      .createServer()
      .once('error', () => resolve(true))
      .listen(port, '127.0.0.1', () => probe.close(() => resolve(false)));
  });

describe('a task without a model', function () {
  this.timeout(240_000);
  const window = useWindow({ size: { width: 1200, height: 800 } });

  it('says that it starts when a model is chosen', async () => {
    await window().openConversation();
    await window().runCommand('Waymark: Run Agent on Task');
    const input = window().page.locator('.quick-input-widget .quick-input-box input');
    await input.waitFor();
    await input.fill('Fix the failing test.');
    await input.press('Enter');
    await window().webview().getByRole('alert').getByText('“Fix the failing test.” starts when you choose').waitFor();
    await window().screenshot('first-start-waiting-task');
  });

  it('returns to the composer if it is canceled or another one replaces it, and does not start', async () => {
    const view = window().webview();
    const composer = view.getByTestId('composer');
    const has = (words: string) =>
      until(`${words} in the composer`, async () => (await composer.inputValue()) === words);
    await window().runCommand('Waymark: Run Agent on Task');
    const input = window().page.locator('.quick-input-widget .quick-input-box input');
    await input.fill('Count the lines.');
    await input.press('Enter');
    await view.getByTestId('waits-for-model').getByText('Count the lines.').waitFor();
    await has('Fix the failing test.');
    await composer.fill('');
    await view.getByTestId('cancel-waiting').click();
    await has('Count the lines.');
    await view.getByTestId('waits-for-model').waitFor({ state: 'detached' });
    assert.equal(newestLog(window()), undefined);
  });
});
