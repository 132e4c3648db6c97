import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { CheckpointStore } from '../../../src/adapters/checkpoints/checkpointStore';
import { defaultLimits } from '../../../src/adapters/checkpoints/coverage';
import { RunChanges } from '../../../src/adapters/checkpoints/restoring/runChanges';
import { SessionCheckpoints } from '../../../src/adapters/checkpoints/recording/sessionCheckpoints';
import { diskFiles } from '../../../src/adapters/files/diskFiles';
import { createWorkspacePaths } from '../../../src/adapters/files/workspacePaths';
import { seededRandom } from '../../../src/core/model/sampling/seededRandom';
import type { Environment } from '../../../src/core/ports/environment';
import type { Tool } from '../../../src/core/ports/tool';
import { deleteFile, moveFile } from '../../../src/core/tools/native/moveAndDelete';
import { editFile } from '../../../src/core/tools/native/editFile';
import { writeFile } from '../../../src/core/tools/native/writeFile';
import { onSlowDisk } from '../../support/slowDisk';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';
import { placeRandomFiles, randomCommand, randomNames } from './randomCommands';
import { wholeTree } from './wholeTree';

/**
 * Compares runs of random commands and tools with a full copy of the folder after each step. FILES_SEED and FILES_RUNS
 * choose other runs.
 */
const seed = Number(process.env['FILES_SEED'] ?? 20261122);
const runs = Number(process.env['FILES_RUNS'] ?? 200);

/** A tool call with random arguments, which the tool may have to refuse. */
interface ToolCall {
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
}

function toolCall(random: () => number): ToolCall {
  const pick = (): string => randomNames[Math.floor(random() * randomNames.length)]!;
  const [from, to] = [pick(), pick()];
  const content = `written ${Math.floor(random() * 1e6)}\nline two\n`;
  const calls: readonly ToolCall[] = [
    { tool: moveFile, input: { from, to } },
    { tool: deleteFile, input: { path: from } },
    { tool: writeFile, input: { path: to, content } },
    { tool: editFile, input: { path: from, edits: [{ old_text: 'line two', new_text: 'row two' }] } },
  ];
  return calls[Math.floor(random() * calls.length)]!;
}

interface Run {
  readonly workspace: TemporaryWorkspace;
  readonly store: CheckpointStore;
  readonly log: string;
  readonly checkpoints: SessionCheckpoints;
  readonly notices: string[];
}

function begin(): Run {
  const workspace = temporaryWorkspace('work');
  const beside = path.join(workspace.root, '..', 'state');
  // On a busy machine the first scan takes longer, and then the step only reports that its changes are unknown.
  const limits = { ...defaultLimits, maxWaitMs: 300_000 };
  const store = new CheckpointStore(path.join(beside, 'checkpoints'), limits);
  const log = path.join(beside, 'run.waymark.jsonl');
  const notices: string[] = [];
  const paths = createWorkspacePaths([workspace.root]);
  const checkpoints = new SessionCheckpoints({
    log,
    folders: [workspace.root],
    store,
    resolve: (spelled) => paths.resolve(spelled, 'write').absolute,
    onNotice: (text) => notices.push(text),
  });
  return { workspace, store, log, checkpoints, notices };
}

const isGit = (name: string): boolean => name === '.git';
const treeOf = ({ workspace }: Run): Record<string, string> => wholeTree(workspace.root, isGit);
const shell = ({ workspace }: Run, text: string): unknown =>
  spawnSync('sh', ['-c', text], { cwd: workspace.root, encoding: 'utf8' });

/** Runs a tool like a step: with a checkpoint of the files that it declares to write. */
async function callTool(run: Run, action: string, { tool, input }: ToolCall): Promise<string> {
  const { root } = run.workspace;
  const files = diskFiles({ folders: [root] });
  const bound = tool.bind(input);
  const checkpoint = await run.checkpoints.before(action, bound.touches.writes ?? []);
  try {
    const context = {
      environment: { root, files } as Environment,
      signal: new AbortController().signal,
      progress: () => undefined,
      versionSeen: () => undefined,
    };
    return (await bound.run(context)).content;
  } catch (problem) {
    return (problem as Error).message;
  } finally {
    await checkpoint.after();
  }
}

async function act(run: Run, action: string, text: string): Promise<void> {
  const checkpoint = await run.checkpoints.before(action);
  shell(run, text);
  await checkpoint.after();
}

