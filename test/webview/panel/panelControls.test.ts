import assert from 'node:assert/strict';
import { scenes } from '../gallery/scenes';
import { action, facts, log, page, reply, started, task } from '../support/events';
import { usePanel } from '../support/usePanel';

const begun = log(task('t'), reply('', [action('a', 'run_command', { command: 'ls' }, 'Run ls')]));

describe('controlling a run in the panel', function () {
  const { panel, byId } = usePanel(this);
  const types = async (): Promise<string[]> => (await panel().chosen()).map(({ type }) => type);

  it('offers only the controls that apply now', async () => {
    const offered = async (...ids: string[]): Promise<void> => {
      for (const id of ['pause', 'step', 'resume', 'stop'])
        assert.equal(await byId(id).count(), ids.includes(id) ? 1 : 0, `${id} of ${ids.join()}`);
    };
    await panel().send(page(begun, { running: true, status: 'ready' }));
    await offered('pause', 'stop');
    await panel().send({ type: 'facts', facts: facts({ running: true, status: 'ready', pauseRequested: true }) });
    await offered('resume', 'stop');
    assert.match(await byId('status').innerText(), /Pausing/);
    await panel().send({ type: 'facts', facts: facts({ running: true, status: 'ready', stepping: true }) });
    await offered('stop');
    await panel().send({ type: 'facts', facts: facts({ status: 'paused' }) });
    await offered('step', 'resume', 'stop');
    // Resume is where pause was, as in the debug toolbar.
    const order = await panel()
      .page.locator('.run-controls button')
      .evaluateAll((all) => all.map(({ id }) => id));
    assert.deepEqual(order, ['resume', 'step', 'stop']);
    await panel().send({ type: 'facts', facts: facts({ status: 'idle' }) });
    await offered();
    await panel().send({ type: 'facts', facts: facts({ status: 'paused', writable: false }) });
    await offered();
  });

  it('shows that the log cannot be written while that lasts, and offers to try again or to stop the run', async () => {
    const unkept = "The session's log cannot be written (ENOSPC: no space left on device).";
    await panel().send(page(begun, { running: true, status: 'ready', unkept }));
    const banner = byId('unkept');
    assert.match(await banner.innerText(), /log cannot be written \(ENOSPC/);
    assert.equal(await byId('status').innerText(), 'Cannot write the log');
    await banner.getByRole('button', { name: 'Retry now' }).click();
    await banner.getByRole('button', { name: 'Stop run' }).click();
    assert.deepEqual(await types(), ['retry_now', 'stop']);
    await panel().send({ type: 'facts', facts: facts({ running: true, status: 'ready' }) });
    assert.equal(await banner.count(), 0);
  });

  it('shows where the run is paused, and steps and resumes it from there', async () => {
    await panel().send(...scenes['paused-before-acting']!.messages);
    assert.match(await byId('paused').innerText(), /Paused before 2 actions/);
    await byId('card-step').click();
    await byId('card-resume').click();
    assert.deepEqual(await types(), ['step', 'resume']);
  });

  it('puts the usual way on first, and what happened before it', async () => {
    const lines = async (id: string): Promise<string[]> =>
      (await byId(id).innerText()).split('\n').filter((line) => line.trim() !== '');
    await panel().send(...scenes['paused-before-acting']!.messages);
    assert.deepEqual((await lines('paused')).slice(-2), ['Resume', 'Step']);
    await panel().send(...scenes['stepping']!.messages);
    assert.deepEqual((await lines('paused')).slice(-2), ['Step', 'Leave step mode']);
    await panel().send(...scenes['stopped']!.messages);
    assert.deepEqual((await lines('finished')).slice(1, 3), [
      'You stopped this run. 5 actions were done. Changed: src/add.ts.',
      'Resume',
    ]);
  });

  it('offers to stop in one place, the header, whatever waits', async () => {
    for (const name of ['paused-before-acting', 'retry', 'approval', 'question']) {
      await panel().send(...scenes[name]!.messages);
      await byId('stop').waitFor();
      assert.equal(await panel().page.getByRole('button', { name: /^Stop/ }).count(), 1, name);
    }
  });

  it('says that continuing leaves step mode, and removes the lines of earlier pauses', async () => {
    await panel().send(...scenes['stepping']!.messages);
    assert.equal(await byId('card-resume').innerText(), 'Leave step mode');
    assert.equal(await byId('resume').getAttribute('aria-label'), 'Leave step mode');
    assert.equal(await byId('card-paused').count(), 1);
  });

  it('shows the results after a stop, and resumes', async () => {
    await panel().send(...scenes['stopped']!.messages);
    assert.match(await byId('finished').innerText(), /Stopped[\s\S]*5 actions were done[\s\S]*src\/add\.ts/);
    assert.match(await byId('status').innerText(), /Stopped/);
    await byId('retry').click();
    assert.deepEqual(await types(), ['resume']);
  });

  it('labels the button after a run in circles as the sentence above it does', async () => {
    await panel().send(...scenes['circles']!.messages);
    assert.match(await byId('finished').innerText(), /or resume to let it continue\.\s+Resume/);
  });

  it('raises the limit that was reached, never below its old value', async () => {
    await panel().send(...scenes['limit-reached']!.messages);
    assert.equal(await byId('limit-steps').inputValue(), '100');
    await byId('limit-steps').fill('50');
    assert.equal(await byId('go-on').getAttribute('aria-disabled'), 'true');
    await panel().page.keyboard.press('Enter');
    assert.deepEqual(await types(), []);
    await byId('limit-steps').fill('80');
    await byId('limit-cost').fill('7.5');
    await panel().page.keyboard.press('Enter');
    assert.deepEqual(await panel().postedOf('set_limits'), [{ type: 'set_limits', steps: 80, cost: 7.5, seconds: 0 }]);
  });

  it('sets the mode in one list', async () => {
    await panel().send(page(begun));
    for (const choice of ['plan', 'human', 'auto', 'always']) await byId('mode').selectOption(choice);
    assert.deepEqual(await panel().postedOf('set_mode'), [
      { type: 'set_mode', mode: 'plan' },
      { type: 'set_mode', mode: 'human' },
      { type: 'set_mode', mode: 'auto' },
      { type: 'set_mode', mode: 'confirm', confirmation: 'always' },
    ]);
    assert.equal(
      await byId('mode').inputValue(),
      'risky',
      'the mode that holds, for example while Auto is asked about',
    );
    await panel().send({ type: 'facts', facts: facts({ mode: 'plan' }) });
    assert.equal(await byId('mode').inputValue(), 'plan');
    await panel().send({ type: 'facts', facts: facts({ confirmation: 'never' }) });
    assert.equal(await byId('mode').inputValue(), 'auto', 'to ask nothing is one mode, by whichever setting');
  });

  it('queues with Enter, and steers with Ctrl+Enter', async () => {
    await panel().send(
      page([...begun, ...log(started('a')).map((event) => ({ ...event, seq: 2 }))], { running: true, status: 'ready' }),
    );
    await byId('composer').fill('First.');
    await byId('composer').press('Enter');
    await byId('composer').fill('Second.');
    await byId('composer').press('Control+Enter');
    await byId('composer').fill('Third.');
    await byId('send-now').click();
    assert.deepEqual(await panel().postedOf('send'), [
      { type: 'send', text: 'First.' },
      { type: 'send', text: 'Second.', delivery: 'steer' },
      { type: 'send', text: 'Third.', delivery: 'steer' },
    ]);
  });

  it('takes commands in human mode, and labels them as run by the person', async () => {
    await panel().send(...scenes['human']!.messages);
    assert.equal(await byId('composer').getAttribute('placeholder'), 'Type a command to run');
    assert.match(await byId('composer').evaluate((box) => getComputedStyle(box).fontFamily), /mono/i);
    assert.equal(await byId('send').innerText(), 'Run');
    assert.equal(await panel().page.getByText('You ran').count(), 1);
    assert.deepEqual(
      await byId('card-user_message')
        .allInnerTexts()
        .then((all) => all.map((words) => words.split('\n').at(-1)?.trim())),
      ['Waiting to run'],
    );
  });

  it('shows how full the context window is and with what, and condenses it', async () => {
    await panel().send(...scenes['context']!.messages);
    assert.equal(await byId('context-meter').getAttribute('aria-label'), 'Context window: 85 % full');
    await byId('usage').click();
    assert.match(await byId('context-table').innerText(), /Tools\s+9\.6k[\s\S]*Results\s+58k/);
    await byId('condense').click();
    assert.deepEqual(await types(), ['condense']);
  });

  it('shows a condensation: summary, reason, cost, and what the model no longer reads', async () => {
    await panel().send(...scenes['condensed']!.messages);
    const card = byId('card-condensation');
    await card.locator('[data-toggle]').click();
    assert.match(
      await card.innerText(),
      /`add` in src\/add\.ts subtracts[\s\S]*requested, the context window was nearly full[\s\S]*9\.4k in · 210 out[\s\S]*3\.1 s/,
    );
    await byId('forgotten').click();
    await card.getByText('Search for "add("').click();
    assert.equal(await panel().page.evaluate('document.activeElement.dataset.key'), 'as1');
  });

  it('says what a condensation did that removed nothing', async () => {
    const removed = { type: 'condensation' as const, forgotten: [], summary: '' };
    await panel().send(page(log(task('t'), { ...removed, shortened: [{ seq: 0, content: 'a' }] }, removed)));
    assert.deepEqual(await byId('card-condensation').allInnerTexts(), [
      'Results were shortened to fit the context window',
      'Nothing to condense',
    ]);
  });

  it('shows the details of a reply, and which replies the model no longer reads', async () => {
    await panel().send(...scenes['feedback']!.messages);
    assert.equal(await panel().page.getByText('No longer in the model’s context').count(), 1);
    await byId('reply-details').click();
    assert.match(await byId('card-agent_response').first().innerText(), /npm te[\s\S]*```bash/);
    await panel().send(...scenes['structured']!.messages);
    await byId('step-row').click();
    assert.match(await byId('task-state').innerText(), /continues · The test is being read[\s\S]*node --test/);
  });

  it('says which loop the run is stuck in', async () => {
    await panel().send(...scenes['circles']!.messages);
    assert.match(await byId('card-feedback').innerText(), /same error/);
    assert.match(await byId('finished').innerText(), /same error/);
  });

  it('offers the options of the next task before it starts, not during a run', async () => {
    await panel().send(...scenes['options']!.messages);
    assert.match(await byId('options').innerText(), /hermes · 4 candidates, scored · tools: debugging, todo/);
    await byId('options').click();
    assert.deepEqual(await panel().postedOf('command'), [{ type: 'command', id: 'waymark.chooseOptions' }]);
    await panel().send(page(begun));
    assert.equal(await byId('options').count(), 0);
  });
});
