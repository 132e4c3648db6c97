import { strict as assert } from 'node:assert';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { failure, inPieces, reply, toolCall } from '../../support/modelServer';
import { finish, pause, run, until, useSharedWindow } from '../support/agentWindow';

const slowly = (text: string) => ({ ...inPieces(reply(text), 180), pauseMs: 120 });
const numbers = Array.from({ length: 60 }, (_none, index) => `word${index + 1}`).join(' ');

describe('a run in a window', function () {
  this.timeout(240_000);
  const agent = useSharedWindow('asking');
  const status = (words: string) => agent().view.getByTestId('status').filter({ hasText: words }).waitFor();
  const composer = () => agent().view.getByTestId('composer');
  const say = async (words: string): Promise<void> => {
    await composer().fill(words);
    await composer().press('Enter');
  };

  it('stops on Esc while the model replies, keeps the partial reply, and continues from it with a message', async () => {
    agent().model(slowly(numbers), finish('Stopped in time.'));
    await agent().task('Count.');
    await agent().view.getByText('word9').waitFor();
    assert.match(await agent().view.getByTestId('card-stream').innerText(), /^word1 word2 /);
    await agent().window.screenshot('streaming-350');
    const asked = agent().server.requests.length;
    await agent().page.keyboard.press('Escape');
    assert.deepEqual((({ status, cause }) => [status, cause])(await agent().reaches('finished')), [
      'stopped',
      'person',
    ]);
    assert.equal(await agent().server.requests[asked - 1]!.outcome, 'aborted');
    const [cut] = agent().of('agent_response');
    assert.match(cut!.text, /^word1 .*word9/);
    assert.ok(!cut!.text.includes('word60'));
    await agent().view.getByText('word9').first().waitFor();
    await status('Stopped');
    await agent().window.screenshot('stopped-350');
    await say('That is enough.');
    assert.equal((await agent().reaches('finished', 2)).status, 'submitted');
    const { messages } = agent().server.requests.at(-1)!.body;
    assert.deepEqual(
      messages.slice(-2).map(({ role, content }) => [role, content]),
      [
        ['assistant', cut!.text],
        ['user', 'That is enough.'],
      ],
    );
  });

  it('stops by the button during a command, keeps its output, and continues with Resume', async () => {
    agent().model(run("printf 'first%s\\n' -line; sleep 62.5"), finish('Went on.'));
    await agent().task('Sleep.');
    await agent().view.getByText('first-line').waitFor();
    await agent().window.screenshot('command-runs-350');
    await agent().view.getByTestId('stop').click();
    assert.equal((await agent().reaches('finished')).status, 'stopped');
    const [observation] = agent().of('observation');
    assert.equal(observation!.outcome, 'interrupted');
    assert.match(observation!.content, /first-line/);
    await agent().view.getByTestId('finished').getByTestId('retry').click();
    assert.equal((await agent().reaches('finished', 2)).status, 'submitted');
  });

  it('asks for confirmation before Esc stops a command', async () => {
    agent().model(run("printf 'second%s\\n' -line; sleep 62.5"));
    await agent().task('Sleep again.');
    await agent().view.getByText('second-line').waitFor();
    await agent().page.keyboard.press('Escape');
    await status('Press Esc again');
    await pause(300);
    assert.equal(agent().of('finished').length, 0);
    await agent().page.keyboard.press('Escape');
    await agent().reaches('finished');
  });

  it('accepts a message while it works, which the model reads before its next reply', async () => {
    agent().model(run('sleep 3'), finish('Read it.'));
    await agent().task('Wait.');
    await agent().reaches('action_started');
    await say('Also greet Ada.');
    await agent().view.getByText('Queued for').waitFor();
    await agent().window.screenshot('queued-350');
    await agent().reaches('finished');
    assert.deepEqual(
      agent()
        .server.requests.at(-1)!
        .body.messages.slice(-2)
        .map(({ role, content }) => [role, role === 'user' ? content : '']),
      [
        ['tool', ''],
        ['user', 'Also greet Ada.'],
      ],
    );
  });

  it('loses and repeats nothing while its view is hidden', async () => {
    agent().model(slowly(numbers), finish('Spoken.'));
    await agent().task('Count while hidden.');
    await agent().view.getByText('word5').waitFor();
    await agent().page.keyboard.press('Control+Shift+KeyE');
    await agent().page.locator('.explorer-viewlet, .explorer-folders-view').first().waitFor();
    await pause(700); // The model continues while nobody sees it.
    await agent().window.openConversation();
    await agent().view.getByTestId('card-stream').getByText('word12').waitFor();
    assert.match(await agent().view.getByTestId('card-stream').innerText(), /^word1 word2 .*word11 word12/s);
    await agent().reaches('agent_response');
    const card = agent().view.getByTestId('card-agent_response').last();
    await card.getByText('word60').waitFor();
    const words = (await card.innerText()).match(/word\d+/g);
    assert.deepEqual(words, numbers.split(' '));
    await agent().window.screenshot('hidden-and-back-350');
  });

  it('retries after a 503 without a person', async () => {
    agent().model(failure(503, 'Overloaded.', { 'retry-after': '1' }), finish('Second try.'));
    await agent().task('Try.');
    await agent().reaches('finished');
    assert.equal(agent().of('retry_scheduled').length, 1);
  });

  it('counts down while the server asks it to wait, and Stop ends the wait at once', async () => {
    agent().model(failure(429, 'Slow down.', { 'retry-after': '45' }));
    await agent().task('Hurry.');
    const timer = agent().view.getByRole('timer');
    await timer.waitFor();
    const seconds = async () => Number(/in (\d+) s/.exec(await timer.innerText())?.[1]);
    const first = await seconds();
    assert.ok(first > 30 && first <= 45, `${first} s`);
    await agent().window.screenshot('retry-countdown-350');
    await until('a smaller number', async () => (await seconds()) < first);
    const asked = agent().server.requests.length;
    await agent().view.getByTestId('stop').click();
    await agent().reaches('finished');
    await status('Stopped');
    assert.equal(agent().server.requests.length, asked);
  });

  it('that fails says what, why and what next, and Retry works after the cause is fixed', async () => {
    agent().model(failure(401, 'Incorrect API key provided.'), finish('The key was fine after all.'));
    await agent().task('Fail.');
    const card = agent().view.getByTestId('finished').last();
    await card.waitFor();
    assert.equal(await card.getAttribute('data-status'), 'failed');
    const words = await card.innerText();
    for (const part of [/did not accept the key/, /401/, /Set API Key/]) assert.match(words, part);
    await agent().page.locator('.statusbar-item', { hasText: 'Failed' }).waitFor();
    await agent().window.screenshot('failed-401-350');
    await card.getByTestId('retry').click();
    assert.equal((await agent().reaches('finished', 2)).status, 'submitted');
  });

  it('displays hostile text as text, without a request or an active element', async () => {
    const seen: string[] = [];
    const canary = http.createServer((request, response) => {
      seen.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    const at = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;
    const hostile = [
      `![picture](${at}/image.png)`,
      `<img src="${at}/html.png" onerror="document.title='owned'">`,
      `[click](javascript:fetch('${at}/js'))`,
      `<script>fetch('${at}/script')</script>`,
      `<iframe src="${at}/frame"></iframe>`,
      `<style>@import url(${at}/style)</style>`,
      `<link rel="prefetch" href="${at}/prefetch">`,
      `![again][ref]`,
      '',
      `[ref]: ${at}/reference.png`,
      '',
      'The end of it.',
    ].join('\n\n');
    agent().model(reply(hostile));
    await agent().task('Say something.');
    const card = agent().view.getByTestId('card-agent_response').last();
    await card.getByText('The end of it.').waitFor();
    await pause(500);
    assert.deepEqual(seen, []);
    assert.equal(await card.locator('img, iframe, script, style, link, [href^="javascript"]').count(), 0);
    await agent().window.screenshot('hostile-reply-350');
    await new Promise((resolve) => canary.close(resolve));
  });

  it('can ask a question, and the answer reaches the agent', async () => {
    agent().model(toolCall('ask_user', { question: 'Which colour?', choices: ['red', 'blue'] }), finish('Blue it is.'));
    await agent().task('Paint.');
    await agent().view.getByTestId('question').waitFor();
    await agent().window.screenshot('question-350');
    await agent().view.getByTestId('question-choice').filter({ hasText: 'blue' }).click();
    await agent().reaches('finished');
    assert.match(String(agent().server.requests.at(-1)!.body.messages.at(-1)!.content), /blue/);
  });
});