describe('undoing random runs of commands and tools', function () {
  this.timeout(600_000);

  /** Plays one random run, undoes a part of it and all of it, and adds the tools that did something to `done`. */
  async function playAndUndo(runSeed: number, done: Set<string>, moreFiles = 0): Promise<void> {
    const random = seededRandom(runSeed);
    const run = begin();
    try {
      placeRandomFiles(run.workspace, random);
      for (let file = 0; file < moreFiles; file++) run.workspace.place(`more-${file}.txt`, `${file}`);
      const copies = [treeOf(run)];
      const told: string[] = [];
      const steps = 2 + Math.floor(random() * 6);
      for (let step = 1; step <= steps; step++) {
        if (random() < 0.4) {
          const call = toolCall(random);
          const said = await callTool(run, `action-${step}`, call);
          told.push(`${call.tool.name} ${JSON.stringify(call.input)}: ${said}`);
          if (/^(Moved|Deleted|Wrote|Edited)/.test(said)) done.add(call.tool.name);
        } else {
          const text = randomCommand(random);
          told.push(text);
          await act(run, `action-${step}`, text);
        }
        copies.push(treeOf(run));
      }
      const git = wholeTree(run.workspace.at('.git'));
      const story = `seed ${runSeed}\n${told.join('\n')}`;
      const changes = new RunChanges(run.log, run.store, (each) => each);
      const target = Math.floor(random() * steps);
      const scope = {
        includes: (action: string) => Number(action.slice('action-'.length)) > target,
        respectsKept: false,
        untilNow: true,
      };
      const partly = await changes.undo({}, { scope });
      assert.ok(partly.status !== 'refused', `${story}\n${JSON.stringify(partly)}`);
      assert.deepEqual(treeOf(run), copies[target], `back to step ${target}: ${story}`);
      if (partly.status === 'done') {
        assert.ok(await changes.redo(), story);
        assert.deepEqual(treeOf(run), copies[steps], `the undo undone: ${story}`);
      }
      const whole = await changes.undo({});
      assert.ok(whole.status !== 'refused', `${story}\n${JSON.stringify(whole)}`);
      assert.deepEqual(treeOf(run), copies[0], `back to the beginning: ${story}`);
      assert.deepEqual(await changes.changes(), [], story);
      assert.deepEqual(wholeTree(run.workspace.at('.git')), git, `.git is never written: ${story}`);
      assert.deepEqual(run.notices, [], story);
    } finally {
      run.store.dispose();
      run.workspace.stop();
    }
  }

  it(`restores the folder byte for byte (${runs} runs, seed ${seed})`, async () => {
    const done = new Set<string>();
    for (let at = 0; at < runs; at++) await playAndUndo(seed + at, done);
    // 100 runs may happen to contain no edit that finds its text.
    if (runs >= 200) assert.deepEqual([...done].sort(), ['delete_file', 'edit_file', 'move_file', 'write_file']);
  });

  it('does so on a slow disk', async () => {
    const some = Math.ceil(runs / 25);
    for (let at = 0; at < some; at++) await onSlowDisk(() => playAndUndo(seed + 20_000 + at, new Set(), 60));
  });

  it('keeps the user’s files and what the user wrote between steps', async () => {
    for (let at = 0; at < Math.ceil(runs / 4); at++) {
      const random = seededRandom(seed + 10_000 + at);
      const run = begin();
      try {
        placeRandomFiles(run.workspace, random);
        run.workspace.place('mine/notes.txt', 'private\n');
        const own: string[] = [];
        for (let step = 1; step <= 4; step++) {
          // Text that the agent itself writes into a file of the user is not tested here.
          const text = randomCommand(random);
          if (!text.startsWith('find')) await act(run, `action-${step}`, text);
          own.push(`${step} ${random()}`);
          fs.mkdirSync(run.workspace.at('mine'), { recursive: true });
          fs.writeFileSync(run.workspace.at('mine/notes.txt'), own.join('\n'));
          fs.writeFileSync(run.workspace.at(`mine/new-${step}`), 'x');
        }
        const mine = wholeTree(run.workspace.at('mine'));
        const result = await new RunChanges(run.log, run.store, (each) => each).undo({});
        assert.equal(result.status === 'refused', false, `seed ${seed + 10_000 + at} ${JSON.stringify(result)}`);
        assert.deepEqual(wholeTree(run.workspace.at('mine')), mine);
      } finally {
        run.store.dispose();
        run.workspace.stop();
      }
    }
  });
});
