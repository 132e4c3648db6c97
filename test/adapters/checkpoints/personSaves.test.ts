import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { RunChanges } from '../../../src/adapters/checkpoints/restoring/runChanges';
import { recordedFolder, type RecordedFolder } from './recordedFolder';

/**
 * Files that a user saves in an editor while a command runs count as the user's, whatever the command does before and
 * after.
 */
describe('a user who saves files while a command runs', function () {
  this.timeout(30_000);
  let folder: RecordedFolder;
  let place: RecordedFolder['place'];
  let run: RecordedFolder['run'];
  let changes: RunChanges;

  const text = (name: string): string | undefined => folder.text(name);
  const saves = async (name: string, held: string): Promise<void> => {
    await run.beforePersonSaves(place.at('work', name));
    place.place(`work/${name}`, held);
    await run.afterPersonSaved(place.at('work', name));
  };
  const listed = async (): Promise<string[]> => {
    await changes.refresh();
    return (await changes.changes()).map((file) => `${path.basename(file.path)} +${file.added} -${file.removed}`);
  };

  beforeEach(() => {
    folder = recordedFolder({ 'mine.txt': 'one\ntwo\nthree\nfour\nfive\n', 'agent.txt': 'a\n' });
    const { log, store } = folder;
    ({ place, run } = folder);
    changes = new RunChanges(log, store, (file) => path.basename(file));
  });
  afterEach(() => folder.end());

  it('keeps the saved file and a new file when the command is undone', async () => {
    const command = await run.before('command');
    fs.appendFileSync(place.at('work/agent.txt'), 'agent\n');
    await saves('mine.txt', 'ONE by hand\ntwo\nthree\nfour\nfive\n');
    await saves('new.txt', 'by hand\n');
    await command.after();
    assert.deepEqual(await listed(), ['agent.txt +1 -0']);
    assert.equal((await changes.undo({})).status, 'done');
    assert.equal(text('agent.txt'), 'a\n');
    assert.equal(text('mine.txt'), 'ONE by hand\ntwo\nthree\nfour\nfive\n');
    assert.equal(text('new.txt'), 'by hand\n');
  });

  it('can edit the same file as the command; undo removes only the command’s lines', async () => {
    const command = await run.before('command');
    place.place('work/mine.txt', 'one\ntwo\nthree\nfour\nFIVE by the agent\n');
    await saves('mine.txt', 'ONE by hand\ntwo\nthree\nfour\nFIVE by the agent\n');
    place.place('work/mine.txt', 'ONE by hand\ntwo\nTHREE by the agent\nfour\nFIVE by the agent\n');
    await command.after();
    assert.deepEqual(await listed(), ['mine.txt +2 -2']);
    assert.equal((await changes.undo({})).status, 'done');
    assert.equal(text('mine.txt'), 'ONE by hand\ntwo\nthree\nfour\nfive\n');
  });

  it('cannot undo while a command runs, and can undo everything afterwards', async () => {
    const first = await run.before('first');
    place.place('work/agent.txt', 'one\n');
    await first.after();
    const second = await run.before('second');
    await changes.refresh();
    await assert.rejects(changes.undo({}), /still running\. Wait until it ends or stop the run/);
    assert.equal(text('agent.txt'), 'one\n');
    fs.appendFileSync(place.at('work/agent.txt'), 'two\n');
    await second.after();
    await changes.refresh();
    assert.equal((await changes.undo({})).status, 'done');
    assert.equal(text('agent.txt'), 'a\n');
  });

  it('keeps what was typed and not saved when a tool edits and saves the same file', async () => {
    const typed = 'one\ntwo\nthree\nfour\nfive\nmine\n';
    const command = await run.before('command');
    place.place('work/mine.txt', 'ONE by a command\ntwo\nthree\nfour\nfive\n');
    const edit = await run.before('edit', ['mine.txt']);
    place.place('work/mine.txt', `ONE by a command\ntwo\nTHREE by the tool\nfour\nfive\nmine\n`);
    await run.editedUnsaved('mine.txt', Buffer.from(typed.replace('one', 'ONE by a command')));
    await edit.after();
    await command.after();
    assert.deepEqual(await listed(), ['mine.txt +2 -2']);
    assert.equal((await changes.undo({})).status, 'done');
    assert.equal(text('mine.txt'), typed);
  });

  it('is told apart from a tool that is editing a file', async () => {
    const edit = await run.before('edit', ['agent.txt']);
    assert.equal(run.isEditing(place.at('work/agent.txt')), true);
    assert.equal(run.isEditing(place.at('work/mine.txt')), false);
    await edit.after();
    assert.equal(run.isEditing(place.at('work/agent.txt')), false);
  });
});
