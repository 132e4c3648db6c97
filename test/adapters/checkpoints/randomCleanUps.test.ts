import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { BlobStore } from '../../../src/adapters/checkpoints/blobStore';
import { CheckpointStore } from '../../../src/adapters/checkpoints/checkpointStore';
import { cleanUp } from '../../../src/adapters/checkpoints/cleanUp';
import { journalOf } from '../../../src/adapters/checkpoints/journal';
import { SessionCheckpoints } from '../../../src/adapters/checkpoints/recording/sessionCheckpoints';
import { RunChanges } from '../../../src/adapters/checkpoints/restoring/runChanges';
import { RunRecord } from '../../../src/adapters/checkpoints/restoring/runRecord';
import { seededRandom } from '../../../src/core/model/sampling/seededRandom';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';
import { placeRandomFiles, randomCommand } from './randomCommands';
import { wholeTree } from './wholeTree';

/**
 * Random sessions, undos and cleanups, some of them killed at a random call of the system. CLEANUP_SEED and CLEANUP_RUNS
 * choose others.
 */
const seed = Number(process.env['CLEANUP_SEED'] ?? 20261130);
const runs = Number(process.env['CLEANUP_RUNS'] ?? 12);
const { pid: deadPid } = spawnSync(process.execPath, ['-e', '']);
const dayMs = 24 * 60 * 60_000;

/** An ended or open session, and the folder before it. */
interface Session {
  readonly log: string;
  readonly before: Record<string, string>;
  readonly open?: SessionCheckpoints;
}

class Killed extends Error {}

const changing = ['rmSync', 'unlinkSync', 'writeFileSync', 'appendFileSync', 'writeSync', 'renameSync', 'linkSync'];

/**
 * Runs work until its call number `lastCall` that changes the disk: neither that one nor a later one does anything, as
 * after a kill. Half of a group may be written. Resolves to whether it was killed.
 */
async function untilKilled(lastCall: number, work: () => Promise<unknown>): Promise<boolean> {
  const disk = fs as unknown as Record<string, (...given: unknown[]) => unknown>;
  const real = Object.fromEntries(changing.map((name) => [name, disk[name]!]));
  let calls = 0;
  for (const name of changing)
    disk[name] = (...given) => {
      if (++calls < lastCall) return real[name]!(...given);
      const [descriptor, bytes, from, length, at] = given;
      if (calls === lastCall && name === 'writeSync' && typeof length === 'number')
        real[name]!(descriptor, bytes, from, Math.floor(length / 2), at);
      throw new Killed();
    };
  try {
    await work().catch((error: unknown) => {
      if (!(error instanceof Killed) && !(error instanceof Error && error.cause instanceof Killed)) throw error;
    });
  } finally {
    Object.assign(disk, real);
  }
  return calls >= lastCall;
}

class Story {
  readonly workspace: TemporaryWorkspace = temporaryWorkspace('work');
  readonly state = path.join(this.workspace.root, '..', 'state');
  readonly folder = path.join(this.state, 'checkpoints');
  readonly sessions: Session[] = [];
  readonly told: string[] = [];
  private begun = 0;
  private store = new CheckpointStore(this.folder);

  constructor(readonly random: () => number) {
    placeRandomFiles(this.workspace, random);
  }

  tree(): Record<string, string> {
    return wholeTree(this.workspace.root, (name) => name === '.git');
  }

  /** `staysOpen`: the session goes on while other things happen. */
  async work(staysOpen: boolean): Promise<void> {
    const log = path.join(this.state, `session${this.begun++}.waymark.jsonl`);
    const before = this.tree();
    const session = new SessionCheckpoints({
      log,
      folders: [this.workspace.root],
      store: this.store,
      resolve: (spelled) => path.resolve(this.workspace.root, spelled),
      onNotice: (words) => assert.fail(`${words}\n${this.told.join('\n')}`),
    });
    for (let step = 0; step < 1 + this.random() * 3; step++) await this.act(session, `${step}`);
    if (!staysOpen) await session.dispose();
    this.sessions.push({ log, before, ...(staysOpen && { open: session }) });
  }

  async act(session: SessionCheckpoints, action: string): Promise<void> {
    const text = randomCommand(this.random);
    const checkpoint = await session.before(action);
    spawnSync('sh', ['-c', text], { cwd: this.workspace.root });
    await checkpoint.after();
    this.told.push(`  ${text}`);
  }

