import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { toast } from '../../../scripts/host/drive.mjs';
import {
  failure,
  reply,
  startModelServer,
  toolCall,
  type Answering,
  type ModelServer,
} from '../../support/modelServer';
import { finish, pause, until } from '../support/agentWindow';
import { useWindow } from '../support/window';

const keyOfEnvironment = 'sk-of-the-environment-77aa31';
const keyOfPerson = 'sk-of-the-person-5c90de';
const right = toolCall('report_word', { word: 'lighthouse' });

const listed = [
  {
    id: 'chat-4-large',
    object: 'model',
    created: 1_700_000_000,
    context_length: 128_000,
    pricing: { prompt: '0.0000025', completion: '0.00001' },
  },
  { id: 'text-embedding-9', object: 'model', created: 1_799_000_000 },
  {
    id: 'chat-5-large',
    object: 'model',
    created: 1_790_000_000,
    context_length: 1_048_576,
    pricing: { prompt: '0.000004', completion: '0.00002' },
  },
  { id: 'chat-5-words', object: 'model', created: 1_780_000_000, context_length: 32_768 },
];

/** Answers of each model to the trial request and afterwards. */
const answering: Record<string, Answering[]> = {
  'chat-4-large': [right, finish('Done by chat-4-large.')],
  'chat-5-large': [right, finish('Done by chat-5-large.')],
  'chat-5-words': [reply('The word is lighthouse.')],
  'slow-model': [{ ...reply('late'), delayMs: Infinity }],
};

