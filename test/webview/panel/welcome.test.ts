import { strict as assert } from 'node:assert';
import { scenes } from '../gallery/scenes';
import { action, facts, log, page, reply, started, task } from '../support/events';
import { usePanel } from '../support/usePanel';

const providers = [
  'openai',
  'anthropic',
  'gemini',
  'mistral',
  'openrouter',
  'deepseek',
  'groq',
  'xai',
  'azure',
  'github',
];
const machine = ['local', 'ollama', 'lmstudio', 'llamacpp', 'vllm'];

describe('the welcome page', function () {
  const { panel, byId } = usePanel(this);

  beforeEach(async () => {
    await panel().send(...scenes['first-start']!.messages);
  });

  it('lists providers, then models on this machine, then other ways, in the order of the host', async () => {
    const shown = await panel()
      .page.locator('[data-testid^="offer-"]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-testid')!.slice(6)));
    assert.deepEqual(shown, [...providers, ...machine, 'vscode', 'endpoint', 'tutorial']);
    assert.deepEqual(await panel().page.locator('.offer-group h3').allInnerTexts(), ['Providers', 'On this machine']);
  });

  it('shows if a key was found', async () => {
    assert.match((await byId('offer-openai').innerText()).replace(/\s+/g, ' '), /^OpenAI ?key found$/);
    assert.equal((await byId('offer-gemini').innerText()).trim(), 'Google Gemini');
  });

  it('lets a person choose a provider by mouse or by keyboard', async () => {
    await byId('offer-tutorial').click();
    await byId('offer-openai').focus();
    await panel().page.keyboard.press('Tab');
    await panel().page.keyboard.press('Enter');
    const chosen = await panel().postedOf('choose_model');
    assert.deepEqual(chosen, [
      { type: 'choose_model', offer: 'tutorial' },
      { type: 'choose_model', offer: 'anthropic' },
    ]);
  });
});

describe('the composer', function () {
  const { panel, byId } = usePanel(this);

  it('has the focus after a model was chosen by keyboard, so that the task can be typed', async () => {
    await panel().send(...scenes['first-start']!.messages);
    await byId('offer-tutorial').focus();
    await panel().page.keyboard.press('Enter');
    await panel().send({ type: 'facts', facts: facts({ status: 'empty' }) });
    await panel().page.keyboard.type('Repair it.');
    assert.equal(await byId('composer').inputValue(), 'Repair it.');
  });

  it('has the focus after an approval by Space, whose card is gone', async () => {
    const asked = action('c1', 'run_command', { command: 'rm -rf dist' }, 'Run rm -rf dist');
    const events = log(task('t'), reply('', [asked]), { type: 'confirmation_requested', actionIds: ['c1'] });
    await panel().send(page(events, { running: true, status: 'waiting_for_confirmation' }));
    await panel().answersEnabled();
    await byId('run-once').focus();
    await panel().page.keyboard.press('Space');
    const decided = log(
      ...events.map(({ seq: _seq, at: _at, ...event }) => event as never),
      { type: 'confirmation_resolved', actionIds: ['c1'], approved: true, by: 'person' },
      started('c1'),
    );
    await panel().send({
      type: 'events',
      from: events.length,
      events: decided.slice(events.length),
      facts: facts({ running: true, status: 'ready' }),
    });
    await byId('run-once').waitFor({ state: 'detached' });
    await panel().page.waitForFunction(() => document.activeElement !== document.body);
  });
});

describe('a message without a model', function () {
  const { panel, byId } = usePanel(this);

  it('leads to the choice of a model, by Enter and by the button, and stays in the composer', async () => {
    await panel().send(...scenes['first-start']!.messages);
    await byId('composer').fill('Fix the failing test.');
    await byId('composer').press('Enter');
    assert.equal(await byId('send').getAttribute('aria-disabled'), 'false');
    await byId('send').click();
    const choose = { type: 'command', id: 'waymark.chooseModel' };
    assert.deepEqual(await panel().chosen(), [choose, choose]);
    assert.equal(await byId('composer').inputValue(), 'Fix the failing test.');
  });
});

describe('a task that waits for a model', function () {
  const { panel, byId } = usePanel(this);

  it('has a banner that cancels it, and its text returns to the composer', async () => {
    const waits = page([], { status: 'empty', model: undefined, waitsForModel: 'Fix the failing test.' } as never);
    await panel().send(...scenes['first-start']!.messages, waits);
    await byId('waits-for-model').getByText('“Fix the failing test.” starts when you choose a model.').waitFor();
    await byId('cancel-waiting').click();
    assert.deepEqual(await panel().chosen(), [{ type: 'cancel_waiting' }]);
    await panel().send(
      { ...waits, type: 'facts', facts: { ...(waits as { facts: object }).facts, waitsForModel: undefined } } as never,
      { type: 'compose', text: 'Fix the failing test.' },
    );
    assert.equal(await byId('composer').inputValue(), 'Fix the failing test.');
    assert.equal(await byId('waits-for-model').count(), 0);
  });
});

describe('the model name in the header', function () {
  const { panel, byId } = usePanel(this);

  it('is a button that opens the choice of a model', async () => {
    await panel().send(page(log(task('Count.'), reply('Three.', [])), { running: false, status: 'idle' }));
    const name = byId('model');
    assert.match((await name.getAttribute('aria-label')) ?? '', /^Model: .+\. Choose another model$/);
    await name.focus();
    await panel().page.keyboard.press('Enter');
    assert.deepEqual(await panel().postedOf('command'), [{ type: 'command', id: 'waymark.chooseModel' }]);
  });
});
