import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { CheckpointStore } from '../../../src/adapters/checkpoints/checkpointStore';
import { journalOf, JournalWriter, readJournal } from '../../../src/adapters/checkpoints/journal';
import { RunChanges } from '../../../src/adapters/checkpoints/restoring/runChanges';
import { SessionCheckpoints } from '../../../src/adapters/checkpoints/recording/sessionCheckpoints';
import { secrets } from '../../../src/core/secrets/secrets';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

interface Session {
  readonly checkpoints: SessionCheckpoints;
  readonly store: CheckpointStore;
  readonly log: string;
}

describe('session checkpoints', () => {
  let workspace: TemporaryWorkspace;
  const open: Session[] = [];

  beforeEach(() => {
    workspace = temporaryWorkspace('work');
  });

  afterEach(async () => {
    for (const { checkpoints, store } of open.splice(0)) {
      await checkpoints.dispose();
      store.dispose();
    }
    workspace.stop();
  });

  function begin(name = 'run'): Session {
    const beside = path.join(workspace.root, '..', 'state');
    const store = new CheckpointStore(path.join(beside, 'checkpoints'));
    const log = path.join(beside, `${name}.jsonl`);
    const checkpoints = new SessionCheckpoints({
      log,
      folders: [workspace.root],
      store,
      resolve: (spelled) => workspace.at(spelled),
      onNotice: (words) => assert.fail(words),
    });
    const session = { checkpoints, store, log };
    open.push(session);
    return session;
  }

  const entriesOf = ({ log }: Session) => readJournal(journalOf(log)).entries;
  const changedBy = (session: Session, action: string): string[] =>
    entriesOf(session).flatMap((entry) =>
      entry.type === 'changed' && entry.action === action ? entry.files.map(({ path: file }) => file) : [],
    );

  /** Writes until the file system's timestamp is after a moment, because its clock has a coarse resolution. */
  async function writeAfter(moment: number, name: string): Promise<void> {
    do {
      await new Promise((resolve) => setTimeout(resolve, 5));
      workspace.place(name, 'mine');
    } while (fs.statSync(workspace.at(name)).ctimeMs <= moment);
  }

  it('find changes by an action that declared it changes nothing, but no later changes', async () => {
    workspace.place('a.txt', 'one\n');
    workspace.place('gone.txt', 'two\n');
    workspace.place('mine/notes.txt', 'before\n');
    const session = begin();
    await (await session.checkpoints.before('first')).after();
    const checkpoint = await session.checkpoints.beforeUnchanging('liar');
    workspace.place('a.txt', 'other\n');
    workspace.place('planted.txt', 'planted\n');
    workspace.remove('gone.txt');
    checkpoint.ended();
    await writeAfter(Date.now() + 1, 'mine/notes.txt');
    await session.checkpoints.settled();
    assert.deepEqual(
      changedBy(session, 'liar'),
      ['a.txt', 'gone.txt', 'planted.txt'].map((name) => workspace.at(name)),
    );
    const changes = new RunChanges(session.log, session.store, (each) => each);
    assert.equal((await changes.undo({})).status, 'done');
    assert.deepEqual(workspace.names(), ['a.txt', 'gone.txt', 'mine', 'mine/notes.txt']);
    assert.equal(workspace.bytes('a.txt')?.toString(), 'one\n');
  });

  it('find such changes also in the scan before the next action', async () => {
    const session = begin();
    await (await session.checkpoints.before('first')).after();
    const checkpoint = await session.checkpoints.beforeUnchanging('liar');
    workspace.place('planted.txt', 'planted\n');
    checkpoint.ended();
    const next = await session.checkpoints.before('next');
    workspace.place('made.txt', 'made\n');
    await next.after();
    assert.deepEqual(changedBy(session, 'liar'), [workspace.at('planted.txt')]);
    assert.deepEqual(changedBy(session, 'next'), [workspace.at('made.txt')]);
  });

  it('predict which changes they can undo, and are right', async () => {
    const large = 25 * 1024 * 1024 + 1;
    workspace.place('a.txt', 'one\n');
    workspace.place('.env', 'KEY=one\n');
    workspace.place('large.bin', Buffer.alloc(large).toString('latin1'));
    const secret = `known-${crypto.randomUUID()}`;
    secrets.learn(secret);
    workspace.place('notes.txt', `the key is ${secret}\n`);
    const session = begin();
    const { checkpoints } = session;
    assert.deepEqual(
      [
        undefined,
        ['a.txt'],
        ['new.txt'],
        ['.env'],
        ['large.bin'],
        ['notes.txt'],
        ['a.txt', '.env'],
        ['../outside.txt'],
      ].map((paths) => checkpoints.canUndo(paths)),
      [true, true, true, false, false, false, false, false],
    );
    const edited = ['a.txt', 'new.txt', '.env', 'notes.txt'];
    const checkpoint = await checkpoints.before('writes', edited);
    for (const name of edited) workspace.place(name, 'two\n');
    await checkpoint.after();
    const changes = new RunChanges(session.log, session.store, (each) => each);
    for (const name of ['.env', 'notes.txt'])
      assert.equal((await changes.undo({ files: [workspace.at(name)] })).status, 'refused', name);
    assert.equal((await changes.undo({ files: [workspace.at('a.txt'), workspace.at('new.txt')] })).status, 'done');
    assert.deepEqual(
      ['a.txt', 'new.txt', '.env'].map((name) => workspace.bytes(name)?.toString()),
      ['one\n', undefined, 'two\n'],
    );
  });

  it('write nothing for an action that changed nothing', async () => {
    workspace.place('a.txt', 'one\n');
    const session = begin();
    await (await session.checkpoints.before('first')).after();
    const before = entriesOf(session).length;
    for (const action of ['one', 'two', 'three']) (await session.checkpoints.beforeUnchanging(action)).ended();
    await session.checkpoints.settled();
    assert.equal(entriesOf(session).length, before);
  });

  it('attribute each change to its action even if nobody awaits the scan before the next one begins', async () => {
    const session = begin();
    for (let step = 1; step <= 20; step++) {
      const checkpoint = await session.checkpoints.before(`step-${step}`);
      workspace.place(`file-${step}`, `${step}`);
      checkpoint.ended();
    }
    await session.checkpoints.ended();
    for (let step = 1; step <= 20; step++)
      assert.deepEqual(changedBy(session, `step-${step}`), [workspace.at(`file-${step}`)]);
  });

  it('keep what a tool writes during the first scan of the folder', async () => {
    for (let file = 0; file < 500; file++) workspace.place(`many/${file % 20}/${file}.txt`, `${file}\n`);
    const session = begin();
    session.checkpoints.prepare();
    for (const [step, name] of ['many/3/3.txt', 'many/19/499.txt', 'new.txt', 'many/3/3.txt'].entries()) {
      const checkpoint = await session.checkpoints.before(`edit-${step}`, [name]);
      workspace.place(name, `edited ${step}\n`);
      checkpoint.ended();
    }
    await (await session.checkpoints.before('command')).after();
    assert.deepEqual(changedBy(session, 'command'), []);
    assert.deepEqual(changedBy(session, 'edit-1'), [workspace.at('many/19/499.txt')]);
    const changes = new RunChanges(session.log, session.store, (each) => each);
    assert.equal((await changes.undo({})).status, 'done');
    assert.equal(workspace.bytes('many/3/3.txt')?.toString(), '3\n');
    assert.equal(workspace.bytes('many/19/499.txt')?.toString(), '499\n');
    assert.equal(workspace.bytes('new.txt'), undefined);
  });

  it('abandon an unneeded first scan; the next session scans again', async () => {
    for (let file = 0; file < 2000; file++) workspace.place(`many/${file % 20}/${file}.txt`, `${file}\n`);
    const first = begin('first');
    const look = first.store.index(workspace.root).scan();
    await first.checkpoints.dispose();
    await look;
    first.store.dispose();
    const second = begin('second');
    const checkpoint = await second.checkpoints.before('command');
    workspace.place('many/0/0.txt', 'changed\n');
    await checkpoint.after();
    assert.deepEqual(changedBy(second, 'command'), [workspace.at('many/0/0.txt')]);
  });

  it('are written from the next action on if the store was not writable at first', async () => {
    const { store } = begin('other');
    const notices: string[] = [];
    const log = path.join(path.dirname(store.folder), 'late.jsonl');
    const late = new SessionCheckpoints({
      log,
      folders: [workspace.root],
      store,
      resolve: (spelled) => workspace.at(spelled),
      onNotice: (words) => notices.push(words),
    });
    const living = path.join(store.folder, 'living');
    fs.mkdirSync(store.folder, { recursive: true });
    fs.writeFileSync(living, '');
    await (await late.before('first')).after();
    assert.equal(notices.length, 1);
    fs.rmSync(living);
    const checkpoint = await late.before('second');
    workspace.place('made.txt', 'made\n');
    await checkpoint.after();
    await late.dispose();
    const changes = new RunChanges(log, store, (each) => each);
    assert.equal(changes.record.isKept, true);
    assert.equal((await changes.undo({})).status, 'done');
    assert.equal(workspace.bytes('made.txt'), undefined);
  });

  it('start a new journal line after another writer’s incomplete line', async () => {
    const file = path.join(workspace.root, 'journal.jsonl');
    const writer = new JournalWriter(file);
    writer.append({ type: 'began', at: 1, action: 'one' });
    fs.appendFileSync(file, '{"type":"beg');
    writer.append({ type: 'began', at: 2, action: 'two' });
    await writer.close();
    const { entries, problems } = readJournal(file);
    assert.deepEqual(
      entries.map((entry) => entry.type === 'began' && entry.action),
      ['one', 'two'],
    );
    assert.equal(problems.length, 1);
  });
});
