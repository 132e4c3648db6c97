import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { toolCall } from '../../support/modelServer';
import { finish, pressOnCard, run, until, useAgentWindow } from '../support/agentWindow';

const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'wm-asker-'));
const asked = (): string[] => {
  try {
    return fs
      .readFileSync(path.join(outside, 'asked.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { what: string; came: string })
      .flatMap(({ what, came }) => (what === 'task' ? [came] : []));
  } catch {
    return [];
  }
};

describe('a window with several folders', function () {
  this.timeout(240_000);
  const agent = useAgentWindow({
    files: { 'notes.txt': 'in the first\n' },
    second: { 'notes.txt': 'in the second\n' },
    extensions: ['test/window/extensions/waymark-test.asker-0.0.1'],
    env: { ASKER_FILE: path.join(outside, 'asked.jsonl'), ASKER_FOLDER: 'second' },
  });
  after(() => fs.rmSync(outside, { recursive: true, force: true }));

  it('runs a task of another extension in the folder that it names', async () => {
    const second = path.join(path.dirname(agent().window.workspace), 'second');
    agent().model(
      toolCall('read_file', { path: 'notes.txt' }),
      toolCall('write_file', { path: 'made.txt', content: 'made\n' }),
      run('basename "$PWD"'),
      finish('Done there.'),
    );
    await agent().command('Asker: Ask Waymark');
    const question = agent().page.locator('.quick-input-widget', {
      hasText: 'Asker (waymark-test.asker) wants to start an agent task',
    });
    await question.locator('.monaco-list-row.focused', { hasText: 'Do Not Start It' }).waitFor();
    await agent().page.keyboard.press('ArrowDown');
    await question.locator('.monaco-list-row.focused', { hasText: 'Always Allow Its Tasks' }).waitFor();
    await agent().page.keyboard.press('Enter');
    await until('the end of the task', () => asked().includes('Done there.'));
    const [read, , ran] = agent().of('observation');
    assert.match(read!.content, /in the second/);
    assert.match(ran!.content, /^second\n/);
    assert.equal(agent().of('task_started')[0]!.cwd, second);
    assert.equal(fs.readFileSync(path.join(second, 'made.txt'), 'utf8'), 'made\n');
    assert.equal(agent().file('made.txt'), undefined);
  });

  it('lists changes in another folder with the name of that folder', async () => {
    agent().model(toolCall('write_file', { path: 'second/listed.txt', content: 'made\n' }), finish('Written.'));
    await agent().task('Write in the other folder.');
    await agent().reaches('finished');
    const row = agent().view.getByTestId('review-list').getByText('listed.txt');
    assert.equal((await row.textContent())?.trim(), 'second/listed.txt');
  });

  it('works in both folders without a question, asks about protected files of both, and undoes in both', async () => {
    const second = path.join(path.dirname(agent().window.workspace), 'second');
    const inSecond = (name: string): string | undefined =>
      fs.existsSync(path.join(second, name)) ? fs.readFileSync(path.join(second, name), 'utf8') : undefined;
    const before = inSecond('notes.txt');
    await agent().command('Waymark: New Session');
    agent().model(
      toolCall('search_files', { pattern: 'in the second' }),
      toolCall('edit_file', { path: 'second/notes.txt', old_string: 'in the second', new_string: 'edited there' }),
      run('cd ../second && mkdir deep && echo command > deep/a.txt && echo more >> notes.txt'),
      run('echo again > deep/b.txt && echo first > ../workspace/from-second.txt; ls deep'),
      run('echo x > .npmrc'),
      finish('Worked in both.'),
    );
    await agent().task('Work in both folders.');
    await agent().reaches('confirmation_requested');
    const [found, , , listed] = agent().of('observation');
    assert.match(found!.content, /second\/notes\.txt/);
    assert.match(listed!.content, /^a\.txt\nb\.txt\n/);
    assert.equal(inSecond('notes.txt'), 'edited there\nmore\n');
    assert.equal(agent().file('from-second.txt'), 'first\n');
    const card = agent().view.getByTestId('approval');
    assert.match(await card.innerText(), /Changes \S*second\/\.npmrc, which decides what other tools run\./);
    await agent().window.screenshot('several-folders-asks');
    await pressOnCard(agent().view, 'refuse');
    await agent().reaches('finished');
    const list = agent().view.getByTestId('review-list');
    await until('the changes of both', async () => (await list.locator('li').count()) === 4);
    assert.match(await list.innerText(), /second\/deep\/a\.txt[^]*second\/notes\.txt[^]*from-second\.txt/);
    await agent().window.screenshot('several-folders-changes');
    await agent().command('Waymark: Undo All Changes');
    await until(
      'the files of both as they were',
      () =>
        inSecond('notes.txt') === before &&
        inSecond('deep/a.txt') === undefined &&
        agent().file('from-second.txt') === undefined,
    );
    await agent().view.getByTestId('composer').click();
    await agent().page.keyboard.type('@notes');
    await agent().view.getByTestId('completions').getByRole('option').nth(1).waitFor();
    assert.match(await agent().view.getByTestId('completions').innerText(), /notes\.txt\s+notes\.txt\s+second/);
    await agent().window.screenshot('several-folders-mention');
  });

  it('opens files of each folder by the names that it shows', async () => {
    const { page } = agent();
    await agent().command('Waymark: New Session');
    agent().model(
      toolCall('edit_file', { path: 'second/notes.txt', old_string: 'in the second', new_string: 'shown there' }),
      finish('Edited.'),
    );
    await agent().task('Edit there.');
    await agent().reaches('finished');
    await agent().command('Waymark: Inspect Trajectory…');
    await page.locator('.quick-input-widget .monaco-list-row.focused', { hasText: 'Edit there.' }).waitFor();
    await page.keyboard.press('Enter');
    const inspector = agent().window.inspector();
    await inspector.getByTestId('row').filter({ hasText: 'second/notes.txt' }).first().click();
    await agent().window.screenshot('several-folders-inspector');
    await inspector.getByTitle('Open file').click();
    await page.locator('.tab.active[data-resource-name="notes.txt"]').waitFor();
    await page.locator('.view-lines', { hasText: 'shown there' }).waitFor();
    // The Explorer names files of the first folder by its name, too.
    await agent().command('Waymark: New Session');
    await agent().view.getByTestId('composer').fill('Read @workspace/notes.txt please');
    agent().model(finish('Read.'));
    await agent().view.getByTestId('composer').press('Enter');
    const started = await until('the task', () =>
      agent()
        .of('task_started')
        .find(({ task }) => /please/.test(task)),
    );
    assert.ok(started.context?.some(({ source }) => source === 'notes.txt'));
  });
});