describe('choosing a model', function () {
  this.timeout(240_000);
  const window = useWindow({ size: { width: 1200, height: 800 }, env: { AZURE_OPENAI_API_KEY: keyOfEnvironment } });
  const page = () => window().page;
  const view = () => window().webview();
  const quickInput = () => page().locator('.quick-input-widget');
  const rows = () => quickInput().locator('.monaco-list-row');
  const titled = (title: string) => quickInput().locator('.quick-input-title', { hasText: title }).waitFor();
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => page().keyboard.press(key)), Promise.resolve());
  const type = (words: string) => page().keyboard.type(words);
  const shot = (name: string): Promise<string> => window().screenshot(name);
  const dialog = () => page().locator('.monaco-dialog-box');
  const setting = (name: string): unknown => {
    const file = path.join(window().server.userData, 'Machine/settings.json');
    const machine = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>) : {};
    const user = JSON.parse(
      fs.readFileSync(path.join(window().server.userData, 'User/settings.json'), 'utf8'),
    ) as Record<string, unknown>;
    return { ...user, ...machine }[`waymark.model.${name}`];
  };
  const servers: ModelServer[] = [];
  const serve = async (listKey: string): Promise<ModelServer> => {
    const answers = structuredClone(answering) as typeof answering;
    const server = await startModelServer(
      ({ body }) => (answers[body.model]?.shift() as never) ?? failure(404, `The model ${body.model} does not exist`),
      { models: listed, listKey },
    );
    servers.push(server);
    return server;
  };

  before(async () => {
    await window().openConversation();
    await window().setPanelWidth(398);
  });
  after(() => Promise.all(servers.map((server) => server.stop())));

  it('leads from a provider through the key in the environment and the list of models to a test request', async () => {
    const server = await serve(keyOfEnvironment);
    const azure = view().getByTestId('offer-azure');
    assert.match(await azure.innerText(), /key found/);
    await shot('choose-welcome-350');
    await azure.click();
    await titled('Address of Azure OpenAI');
    // The word to replace is selected; the rest of the address stays.
    await type('our-team');
    assert.equal(
      await quickInput().locator('.quick-input-box input').inputValue(),
      'https://our-team.openai.azure.com/openai/v1',
    );
    await shot('choose-address');
    await quickInput().locator('.quick-input-box input').fill(server.baseUrl);
    await press('Enter');

    await titled('API Key for 127.0.0.1');
    await rows()
      .filter({ hasText: 'Use AZURE_OPENAI_API_KEY' })
      .filter({ hasText: 'found in the environment' })
      .waitFor();
    await shot('choose-key-found');
    await press('Enter');

    await titled('Model from Azure OpenAI');
    await rows().filter({ hasText: 'chat-5-large' }).waitFor();
    const shown = (await rows().allInnerTexts()).map((text) => listed.find(({ id }) => text.trim().startsWith(id))?.id);
    assert.deepEqual(shown, ['chat-5-large', 'chat-5-words', 'chat-4-large', 'text-embedding-9'], 'recent first');
    assert.match(await rows().first().innerText(), /1\.05M tokens · \$4 in, \$20 out/);
    assert.match(await rows().nth(2).innerText(), /128k tokens · \$2\.50 in, \$10 out/);
    await shot('choose-model-list');
    assert.equal(setting('name'), undefined, 'nothing counts yet');
    await type('chat-4');
    await press('Enter');

    await toast(page(), 'chat-4-large works').waitFor();
    await view().getByText('Ready for a task').waitFor();
    await shot('choose-works');
    const [tried] = server.requests;
    assert.deepEqual([tried!.body.model, tried!.body.tools?.length], ['chat-4-large', 1]);
    assert.deepEqual([setting('name'), setting('baseUrl')], ['chat-4-large', server.baseUrl]);
    assert.match(await view().getByTestId('model').innerText(), /chat-4-large/);
    await window().runCommand('Notifications: Clear All Notifications');
  });

  it('takes effect, with the key read from the environment each time and stored nowhere', async () => {
    await view().getByTestId('composer').fill('Do it.');
    await view().getByTestId('composer').press('Enter');
    await view().getByText('Done by chat-4-large.', { exact: true }).waitFor();
    const sent = servers[0]!.requests.at(-1)!.headers;
    assert.ok([sent.authorization, sent['api-key']].join(' ').includes(keyOfEnvironment));
    const seen = window().server.userData;
    const files = fs.readdirSync(seen, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const telling = files
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => fs.readFileSync(file).includes(keyOfEnvironment));
    assert.deepEqual(
      telling.map((file) => path.relative(seen, file)),
      [],
    );
    // The server reported the model's context size, which is not in our table.
    await view().getByTestId('usage').click();
    await view().getByTestId('usage-table').getByText('128').first().waitFor();
    await view().getByTestId('usage').click();
  });

  it('opens from the model name in the header, and reports a wrong key before it changes the model', async () => {
    const server = await serve(keyOfPerson);
    await view().getByTestId('model').click();
    await titled('Choose Model');
    await quickInput().getByText('OpenRouter', { exact: true }).waitFor();
    await shot('choose-offers');
    await type('compatible');
    await press('Enter');
    await titled('Address of the model');
    await quickInput().locator('.quick-input-box input').fill(server.baseUrl);
    await press('Enter');
    await titled('API Key for 127.0.0.1');
    await type('sk-wrong');
    await press('Enter');
    await titled('Model from 127.0.0.1');
    await rows().filter({ hasText: 'did not accept the key' }).waitFor();
    await shot('choose-key-wrong');
    // Enter takes the row that helps.
    await press('Enter');
    await titled('API Key for 127.0.0.1');
    await quickInput().locator('.quick-input-box input').fill(keyOfPerson);
    await press('Enter');
    await rows().filter({ hasText: 'chat-5-words' }).waitFor();
    assert.equal(server.requests.length, 0);
  });

  it('reports that a model does not support tools, and keeps key and list for the next attempt', async () => {
    const server = servers[1]!;
    const before = server.listings;
    await type('chat-5-w');
    await press('Enter');
    await dialog().getByText('chat-5-words answers but does not call tools.').waitFor();
    await shot('choose-no-tools');
    await dialog().getByRole('button', { name: 'Use with mini-text' }).waitFor();
    await dialog().getByRole('button', { name: 'Choose Another Model' }).click();
    await titled('Model from 127.0.0.1');
    assert.equal(
      await quickInput().locator('.quick-input-box input').inputValue(),
      'chat-5-w',
      'what was typed is still there',
    );
    assert.equal(server.listings, before, 'the list is not asked for again');
    assert.equal(setting('name'), 'chat-4-large');
  });

  it('reports that a typed model name is unknown', async () => {
    await quickInput().locator('.quick-input-box input').fill('chat-6-dream');
    await rows().filter({ hasText: 'Use “chat-6-dream”' }).waitFor();
    await shot('choose-typed');
    await press('Enter');
    await dialog().getByText('The model “chat-6-dream” was not found.').waitFor();
    await shot('choose-unknown');
    await press('Escape');
    await titled('Model from 127.0.0.1');
    assert.equal(setting('name'), 'chat-4-large');
  });

  it('returns from a slow test to the list, and the model that finally works is used, by keyboard only', async () => {
    await quickInput().locator('.quick-input-box input').fill('slow-model');
    await press('Enter');
    await titled('Trying slow-model');
    await shot('choose-trying');
    await press('Escape');
    await titled('Model from 127.0.0.1');
    await press('Control+A', 'Backspace');
    await rows().filter({ hasText: 'chat-5-large' }).waitFor();
    await press('Home', 'Enter');
    await toast(page(), 'chat-5-large works').waitFor();
    await until('the setting', () => setting('name') === 'chat-5-large');
    const { headers } = servers[1]!.requests.at(-1)!;
    assert.equal(headers.authorization, `Bearer ${keyOfPerson}`);
    assert.match(await view().getByTestId('model').innerText(), /chat-5-large/);
    await window().runCommand('Notifications: Clear All Notifications');
  });

  it('sends extra headers from the settings to no other server without asking', async () => {
    const file = path.join(window().server.userData, 'Machine/settings.json');
    const before = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>;
    const name = 'waymark.model.headers';
    fs.writeFileSync(file, JSON.stringify({ ...before, [name]: { 'x-gateway': 'for-the-gateway-alone' } }));
    const server = await serve(keyOfPerson);
    await pause(1_000); // VS Code reads the file a moment later, and nothing shows when.
    await window().runCommand('Waymark: Choose Model…');
    await titled('Choose Model');
    await type('compatible');
    await press('Enter');
    await titled('Address of the model');
    await quickInput().locator('.quick-input-box input').fill(server.baseUrl);
    await press('Enter');
    await titled('API Key for 127.0.0.1');
    await type(keyOfPerson);
    await press('Enter');
    await titled('Model from 127.0.0.1');
    await rows().filter({ hasText: 'chat-4-large' }).waitFor();
    await type('chat-4');
    await press('Enter');
    await dialog().getByText('Also send the extra headers and fields from your settings to 127.0.0.1').waitFor();
    await shot('choose-headers');
    assert.equal(server.requests.at(-1)!.headers['x-gateway'], undefined);
    await press('Escape');
    await pause(300);
    assert.equal(setting('name'), 'chat-5-large', 'the choice does not count');
    fs.writeFileSync(file, JSON.stringify(before));
  });

  it('goes back step by step to the choice of the place', async () => {
    await window().runCommand('Waymark: Choose Model…');
    await titled('Choose Model');
    await type('DeepSeek');
    await press('Enter');
    await titled('API Key for api.deepseek.com');
    await shot('choose-key-paste');
    await quickInput().locator('.quick-input-titlebar .action-label').first().click();
    await titled('Choose Model');
    await press('Escape');
    assert.equal(setting('name'), 'chat-5-large');
  });
});
