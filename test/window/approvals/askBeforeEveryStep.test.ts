import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { toolCall } from '../../support/modelServer';
import { alive, finish, pressOnCard, run, until, useAgentWindow } from '../support/agentWindow';

const manifest = `{
  "name": "one",
  "version": "1.0.0",
  "scripts": {
    "test": "echo tested"
  }
}
`;

describe('an approval card in a window that asks before every step', function () {
  this.timeout(240_000);
  const agent = useAgentWindow({
    settings: { 'waymark.confirmation': 'always' },
    files: { 'package.json': manifest, 'old.txt': 'one\ntwo\n', 'kept.txt': 'kept\n' },
  });
  const part = (id: string) => agent().view.getByTestId(id);
  const press = (id: string): Promise<void> => pressOnCard(agent().view, id);
  let outside: string;
  before(() => {
    outside = fs.mkdtempSync(path.join(os.homedir(), '.waymark-test-'));
  });
  after(() => fs.rmSync(outside, { recursive: true, force: true }));

  it('has one button for the sandbox and another for outside', async function () {
    const reach = run(`echo tried >> tried.txt; touch ${outside}/reached`);
    agent().model(reach, reach, finish('Reached it.'));
    await agent().task('Reach what is outside.');
    const asked = await agent().reaches('confirmation_requested');
    const [place] = Object.values(asked.places ?? {});
    assert.ok(place, 'the question says where the command will run');
    assert.ok((await part('place').innerText()).includes(place.words));
    if (place.runs !== 'inside') {
      console.log(`      Skipped: this machine has no sandbox. ${place.words}`);
      this.skip();
    }
    await agent().window.screenshot('approval-place-350');
    await press('run-once');
    await agent().reaches('confirmation_requested', 2);
    assert.deepEqual([agent().file('tried.txt'), fs.readdirSync(outside)], ['tried\n', []]);
    const leaves = agent().view.locator('[data-testid="run-outside"], [data-testid="run-outside-now"]').first();
    await leaves.waitFor();
    if ((await part('run-outside').count()) > 0) await press('run-outside');
    await agent().window.screenshot('approval-outside-350');
    await press('run-outside-now');
    await agent().reaches('finished');
    assert.deepEqual([agent().file('tried.txt'), fs.readdirSync(outside)], ['tried\ntried\n', ['reached']]);
    const [first, second] = agent().of('confirmation_resolved');
    assert.deepEqual([first!.outside, second!.outside?.length], [undefined, 1]);
  });

  it('shows an edit with its lines, the dangerous key, the diff editor and a button that applies it', async () => {
    const edit = {
      old_text: '"test": "echo tested"',
      new_text: '"test": "echo tested",\n    "postinstall": "node fetch.js"',
    };
    agent().model(toolCall('edit_file', { path: 'package.json', edits: [edit] }), finish('Added it.'));
    await agent().task('Fetch when installed.');
    await part('edited-file').waitFor();
    const card = part('approval');
    assert.equal(await card.locator('h2').innerText(), 'Edit package.json');
    assert.equal(await card.locator('mark').first().innerText(), '"postinstall"');
    assert.match(await card.innerText(), /6\s*\+\s*"postinstall": "node fetch\.js"/);
    assert.equal(await part('always-allow').count(), 0, 'what runs by itself is asked about each time');
    await part('open-proposed-diff').click();
    const tab = agent().page.locator('.tab', { hasText: 'package.json (waits for approval)' });
    await tab.waitFor();
    await agent().page.locator('.monaco-diff-editor .view-line', { hasText: 'postinstall' }).first().waitFor();
    await agent().window.screenshot('approval-edit-350');
    assert.equal(agent().file('package.json'), manifest, 'nothing is written before the yes');
    assert.equal(await part('run-once').innerText(), 'Apply edit');
    await press('run-once');
    await until('the edit', () => agent().file('package.json')?.includes('"postinstall"'));
    await agent().reaches('finished');
  });

  it('names the file for a deletion or a move, and so does “Always allow”', async () => {
    const move = { from: 'kept.txt', to: 'docs/kept.txt' };
    agent().model(toolCall('delete_file', { path: 'old.txt' }), toolCall('move_file', move), finish('Tidied up.'));
    await agent().task('Tidy up.');
    const heading = (words: string) => part('approval').locator('h2', { hasText: words });
    await heading('Delete old.txt').waitFor();
    await part('edited-file').getByText('−2').waitFor();
    assert.equal(await part('run-once').innerText(), 'Delete file');
    await press('always-allow');
    await part('allow').getByText("Allow rm -- 'old.txt' in this folder").waitFor();
    await agent().window.screenshot('approval-delete-350');
    await agent().page.keyboard.press('Escape');
    await part('allow').waitFor({ state: 'detached' });
    assert.equal(agent().file('old.txt'), 'one\ntwo\n', 'nothing is deleted before the yes');
    await press('run-once');
    await heading('Move kept.txt to docs/kept.txt').waitFor();
    assert.equal(agent().file('old.txt'), undefined);
    await part('edited-file').getByText('The content does not change.').waitFor();
    assert.equal(await part('run-once').innerText(), 'Move file');
    await press('run-once');
    await until('the move', () => agent().file('docs/kept.txt') === 'kept\n');
    assert.equal(agent().file('kept.txt'), undefined);
    await agent().reaches('finished');
  });

  it('redraws an edit if its file changes, and approval of the old edit writes nothing', async () => {
    const edit = { old_text: '  "version": "1.0.0",', new_text: '  "version": "2.0.0",' };
    agent().model(toolCall('edit_file', { path: 'package.json', edits: [edit] }), finish('Published.'));
    await agent().task('Raise the version.');
    await part('edited-file').waitFor();
    const shown = agent().file('package.json')!;
    const meanwhile = shown.replace('"name": "one"', '"name": "renamed"');
    fs.writeFileSync(path.join(agent().window.workspace, 'package.json'), meanwhile);
    await part('edited-file').getByText('"name": "renamed"').waitFor();
    await press('run-once');
    await agent().reaches('confirmation_requested', 2);
    assert.equal(agent().file('package.json'), meanwhile, 'the yes was for other bytes');
    await part('again').getByText('The file changed after your answer').waitFor();
    await agent().window.screenshot('approval-edit-again-350');
    await press('run-once');
    await agent().reaches('finished');
    assert.equal(agent().file('package.json'), meanwhile.replace('1.0.0', '2.0.0'));
  });

  it('can run a command outside the sandbox from the palette, after a dialog that explains it', async function () {
    agent().model(run(`touch ${outside}/by-tree`), finish('Touched it.'));
    await agent().task('Reach out by the tree.');
    const asked = await agent().reaches('confirmation_requested');
    const [place] = Object.values(asked.places ?? {});
    if (place?.outside === undefined) {
      console.log(`      Skipped: this machine has no sandbox. ${place?.words ?? ''}`);
      this.skip();
    }
    // The palette offers the command once the window has received the question.
    await part('approval').waitFor();
    await agent().page.locator('.statusbar-item', { hasText: '1 approval' }).waitFor();
    await agent().command('Waymark: Run Pending Command Outside the Sandbox…');
    const dialog = agent().page.locator('.monaco-dialog-box');
    await dialog.getByText('Run this command outside the sandbox?').waitFor();
    assert.ok((await dialog.innerText()).includes(place.outsideWords!));
    await agent().window.screenshot('approval-outside-dialog-350');
    await dialog.getByRole('button', { name: 'Run Outside Sandbox' }).click();
    await agent().reaches('finished');
    assert.ok(fs.existsSync(path.join(outside, 'by-tree')));
    assert.equal(agent().of('confirmation_resolved')[0]!.outside?.length, 1);
  });

  it('lets a person edit the command: theirs runs, the row shows that, and the model is told', async () => {
    const before = agent().server.requests.length;
    agent().model(run('echo model > model.txt'), finish('Wrote it.'));
    await agent().task('Write a file.');
    await press('edit-command');
    await part('edit-command-box').fill('echo mine > mine.txt');
    await alive(agent().view, 'run-edited').waitFor();
    await agent().window.screenshot('approval-edit-command-350');
    await part('edit-command-box').press('Control+Enter');
    await until('the person\u2019s file', () => agent().file('mine.txt') === 'mine\n');
    assert.equal(agent().file('model.txt'), undefined);
    await agent().view.getByText('You changed this command').first().waitFor();
    await until('the next request', () => agent().server.requests.length > before + 1);
    assert.match(JSON.stringify(agent().server.requests[before + 1]!.body.messages), /echo mine > mine\.txt/);
    await agent().reaches('finished');
  });

  it('explains what “Always allow” will cover', async () => {
    agent().model(run('npm test'), finish('Tested.'));
    await agent().task('Test it.');
    await press('always-allow');
    await part('allow').waitFor();
    await part('allow').getByText('Allow npm test in this folder until its script changes').waitFor();
    await agent().window.screenshot('approval-allow-words-350');
    await press('allow-session');
    const { rule } = await agent().reaches('allow_rule_added');
    assert.equal(rule.key, 'npm test');
    await agent().reaches('finished');
  });
});
