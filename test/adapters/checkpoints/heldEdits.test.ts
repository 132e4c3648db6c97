import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { CheckpointStore } from '../../../src/adapters/checkpoints/checkpointStore';
import { HeldEdits, writingWith } from '../../../src/adapters/checkpoints/heldEdits/heldEdits';
import { heldEditsOf } from '../../../src/adapters/checkpoints/heldEdits/heldEditsFile';
import { RestoreConflict } from '../../../src/adapters/checkpoints/restoreConflict';
import { RunChanges } from '../../../src/adapters/checkpoints/restoring/runChanges';
import { SessionCheckpoints } from '../../../src/adapters/checkpoints/recording/sessionCheckpoints';
import { diskFiles } from '../../../src/adapters/files/diskFiles';
import { createWorkspacePaths } from '../../../src/adapters/files/workspacePaths';
import type { Files } from '../../../src/core/ports/files';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';
import { wholeTree } from './wholeTree';

const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`).join('');
const shouted = lines.replace('line 3\n', 'LINE 3\n').replace('line 15\n', 'LINE 15\n');

describe('edits held back for review', function () {
  this.timeout(30_000);
  let place: TemporaryWorkspace;
  let store: CheckpointStore;
  let run: SessionCheckpoints;
  let held: HeldEdits;
  let changes: RunChanges;
  let isOn: boolean;

  /** `meanwhile`: runs while edits are applied, before they are written. */
  const begin = (meanwhile?: () => Promise<void>): HeldEdits => {
    const work = place.at('work');
    const files = diskFiles({ folders: [work] });
    const write = writingWith(run, () => files);
    return new HeldEdits({
      log: place.at('state', 'run.jsonl'),
      paths: createWorkspacePaths([work]),
      files,
      writeAs: async (action, paths, change) => {
        await meanwhile?.();
        await write(action, paths, change);
      },
      isOn: () => isOn,
    });
  };
  const text = (name: string): string | undefined => place.bytes(`work/${name}`)?.toString();
  const tree = (): Record<string, string> => wholeTree(place.at('work'));
  /** Files as the agent sees them in an action. */
  const files = (action = 'action'): Files => held.over(diskFiles({ folders: [place.at('work')] }), action);
  const edit = async (name: string, change: (text: string) => string, action?: string): Promise<void> => {
    const own = files(action);
    const { text: before, version } = await own.read(name);
    await own.write([{ path: name, text: change(before), expected: version }]);
  };
  const listed = async (): Promise<string[]> =>
    (await held.changes()).map((file) => {
      const moved = file.from === undefined ? '' : ` from ${path.basename(file.from)}`;
      return `${file.kind} ${path.basename(file.path)}${moved} +${file.added} -${file.removed}`;
    });

  beforeEach(() => {
    place = temporaryWorkspace();
    fs.mkdirSync(place.at('state'), { recursive: true });
    place.place('work/text.txt', lines);
    place.place('work/other.txt', 'a\n');
    store = new CheckpointStore(place.at('state', 'checkpoints'));
    run = new SessionCheckpoints({
      log: place.at('state', 'run.jsonl'),
      folders: [place.at('work')],
      store,
      resolve: (spelled) => path.resolve(place.at('work'), spelled),
      onNotice: (words) => assert.fail(words),
    });
    changes = new RunChanges(place.at('state', 'run.jsonl'), store, (file) => path.basename(file));
    isOn = true;
    held = begin();
  });
  afterEach(async () => {
    await run.dispose();
    store.dispose();
    place.stop();
  });

  it('change no file on disk; the agent still reads them, also after a restart', async () => {
    const before = tree();
    await edit('text.txt', () => shouted);
    await files().write([{ path: 'made.txt', text: 'new\n', expected: null }]);
    await files().remove('other.txt', (await files().read('other.txt')).version);
    assert.deepEqual(tree(), before);
    held = begin();
    assert.equal((await files().read('text.txt')).text, shouted);
    assert.equal((await files().read('made.txt')).text, 'new\n');
    await assert.rejects(files().read('other.txt'), /You deleted other\.txt\. The deletion is held back/);
    assert.deepEqual(await listed(), ['created made.txt +1 -0', 'deleted other.txt +0 -1', 'modified text.txt +2 -2']);
    assert.deepEqual(tree(), before);
  });

  it('are mentioned to the model after an edit and after a command, which runs without them', async () => {
    assert.equal(held.noteAfter('executes'), undefined);
    await edit('text.txt', () => shouted);
    assert.match(held.noteAfter('writes')!, /Held back for review: text\.txt\. The file itself is unchanged/);
    assert.match(held.noteAfter('executes')!, /\(text\.txt\), so this ran on the files without these edits/);
    assert.equal(held.noteAfter('reads'), undefined);
    assert.deepEqual([held.holdsAny(['other.txt', 'text.txt']), held.holdsAny(['other.txt'])], [true, false]);
  });

  it('can be applied hunk by hunk, are then no longer held, and can be undone', async () => {
    await edit('text.txt', () => shouted);
    const [file] = await held.changes();
    const { words } = await held.apply({ hunks: [file!.hunks[1]!.id] });
    assert.equal(words, 'The user applied your held edits: text.txt. Still held back: text.txt.');
    assert.equal(text('text.txt'), lines.replace('line 15\n', 'LINE 15\n'));
    assert.deepEqual(await listed(), ['modified text.txt +1 -1']);
    await held.apply({});
    assert.equal(text('text.txt'), shouted);
    assert.deepEqual(
      [await listed(), held.isEmpty, fs.existsSync(heldEditsOf(place.at('state', 'run.jsonl')))],
      [[], true, false],
    );
    await changes.refresh();
    assert.equal((await changes.undo({})).status, 'done');
    assert.equal(text('text.txt'), lines);
  });

  it('can be discarded hunk by hunk; the agent then reads the file without them', async () => {
    await edit('text.txt', () => shouted);
    const [file] = await held.changes();
    const { words } = await held.discard({ hunks: [file!.hunks[0]!.id] });
    assert.match(words, /The user undid this change of yours[\s\S]*text\.txt, at line 3/);
    assert.equal((await files().read('text.txt')).text, lines.replace('line 15\n', 'LINE 15\n'));
    await held.discard({});
    assert.equal((await files().read('text.txt')).text, lines);
    assert.equal(text('text.txt'), lines);
    assert.equal(held.isEmpty, true);
  });

  it('include moves and deletions, which keep bytes and permissions when applied', async () => {
    place.place('work/tool.sh', 'echo\r\n');
    fs.chmodSync(place.at('work/tool.sh'), 0o755);
    const own = files();
    await own.move('tool.sh', 'bin/tool.sh', (await own.read('tool.sh')).version);
    await assert.rejects(own.read('tool.sh'), /You deleted tool\.sh/);
    assert.deepEqual(await listed(), ['renamed tool.sh from tool.sh +0 -0']);
    await held.apply({});
    assert.equal(text('bin/tool.sh'), 'echo\r\n');
    assert.equal(fs.statSync(place.at('work/bin/tool.sh')).mode & 0o777, 0o755);
    assert.equal(text('tool.sh'), undefined);
  });

  it('reject moving or deleting binary files', async () => {
    place.place('work/picture.bin', Buffer.from([0, 1, 2, 255]));
    await assert.rejects(files().move('picture.bin', 'moved.bin', null), /not a text file, so it cannot be reviewed/);
    await assert.rejects(files().remove('picture.bin', null), /Nothing was done\. Ask the user/);
  });

  it('merge with the user’s changes; if both changed the same lines, nothing is overwritten', async () => {
    await edit('text.txt', () => shouted);
    place.place('work/text.txt', lines.replace('line 9\n', 'line nine, by hand\n'));
    assert.equal((await files().read('text.txt')).text, shouted.replace('line 9\n', 'line nine, by hand\n'));
    const byHand = lines.replace('line 3\n', 'line three, by hand\n');
    place.place('work/text.txt', byHand);
    await assert.rejects(
      held.apply({}),
      (error: unknown) => error instanceof RestoreConflict && /text\.txt was changed at the lines/.test(error.message),
    );
    assert.equal(text('text.txt'), byHand);
    const [file] = await held.changes();
    assert.ok(file!.hunks.every(({ isContested }) => isContested));
  });

  it('are refused if the agent has not read the current text, as for files on disk', async () => {
    const { version } = await files().read('text.txt');
    await edit('text.txt', () => shouted);
    await assert.rejects(files().write([{ path: 'text.txt', text: 'x', expected: version }]), /has changed since/);
    await assert.rejects(files().write([{ path: 'text.txt', text: 'x', expected: null }]), /already exists/);
    await assert.rejects(files().write([{ path: '../out.txt', text: 'x', expected: null }]), /outside/);
  });

  it('stay held when the setting is turned off, together with further edits of the same file', async () => {
    await edit('text.txt', () => shouted);
    isOn = false;
    await edit('text.txt', (before) => `${before}last\n`);
    await edit('other.txt', () => 'b\n');
    assert.deepEqual([text('text.txt'), text('other.txt')], [lines, 'b\n']);
    assert.deepEqual(await listed(), ['modified text.txt +3 -2']);
  });

  it('disappear when the file already has the same text or another window applied them', async () => {
    await edit('text.txt', () => shouted);
    await edit('other.txt', () => 'b\n');
    await begin().apply({ files: [place.at('work/other.txt')] });
    assert.deepEqual(await listed(), ['modified text.txt +2 -2']);
    place.place('work/text.txt', shouted);
    assert.deepEqual(await listed(), []);
    assert.equal(held.isEmpty, true);
  });

  it('keep edits that the agent makes while others are applied or discarded', async () => {
    await edit('text.txt', () => shouted);
    const applying = begin(() => edit('text.txt', (before) => `${before}last\n`));
    await applying.apply({});
    assert.equal(text('text.txt'), shouted);
    assert.deepEqual(await listed(), ['modified text.txt +1 -0']);
    const discarding = begin();
    await discarding.changes();
    await edit('other.txt', () => 'b\n');
    await discarding.discard({ files: [place.at('work/text.txt')] });
    assert.deepEqual(await listed(), ['modified other.txt +1 -1']);
  });

  it('of two concurrent writers are all kept', async () => {
    const disk = diskFiles({ folders: [place.at('work')] });
    const both = [held, begin()].map((each, who) => each.over(disk, `action ${who}`));
    const names = Array.from({ length: 12 }, (_, at) => `made ${at}.txt`);
    await Promise.all(names.map((path, at) => both[at % 2]!.write([{ path, text: `${at}\n`, expected: null }])));
    assert.deepEqual((await listed()).sort(), names.map((name) => `created ${name} +1 -0`).sort());
  });

  it('can be applied to other files and discarded while one of the files is now binary', async () => {
    await edit('text.txt', () => shouted);
    await edit('other.txt', () => 'b\n');
    place.place('work/text.txt', Buffer.from([0, 1, 2, 255]));
    assert.deepEqual(await listed(), ['modified other.txt +1 -1', 'modified text.txt +2 -2']);
    await held.apply({ files: [place.at('work/other.txt')] });
    assert.equal(text('other.txt'), 'b\n');
    await assert.rejects(held.apply({}), /text\.txt is no longer a text file, or must not be edited now\. Nothing was/);
    await held.discard({});
    assert.equal(held.isEmpty, true);
    assert.deepEqual(place.bytes('work/text.txt'), Buffer.from([0, 1, 2, 255]));
  });

  it('keep the permissions of a file that was moved and then edited by another action', async () => {
    place.place('work/tool.sh', 'echo\n');
    fs.chmodSync(place.at('work/tool.sh'), 0o755);
    const own = files('move');
    await own.move('tool.sh', 'bin/tool.sh', (await own.read('tool.sh')).version);
    await edit('bin/tool.sh', () => 'echo 2\n', 'edit');
    await held.apply({});
    assert.deepEqual([text('bin/tool.sh'), text('tool.sh')], ['echo 2\n', undefined]);
    assert.equal(fs.statSync(place.at('work/bin/tool.sh')).mode & 0o777, 0o755);
    assert.equal(held.isEmpty, true);
  });

  it('count as kept once applied; earlier unreviewed hunks of the file still wait for review', async () => {
    const checkpoint = await run.before('first', ['text.txt']);
    place.place('work/text.txt', lines.replace('line 3\n', 'LINE 3\n'));
    await checkpoint.after();
    await edit('text.txt', () => shouted);
    await changes.refresh();
    const waited = await changes.waiting();
    await held.apply({});
    await changes.refresh();
    await changes.keepNew([place.at('work/text.txt')], waited);
    const hunks = (await changes.changes()).flatMap((file) => file.hunks);
    assert.deepEqual(
      hunks.map(({ actions, added }) => [actions, added]),
      [[['first'], ['LINE 3']]],
    );
  });

  it('applied while a command runs are not attributed to the command', async () => {
    await edit('text.txt', () => shouted, 'edit');
    const command = await run.before('command');
    place.place('work/other.txt', 'b\n');
    await held.apply({});
    await changes.refresh();
    await changes.keepNew([place.at('work/text.txt')], []);
    await command.after();
    await changes.refresh();
    const left = await changes.changes();
    assert.deepEqual(
      left.map((file) => [path.basename(file.path), file.actions]),
      [['other.txt', ['command']]],
    );
  });

  it('are not lost if their file cannot be read', async () => {
    await edit('text.txt', () => shouted);
    const file = heldEditsOf(place.at('state', 'run.jsonl'));
    fs.renameSync(file, `${file}.aside`);
    fs.mkdirSync(file);
    await assert.rejects(
      edit('other.txt', () => 'b\n'),
      /EISDIR/,
    );
    fs.rmdirSync(file);
    fs.renameSync(`${file}.aside`, file);
    assert.deepEqual(await listed(), ['modified text.txt +2 -2']);
  });

  it('are ignored if somebody else changed their file', async () => {
    await edit('text.txt', () => shouted);
    const file = heldEditsOf(place.at('state', 'run.jsonl'));
    assert.equal(held.problem, undefined);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll('LINE 3', 'rm -rf'));
    assert.deepEqual(await listed(), []);
  });

  it('in a damaged file are reported and never overwritten', async () => {
    await edit('text.txt', () => shouted);
    const file = heldEditsOf(place.at('state', 'run.jsonl'));
    const damaged = fs.readFileSync(file, 'utf8').slice(0, -20);
    fs.writeFileSync(file, damaged);
    assert.match(
      held.problem!,
      /cannot be read: the file run\.jsonl\.held\.json beside the log is damaged, .* They changed no file\./,
    );
    await edit('other.txt', () => 'b\n');
    assert.deepEqual([await listed(), held.problem], [['modified other.txt +1 -1'], undefined]);
    assert.equal(fs.readFileSync(`${file}.damaged`, 'utf8'), damaged);
    fs.writeFileSync(file, 'damaged again');
    await edit('other.txt', () => 'c\n');
    assert.equal(fs.readFileSync(`${file}.damaged`, 'utf8'), damaged, 'what was set aside first stays');
    assert.equal(fs.readFileSync(`${file}.damaged.2`, 'utf8'), 'damaged again');
  });

  it('are shared by a run and its subagents, which see each other’s edits', async () => {
    await edit('text.txt', () => shouted);
    const worker = begin().over(diskFiles({ folders: [place.at('work')] }), "worker's action");
    const { text: seen, version } = await worker.read('text.txt');
    assert.equal(seen, shouted);
    await worker.write([{ path: 'text.txt', text: seen.replace('line 1\n', 'WORKER\n'), expected: version }]);
    await worker.write([{ path: 'new.txt', text: 'made\n', expected: null }]);
    assert.deepEqual(await listed(), ['created new.txt +1 -0', 'modified text.txt +3 -3']);
    await held.apply({});
    assert.deepEqual([text('text.txt'), text('new.txt')], [shouted.replace('line 1\n', 'WORKER\n'), 'made\n']);
  });

  it('report which of several actions could not be applied; those stay held', async () => {
    await edit('text.txt', () => shouted, 'first');
    await edit('other.txt', () => 'b\n', 'second');
    let writes = 0;
    held = begin(async () => {
      writes++;
      // Another program edits the second file after it was checked.
      if (writes === 2) place.place('work/text.txt', 'theirs\n');
    });
    const { plan, words, left } = await held.apply({});
    assert.deepEqual([text('other.txt'), text('text.txt')], ['b\n', 'theirs\n']);
    assert.deepEqual([...new Set(plan.hunks.map((hunk) => path.basename(hunk.path)))], ['other.txt']);
    assert.match(words, /applied your held edits: other\.txt\. Still held back: text\.txt\./);
    assert.match(left!, /^Not applied: text\.txt\. text\.txt has changed since it was read/);
    assert.equal((await listed()).length, 1);
  });
});
