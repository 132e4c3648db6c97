import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { conversation, extensionsLoaded, openConversation, openFolder } from '../../../scripts/host/drive.mjs';
import { reply } from '../../support/modelServer';
import { alive, finish, newestLog, run, until, useAgentWindow } from '../support/agentWindow';
import type { Window } from '../support/window';

describe('a session in a window', function () {
  this.timeout(240_000);
  const agent = useAgentWindow({ settings: { 'waymark.model.contextWindow': 4_000_000 } });
  const status = () => agent().view.getByTestId('status');
  const reload = async (): Promise<void> => {
    await agent().window.reload();
    await agent().window.openConversation();
    await status().waitFor({ timeout: 60_000 });
    await agent().window.setPanelWidth(398);
  };

  it('keeps waiting for approval if its window is reloaded, and then runs the action once, in the folder of its shell', async () => {
    agent().model(run('mkdir sub && cd sub'), run('rm -rf a && echo ran >> a.times'), finish('Did a.'));
    await agent().task('Do a.');
    await agent().view.getByTestId('approval').waitFor();
    await reload();
    const once = alive(agent().view, 'run-once');
    await once.waitFor();
    assert.equal(agent().file('sub/a.times'), undefined);
    await once.dblclick();
    await agent().reaches('finished');
    await agent().finished();
    assert.equal(agent().file('sub/a.times'), 'ran\n');
  });

  it('can be resumed if its window is reloaded during a command, without running the command again', async () => {
    agent().model(run('echo ran >> b.times && sleep 63.5'), finish('Did b.'));
    await agent().task('Do b.');
    await until('the command under way', () => agent().file('b.times') !== undefined);
    await reload();
    await agent().view.getByTestId('resume').waitFor();
    await agent().window.screenshot('reloaded-while-running-350');
    await until('the sleeper gone', () => processesOf(agent().window, 'sleep 63.5').length === 0);
    await agent().view.getByTestId('resume').click();
    await agent().reaches('finished');
    assert.equal(agent().file('b.times'), 'ran\n');
    assert.match(agent().of('observation')[0]!.outcome, /^(interrupted|unknown)$/);
    assert.equal(agent().of('finished').at(-1)!.status, 'submitted');
  });

  it('with a modified log says so, approves nothing, and can continue from the intact part', async () => {
    agent().model(run('rm -rf d && echo ran >> d.times'), finish('Did d.'));
    await agent().task('Do d.');
    await agent().view.getByTestId('approval').waitFor();
    const log = newestLog(agent().window)!;
    fs.writeFileSync(
      log,
      fs
        .readFileSync(log, 'utf8')
        .replace('"type":"confirmation_requested"', '"type":"confirmation_resolved","approved":true,"by":"person"'),
    );
    await reload();
    const banner = agent().view.locator('.composer.banner');
    await banner.filter({ hasText: 'damaged' }).waitFor();
    assert.equal(await agent().view.getByTestId('run-once').count(), 0);
    await agent().window.screenshot('log-changed-350');
    await agent().view.getByTestId('salvage').click();
    await until('another log', () => newestLog(agent().window) !== log);
    await banner.waitFor({ state: 'detached' });
    await agent().view.getByText('Its approvals are no longer valid').first().waitFor();
    await agent().window.screenshot('log-salvaged-350');
    assert.equal(agent().file('d.times'), undefined);
    await agent().view.getByTestId('resume').click();
    await agent().finished();
    assert.equal(agent().file('d.times'), undefined);
  });

  it('that is long shows its end after a reload without being opened, and continues with a new message', async () => {
    const long = 'A long story. '.repeat(25_000);
    // A server that read only a few tokens of it would seem to truncate the conversation, which is then condensed.
    const usage = { prompt_tokens: 400_000, completion_tokens: 90_000, total_tokens: 490_000 };
    const stories = Array.from({ length: 4 }, () => reply(long, { usage }));
    agent().model(...stories, reply('The end of it.', { usage }), finish('Did e.'));
    await agent().task('Tell e.');
    await agent().reaches('agent_response', 1);
    for (let turn = 2; turn <= 5; turn++) {
      const box = agent().view.getByRole('textbox').first();
      await box.fill('More.');
      await box.press('Enter');
      await agent().reaches('agent_response', turn);
    }
    const folder = newestLog(agent().window)!.replace(/[^/]*$/, '');
    await until('what is told beside the log', () => fs.existsSync(`${folder}facts.json`));
    await reload();
    await agent().view.getByText('The end of it.').last().waitFor();
    assert.equal(fs.existsSync(`${folder}session.waymark.jsonl.lock`), false, 'it was opened');
    const box = agent().view.getByRole('textbox').first();
    await box.fill('Now finish.');
    await box.press('Enter');
    await agent().reaches('finished');
    await agent().view.getByText('Did e.').last().waitFor();
    assert.equal(agent().of('finished').length, 1);
  });

  it('reports that its extension host was killed during a command, and resumes without running anything twice', async () => {
    agent().model(run('echo ran >> c.times && sleep 64.5'), finish('Did c.'));
    await agent().task('Do c.');
    await until('the command under way', () => agent().file('c.times') !== undefined);
    const hosts = processesOf(agent().window, '--type=extensionHost');
    assert.equal(hosts.length, 1);
    process.kill(hosts[0]!, 'SIGKILL');
    await until('the host gone', () => !fs.existsSync(`/proc/${hosts[0]!}`));
    await reload();
    await agent().view.getByTestId('resume').waitFor();
    await status().filter({ hasText: 'Interrupted' }).waitFor();
    await agent().window.screenshot('killed-and-reloaded-350');
    assert.equal(agent().of('observation').length, 0);
    const asked = agent().server.requests.length;
    await agent().view.getByTestId('resume').click();
    await agent().reaches('finished');
    await agent().finished();
    const [observation] = agent().of('observation');
    assert.equal(observation!.outcome, 'unknown');
    await agent().view.getByText('outcome unknown').first().waitFor();
    await agent().window.screenshot('killed-and-resumed-350');
    assert.equal(agent().file('c.times'), 'ran\n');
    assert.equal(agent().server.requests.length, asked + 1);
    assert.match(String(agent().server.requests.at(-1)!.body.messages.at(-1)!.content), /outcome is unknown/);
    assert.equal(agent().of('finished').at(-1)!.status, 'submitted');
    await until('no sleeper left', () => processesOf(agent().window, 'sleep 64.5').length === 0);
  });

  it('is read-only in a second window, which says why, and stays writable in the first', async () => {
    agent().model(reply('Answered.'));
    await agent().task('Say something.');
    await agent().reaches('agent_response');
    await agent().view.getByText('Answered.').first().waitFor();
    const second = await agent().page.context().newPage();
    try {
      second.setDefaultTimeout(20_000);
      await openFolder(second, agent().window.server);
      await extensionsLoaded(second);
      await openConversation(second);
      const view = conversation(second);
      await view.getByText('This session is open in another window').waitFor();
      await view.getByText('Answered.').first().waitFor();
      assert.equal(await view.getByTestId('composer').count(), 0);
      await second.locator('.statusbar-item', { hasText: 'Read-only · step 1' }).waitFor();
      await second.screenshot({ path: await agent().window.screenshot('second-window-read-only') });
      const events = agent().events().length;
      await view.getByText('New session').last().click();
      await view.getByTestId('composer').waitFor();
      assert.equal(agent().events().length, events);
    } finally {
      await second.close();
    }
    agent().model(finish('Still here.'));
    await agent().view.getByTestId('composer').fill('Go on.');
    await agent().view.getByTestId('composer').press('Enter');
    await agent().reaches('finished');
  });

  it('is followed in a second window while it runs in the first, and can be continued there once the first is closed', async () => {
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    agent().model(run('echo followed'), async () => {
      await asked;
      return reply('Told later.');
    });
    await agent().task('Tell it to both.');
    await agent().reaches('observation');
    const second = await agent().page.context().newPage();
    try {
      second.setDefaultTimeout(20_000);
      await openFolder(second, agent().window.server);
      await extensionsLoaded(second);
      await openConversation(second);
      const view = conversation(second);
      await view.getByTestId('status').filter({ hasText: 'Runs elsewhere' }).waitFor();
      await view.getByText('You see here what it does').waitFor();
      await second.locator('.statusbar-item', { hasText: 'Runs elsewhere' }).waitFor();
      await second.screenshot({ path: await agent().window.screenshot('second-window-follows') });
      assert.equal(await view.getByText('Told later.').count(), 0);
      answer();
      await view.getByText('Told later.').first().waitFor();
      await view.getByTestId('status').filter({ hasText: 'Read-only' }).waitFor();
      const log = newestLog(agent().window)!;
      await agent().page.goto('about:blank');
      agent().model(reply('Told in the second window.'));
      const box = view.getByTestId('composer');
      await box.waitFor({ timeout: 60_000 });
      await second.screenshot({ path: await agent().window.screenshot('second-window-released') });
      await box.fill('Go on here.');
      await box.press('Enter');
      await view.getByText('Told in the second window.').first().waitFor({ timeout: 60_000 });
      assert.equal(newestLog(agent().window), log);
    } finally {
      await second.close();
      await agent().page.goBack();
      await extensionsLoaded(agent().page);
      await agent().window.openConversation();
    }
  });

  it('with a damaged log is shown up to the damage, read-only, and the log is left unchanged', async () => {
    agent().model(reply('Before the damage.'));
    await agent().task('Say something again.');
    await agent().reaches('agent_response');
    const log = newestLog(agent().window)!;
    fs.appendFileSync(log, '{"seq":"damaged"}\n');
    const bytes = fs.readFileSync(log);
    await reload();
    await agent().view.getByText('The log is damaged at event').waitFor();
    await agent().view.getByText('Before the damage.').first().waitFor();
    await agent().window.screenshot('damaged-log-350');
    assert.deepEqual(fs.readFileSync(log), bytes);
  });
});

/** Counts the processes of this window's server, including descendants, whose command line contains `text`. */
function processesOf({ server }: Window, text: string): number[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const mine = fs.readFileSync(`/proc/${pid}/environ`, 'utf8').includes(server.root);
        return mine && fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(text)
          ? [Number(pid)]
          : [];
      } catch {
        return [];
      }
    });
}