  /** The last session does more if it is still open. */
  async goOn(): Promise<void> {
    const open = this.sessions.at(-1)?.open;
    for (let step = 0; open && step < 3; step++) await this.act(open, `later ${this.told.length}`);
  }

  /** All processes end: the next one has another id. */
  async endAll(): Promise<void> {
    for (const [at, { open, ...ended }] of this.sessions.entries()) {
      await open?.dispose();
      this.sessions[at] = ended;
    }
    this.store.dispose();
    this.makePacksOld();
    fs.rmSync(path.join(this.folder, 'cleaning.lock'), { force: true });
    this.store = new CheckpointStore(this.folder);
  }

  private makePacksOld(): void {
    const { folder } = this.store.blobs;
    for (const pack of this.store.blobs.packs())
      if (pack.startsWith(`${process.pid}-`))
        fs.renameSync(path.join(folder, pack), path.join(folder, pack.replace(`${process.pid}-`, `${deadPid}-`)));
  }

  /** Time passes: journals and indexes become old. */
  age(): void {
    const files = [
      ...this.sessions.map(({ log }) => journalOf(log)),
      ...fs.readdirSync(this.store.indexFolder).map((name) => path.join(this.store.indexFolder, name)),
    ];
    for (const file of files.filter((each) => fs.existsSync(each) && this.random() < 0.3)) {
      const then = new Date(Date.now() - this.random() * 60 * dayMs);
      fs.utimesSync(file, then, then);
    }
  }

  async clean(): Promise<void> {
    const policy = { days: 30, megabytes: this.random() < 0.5 ? 2000 : this.random() * 0.001 };
    const lastCall = this.random() < 0.4 ? 1 + Math.floor(this.random() * 25) : Infinity;
    const isKilled = await untilKilled(lastCall, () => cleanUp(this.store, policy, { force: true }));
    this.told.push(`cleanup ${JSON.stringify(policy)}${isKilled ? ` killed at call ${lastCall}` : ''}`);
    if (isKilled) await this.endAll();
  }

  /** Every content that a session can still need is in the store. */
  check(): void {
    const blobs = new BlobStore(this.store.blobs.folder);
    for (const { log } of this.sessions)
      for (const entry of new RunRecord(journalOf(log)).counting)
        for (const { before, after } of 'files' in entry ? entry.files : [])
          for (const state of [before, after])
            if (state?.kind === 'file' && state.hash !== undefined)
              assert.doesNotThrow(() => blobs.get(state.hash!), `${path.basename(log)}\n${this.told.join('\n')}`);
  }

  /** Undoes the last session if it can be undone, and possibly reverts that. Returns whether it was undone for good. */
  async undoLast(): Promise<boolean> {
    const last = this.sessions.at(-1);
    if (!last || last.open) return false;
    const changes = new RunChanges(last.log, this.store, (each) => each);
    const entries = changes.record.entries;
    if (entries.some(({ type }) => type === 'cleaned') || entries.length === 0) return false;
    const after = this.tree();
    const told = this.told.join('\n');
    const result = await changes.undo({});
    assert.notEqual(result.status, 'refused', told);
    assert.deepEqual(this.tree(), last.before, `undo of ${path.basename(last.log)}\n${told}`);
    if (this.random() < 0.5 && (await changes.redo())) {
      assert.deepEqual(this.tree(), after, `redo of ${path.basename(last.log)}\n${told}`);
      return false;
    }
    this.sessions.pop();
    return true;
  }

  end(): void {
    this.store.dispose();
    this.workspace.stop();
  }
}

describe('random cleanups', function () {
  this.timeout(600_000);

  it(`never lose what a session can undo, also if they are killed (${runs} stories, seed ${seed})`, async () => {
    let undone = 0;
    for (let at = 0; at < runs; at++) {
      const random = seededRandom(seed + at);
      const story = new Story(random);
      try {
        await story.work(false);
        for (let step = 0; step < 12; step++) {
          const choice = random();
          if (choice < 0.3) await story.work(random() < 0.7);
          else if (choice < 0.45) await story.endAll();
          else if (choice < 0.55) story.age();
          else if (choice < 0.6) await story.goOn();
          else if (choice < 0.68) undone += Number(await story.undoLast());
          else {
            await story.clean();
            await story.goOn();
          }
          story.check();
        }
        await story.endAll();
        while (await story.undoLast()) undone++;
      } catch (error) {
        throw new Error(`Seed ${seed + at}: ${(error as Error).message}`, { cause: error });
      } finally {
        story.end();
      }
    }
    assert.ok(undone > runs / 5, `${undone} sessions were undone`);
  });
});
