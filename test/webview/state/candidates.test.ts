import assert from 'node:assert/strict';
import type { Candidate, Sampling } from '../../../src/protocol/events/event';
import { rowsOf } from '../../../webview-ui/state/rows';
import { action, facts, log, page, reply, task, usage } from '../support/events';
import { usePanel } from '../support/usePanel';

const candidate = (text: string, command?: string, more: Partial<Candidate> = {}): Candidate => ({
  text,
  calls:
    command === undefined
      ? []
      : [{ id: 'x', type: 'function', function: { name: 'run_command', arguments: JSON.stringify({ command }) } }],
  summary: command === undefined ? '' : `Run ${command}`,
  usage,
  model: 'm',
  finishReason: 'stop',
  ...more,
});
const sampling: Sampling = {
  candidates: [
    candidate('Look first.', 'ls', { score: 0.2 }),
    candidate('All anew.', 'git stash', { score: 0.9 }),
    candidate('Hm.', undefined, { problem: 'It contains no action.', score: null }),
    candidate('Test <b>it</b>.', 'npm test', { score: 0.1 }),
  ],
  chosen: 1,
  by: 'reward_model',
  reason: 'It has the highest score, 0.9.',
  outputs: ['Careful.', 'Bold.', 'Idle.', 'Fine.'],
};
const history = log(
  task('Fix it.'),
  reply('All anew.', [action('a1', 'run_command', { command: 'git stash' }, 'Run git stash')], { sampling }),
);

describe('the candidates of a step', () => {
  it('have a row before the chosen reply', () => {
    assert.deepEqual(
      rowsOf(history).map(({ kind }) => kind),
      ['message', 'candidates', 'reply', 'step'],
    );
  });

  it('have no row if there was only one reply', () => {
    assert.deepEqual(
      rowsOf(log(task('Fix it.'), reply('Done.', []))).map(({ kind }) => kind),
      ['message', 'reply'],
    );
  });
});

describe('the card of candidates in Chromium', function () {
  const { panel, byId, site } = usePanel(this);
  const open = async (): Promise<void> => {
    await panel().send(page(history, { status: 'ready' }));
    await panel().leaveComposer();
    for (const key of ['k', 'k', 'k', 'Enter']) await panel().page.keyboard.press(key);
    await byId('candidate').first().waitFor();
  };

  it('says in one line how many there are and which was chosen, and opens by keyboard', async () => {
    await panel().send(page(history, { status: 'ready' }));
    assert.match(await byId('step-row').first().innerText(), /4 candidates\s+number 2, the highest score/);
    assert.equal(await byId('candidate').count(), 0);
    await open();
    assert.equal(await byId('candidate').count(), 4);
  });

  it('shows the text, actions, score and problems of each, and which one was chosen', async () => {
    await open();
    const words = await byId('candidate').allInnerTexts();
    for (const [index, parts] of [
      ['Look first.', 'ls', 'Score 0.2', 'Careful.'],
      ['All anew.', 'git stash', 'Score 0.9', 'Chosen', 'Bold.'],
      ['Hm.', 'No score', 'It contains no action.', 'Idle.'],
      ['npm test', 'Score 0.1'],
    ].entries()) {
      for (const part of parts) assert.ok(words[index]!.includes(part), `${part} in ${words[index]}`);
      assert.equal(words[index]!.includes('Chosen'), index === 1);
    }
    assert.equal(await panel().page.locator('[data-testid=candidate] b').count(), 0, 'words of a model are no markup');
    assert.ok(await panel().page.getByText('It has the highest score, 0.9.').isVisible());
  });

  it('offers to continue from the usable others, and sends one request', async () => {
    await open();
    assert.equal(await byId('choose-candidate').count(), 2);
    await panel().page.keyboard.press('Tab');
    assert.equal(
      await panel().page.evaluate('document.activeElement.getAttribute("aria-label")'),
      'Continue from this one: candidate 1',
    );
    await panel().page.keyboard.press('Enter');
    await panel().page.keyboard.press('Enter');
    assert.deepEqual(await panel().postedOf('choose_candidate'), [{ type: 'choose_candidate', seq: 1, index: 0 }]);
  });

  it('places them side by side if there is room, otherwise below each other', async () => {
    await open();
    const left = async (on: typeof panel extends () => infer Page ? Page : never) =>
      new Set(
        await on.page
          .getByTestId('candidate')
          .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left))),
      ).size;
    assert.equal(await left(panel()), 1);
    const wide = await site().open({ width: 1000 });
    await wide.send(page(history, { status: 'ready' }));
    await wide.leaveComposer();
    for (const key of ['k', 'k', 'k', 'Enter']) await wide.page.keyboard.press(key);
    await wide.page.getByTestId('candidate').first().waitFor();
    assert.ok((await left(wide)) > 1);
    await wide.close();
  });

  it('says how many have arrived while others are awaited', async () => {
    await panel().send(page(history.slice(0, 1), { running: true, status: 'ready' }), {
      type: 'deltas',
      deltas: [{ kind: 'progress', doing: 'sampling', done: 2, of: 4 }],
    });
    assert.match(await byId('card-stream').innerText(), /2 of 4 candidates received/);
    await panel().send({ type: 'deltas', deltas: [{ kind: 'progress', doing: 'judging', done: 0, of: 1 }] });
    assert.match(await byId('card-stream').innerText(), /Judging the candidates: 0 of 1/);
    await panel().send({
      type: 'events',
      from: 1,
      events: history.slice(1),
      facts: facts({ running: true, status: 'ready' }),
    });
    assert.doesNotMatch(await byId('card-stream').innerText(), /Judging/);
  });
});
