import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { BatchFolder, emptyResult, type TaskOutcome } from '../../src/adapters/batch/batchFolder';
import { readDataset, type BatchTask } from '../../src/core/batch/batchTask';
import { checkpointText } from '../../src/core/batch/peerFiles';
import { BatchSums, statisticsText } from '../../src/core/batch/statistics';
import { discardedBecause, taskOutcome } from '../../src/core/batch/taskOutcome';
import { isFailed, type TaskResult } from '../../src/core/batch/taskResult';
import { isFailure, toolUseOf } from '../../src/core/batch/toolUse';
import { everyTool, trajectoryLine } from '../../src/core/batch/trajectoryLine';
import type { ModelReply } from '../../src/core/ports/model';
import type { Event } from '../../src/protocol/events/event';
import { temporaryWorkspace } from '../support/temporaryWorkspace';
import { conforms } from './support/conforms';
import { call, plays, says } from './support/script';
import type { World } from './support/world';

const hash = (text: string): string => String(text.length);
/** Tasks of a dataset in Hermes Agent's format: one prompt per line and no ids. */
const tasksFor = (...prompts: string[]): readonly BatchTask[] =>
  readDataset(prompts.map((prompt) => JSON.stringify({ prompt })).join('\n'), hash).tasks;

/** A line as Hermes Agent's batch runner writes it, with only the required fields. */
const hermesLine = (index: number, prompt: string, more: object = {}): string =>
  `${JSON.stringify({ prompt_index: index, conversations: [{ from: 'human', value: prompt }], completed: true, tool_stats: {}, ...more })}\n`;

const settled = (task: BatchTask, batch: number, more: Partial<TaskResult> = {}): TaskResult => ({
  ...emptyResult(task, batch),
  status: 'done',
  exit_status: 'Submitted',
  completed: true,
  saved: true,
  reasoning: { total: 1, withReasoning: 1 },
  ...more,
});

/** A batch folder on disk. */
class Folder {
  readonly #root: string;

  constructor(world: World) {
    const workspace = temporaryWorkspace();
    world.after(() => workspace.stop());
    this.#root = workspace.at('data', 'my_run');
  }

  at = (name: string): string => path.join(this.#root, name);
  read = (name: string): string => fs.readFileSync(this.at(name), 'utf8');
  json = (name: string): Record<string, unknown> => JSON.parse(this.read(name)) as Record<string, unknown>;

  write(name: string, text: string): void {
    fs.mkdirSync(this.#root, { recursive: true });
    fs.writeFileSync(this.at(name), text);
  }

  /** Opens the folder for these tasks, calls `act`, writes the checkpoint and closes the folder. */
  use(tasks: readonly BatchTask[], act: (folder: BatchFolder) => void = () => undefined, runName = 'my_run'): void {
    const folder = BatchFolder.open(this.#root, runName, { resume: true });
    try {
      folder.recover(tasks);
      act(folder);
      folder.writeProgress();
    } finally {
      folder.close();
    }
  }
}

/** Does what a task's process does at its end, and the batch's reaction to it. */
function ends(folder: BatchFolder, task: BatchTask, result: TaskResult): void {
  const line = result.saved ? hermesLine(task.index, task.prompt) : undefined;
  const outcome: TaskOutcome = { result, ...(line !== undefined && { line }) };
  fs.writeFileSync(folder.outcomeFile(task), JSON.stringify(outcome));
  assert.ok(folder.collect(task), 'the outcome was taken over');
}

const logOf = async (world: World, ...replies: ModelReply[]): Promise<readonly Event[]> => {
  const run = await (await world.begin({ profile: 'hermes', model: plays(...replies), task: 'Say it.' })).go();
  return run.conversation.history;
};

const noon = new Date(2026, 0, 2, 12, 0, 0).getTime();

describe('as the batch runner of Hermes Agent', () => {
  conforms('HER-40', 'a run of a batch keeps a checkpoint, byte for byte as Python writes it', async () => {
    const text = checkpointText(
      {
        runName: 'größe',
        completed: [10, 2],
        batches: new Map([
          [1, { processed: 1, skipped: 0, discarded_no_reasoning: 1 }],
          [0, { processed: 2, skipped: 3, discarded_no_reasoning: 0 }],
        ]),
      },
      noon,
    );
    assert.equal(
      text,
      `{
  "run_name": "größe",
  "completed_prompts": [
    2,
    10
  ],
  "batch_stats": {
    "0": {
      "processed": 2,
      "skipped": 3,
      "discarded_no_reasoning": 0
    },
    "1": {
      "processed": 1,
      "skipped": 0,
      "discarded_no_reasoning": 1
    }
  },
  "last_updated": "2026-01-02T12:00:00"
}`,
    );
    assert.match(
      checkpointText({ runName: 'x', completed: [], batches: new Map() }, noon),
      /"completed_prompts": \[\],\n {2}"batch_stats": \{\},/,
    );
    await Promise.resolve();
  });

  conforms('HER-41', 'a run of a batch records the time in its checkpoint', async (world) => {
    const folder = new Folder(world);
    folder.use(tasksFor('One.'));
    const updated = folder.json('checkpoint.json')['last_updated'];
    assert.match(String(updated), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?$/);
    await Promise.resolve();
  });

  conforms('HER-42', 'a run of a batch replaces its checkpoint with the next one', async (world) => {
    const folder = new Folder(world);
    const tasks = tasksFor('One.', 'Two, longer.');
    folder.use(tasks, (open) => {
      ends(open, tasks[1]!, settled(tasks[1]!, 0));
      open.writeProgress();
      assert.deepEqual(folder.json('checkpoint.json')['completed_prompts'], [1]);
      ends(open, tasks[0]!, settled(tasks[0]!, 0));
    });
    assert.deepEqual(folder.json('checkpoint.json')['completed_prompts'], [0, 1]);
    await Promise.resolve();
  });

  conforms('HER-43', 'a run of a batch locks its folder: another one is refused', async (world) => {
    const folder = new Folder(world);
    folder.use(tasksFor('One.'), () => {
      assert.throws(() => BatchFolder.open(folder.at('.'), 'my_run', { resume: true }), /Another batch is running/);
    });
    folder.use(tasksFor('One.'));
    await Promise.resolve();
  });

  conforms('HER-44', 'a run of a batch creates the folders for its results', async (world) => {
    const folder = new Folder(world);
    assert.equal(fs.existsSync(folder.at('.')), false);
    folder.use(tasksFor('One.'));
    assert.ok(fs.existsSync(folder.at('checkpoint.json')));
    await Promise.resolve();
  });

  conforms('HER-45', 'a run of a batch leaves no temporary files', async (world) => {
    const folder = new Folder(world);
    const tasks = tasksFor('One.');
    folder.use(tasks, (open) => ends(open, tasks[0]!, settled(tasks[0]!, 0)));
    assert.deepEqual(fs.readdirSync(folder.at('.')).sort(), [
      'batch.json',
      'batch_0.jsonl',
      'checkpoint.json',
      'incoming',
      'logs',
      'preds.json',
      'results.jsonl',
    ]);
    assert.deepEqual(fs.readdirSync(folder.at('incoming')), []);
    await Promise.resolve();
  });

  conforms('HER-46', 'a new run of a batch starts with nothing done', async (world) => {
    const folder = new Folder(world);
    const tasks = tasksFor('One.');
    folder.use(tasks, (open) => assert.equal(open.isSettled(tasks[0]!), false));
    assert.deepEqual(folder.json('checkpoint.json')['completed_prompts'], []);
    await Promise.resolve();
  });

  conforms('HER-47', 'a resumed run of a batch keeps the earlier results', async (world) => {
    const folder = new Folder(world);
    const tasks = tasksFor('One.', 'Two, longer.');
    folder.use(tasks, (open) => ends(open, tasks[1]!, settled(tasks[1]!, 0)));
    folder.use(tasks, (open) => {
      assert.deepEqual(
        tasks.map((task) => open.isSettled(task)),
        [false, true],
      );
      ends(open, tasks[0]!, settled(tasks[0]!, 0));
    });
    assert.deepEqual(folder.json('checkpoint.json')['completed_prompts'], [0, 1]);
    assert.equal(folder.read('batch_0.jsonl').trim().split('\n').length, 2);
    await Promise.resolve();
  });

  conforms('HER-48', 'a run of a batch continues if its checkpoint is damaged', async (world) => {
    const folder = new Folder(world);
    const tasks = tasksFor('One.');
    folder.use(tasks, (open) => ends(open, tasks[0]!, settled(tasks[0]!, 0)));
    folder.write('checkpoint.json', '{broken json!!');
    folder.use(tasks, (open) => assert.equal(open.isSettled(tasks[0]!), true));
    assert.deepEqual(folder.json('checkpoint.json')['completed_prompts'], [0]);
    await Promise.resolve();
  });

  conforms(
    'HER-49',
    'a run of a batch finds finished tasks by their text, also in a folder written by Hermes Agent and in another order',
    async (world) => {
      const folder = new Folder(world);
      folder.write('batch_0.jsonl', hermesLine(0, 'First task.') + hermesLine(1, ' Second task here. '));
      folder.write('batch_3.jsonl', hermesLine(7, 'A third one, failed.', { failed: true }));
      const tasks = tasksFor('Second task here.', 'A third one, failed.', 'First task.');
      folder.use(tasks, (open) => {
        assert.deepEqual(
          tasks.map((task) => open.isSettled(task)),
          [true, false, true],
        );
      });
      assert.equal(folder.read('batch_0.jsonl'), hermesLine(0, 'First task.') + hermesLine(1, ' Second task here. '));
      await Promise.resolve();
    },
  );

  conforms('HER-50', 'a run of a batch ignores the checkpoint of another run', async (world) => {
    const folder = new Folder(world);
    folder.write(
      'checkpoint.json',
      checkpointText({ runName: 'different_run', completed: [0, 1, 2], batches: new Map() }, noon),
    );
    folder.use(tasksFor('One.'));
    const { run_name: name, completed_prompts: completed } = folder.json('checkpoint.json');
    assert.deepEqual([name, completed], ['my_run', []]);
    await Promise.resolve();
  });

  conforms('HER-51', 'a run without reasoning is not in the batch file and counts as done', async (world) => {
    const history = await logOf(world, says('Forty-two.'));
    const told = taskOutcome(history);
    assert.equal(discardedBecause(told, { keepsWithoutReasoning: false }), 'no_reasoning');
    assert.equal(discardedBecause(told, { keepsWithoutReasoning: true }), undefined);
    const folder = new Folder(world);
    const tasks = tasksFor('Say it.');
    folder.use(tasks, (open) =>
      ends(open, tasks[0]!, settled(tasks[0]!, 0, { ...told, saved: false, discarded: 'no_reasoning' })),
    );
    assert.equal(fs.existsSync(folder.at('batch_0.jsonl')), false);
    const checkpoint = folder.json('checkpoint.json');
    assert.deepEqual(checkpoint['completed_prompts'], [0]);
    assert.deepEqual(checkpoint['batch_stats'], { 0: { processed: 1, skipped: 0, discarded_no_reasoning: 1 } });
  });

  conforms('HER-52', 'a run of a batch that was killed during a write contains each task once', async (world) => {
    const folder = new Folder(world);
    const tasks = tasksFor('One.', 'Two, longer.', 'And a third.');
    folder.use(tasks, (open) => ends(open, tasks[0]!, settled(tasks[0]!, 0)));
    const before = folder.read('batch_0.jsonl');
    const outcome = { result: settled(tasks[1]!, 0), line: hermesLine(1, tasks[1]!.prompt) };
    const moments: [string, () => void][] = [
      ['before the line', () => undefined],
      ['within the line', () => fs.appendFileSync(folder.at('batch_0.jsonl'), outcome.line.slice(0, 20))],
      ['after the line', () => folder.write('batch_0.jsonl', before + outcome.line)],
      ['within the result', () => fs.appendFileSync(folder.at('results.jsonl'), '{"index": 1, "id"')],
    ];
    const results = folder.read('results.jsonl');
    for (const [moment, killed] of moments) {
      folder.write('batch_0.jsonl', before);
      folder.write('results.jsonl', results);
      folder.write('incoming/two.json', JSON.stringify(outcome));
      killed();
      folder.use(tasks);
      assert.equal(folder.read('batch_0.jsonl'), before + outcome.line, moment);
      assert.deepEqual(folder.json('checkpoint.json')['completed_prompts'], [0, 1], moment);
    }
    folder.write('batch_0.jsonl', before + outcome.line + hermesLine(2, 'And a third.'));
    folder.use(tasks, (open) => assert.equal(open.isSettled(tasks[2]!), false));
    assert.equal(folder.read('batch_0.jsonl'), before + outcome.line, 'a line without a result is taken back');
    await Promise.resolve();
  });

  conforms('HER-53', 'a run counts a call as failed by its result, not by an exit code', async (world) => {
    const failures = [
      '',
      'Error: gone',
      '  ERROR: no',
      '{"error": "x"}',
      '{"success": false}',
      '{"content": {"error": 1}}',
    ];
    const successes = [
      'fine',
      'no error: here',
      '{"error": null}',
      '{"success": true}',
      '[]',
      '{"content": {"exit_code": 1}}',
    ];
    for (const text of failures) assert.equal(isFailure(text), true, text);
    for (const text of successes) assert.equal(isFailure(text), false, text);
    const history = await logOf(
      world,
      says('', call('terminal', { command: 'false' }), call('read_file', { path: 'missing.txt' })),
      says('Done.'),
    );
    assert.deepEqual(toolUseOf(history), {
      terminal: { count: 1, success: 1, failure: 0 },
      read_file: { count: 1, success: 0, failure: 1 },
    });
  });

  conforms(
    'HER-54',
    'a run is a line with the fields of Hermes Agent in order and every known tool; one with unknown tools is not a trajectory',
    async (world) => {
      const history = await logOf(world, says('', call('terminal', { command: 'echo ä' })), says('Done.'));
      const told = { ...taskOutcome(history), index: 4, batch: 1, toolsets: ['terminal', 'file'] };
      const line = trajectoryLine(history, told, noon);
      const start = '{"prompt_index": 4, "conversations": [{"from": "system", "value": "';
      assert.ok(line.startsWith(start), line.slice(0, 100));
      assert.ok(
        line.includes(
          '{"from": "human", "value": "Say it."}, {"from": "gpt", "value": "<think>\\n</think>\\n<tool_call>',
        ),
      );
      assert.ok(line.includes(' ä'), 'letters beyond ASCII stay');
      const rest =
        '], "metadata": {"batch_num": 1, "timestamp": "2026-01-02T12:00:00", "model": "story"}, "completed": true, "partial": false, "api_calls": 2, "toolsets_used": ["terminal", "file"], "tool_stats": {';
      assert.ok(line.includes(rest), line.slice(-1500));
      assert.ok(line.endsWith('}\n'));
      const { tool_stats: stats, tool_error_counts: errors } = JSON.parse(line) as Record<string, object>;
      assert.deepEqual(Object.keys(stats!), everyTool);
      assert.deepEqual(Object.keys(errors!), everyTool);
      const unknown = await logOf(world, says('', call('fly_to_the_moon', {})), says('Done.'));
      const reasoned = { ...taskOutcome(unknown), reasoning: { total: 1, withReasoning: 1 } };
      assert.equal(discardedBecause(reasoned, { keepsWithoutReasoning: false }), 'unknown_tool');
      const folder = new Folder(world);
      const tasks = tasksFor('One.', 'Two, longer.');
      const wrong = hermesLine(1, tasks[1]!.prompt, { tool_stats: { fly_to_the_moon: { count: 1 } } });
      folder.use(tasks, (open) => {
        ends(open, tasks[0]!, settled(tasks[0]!, 0));
        fs.writeFileSync(open.outcomeFile(tasks[1]!), JSON.stringify({ result: settled(tasks[1]!, 0), line: wrong }));
        open.collect(tasks[1]!);
        open.writeSummary({ ...facts, totalPrompts: 2 });
      });
      assert.equal(folder.read('trajectories.jsonl'), hermesLine(0, 'One.'));
    },
  );

  conforms(
    'HER-55',
    'a run of a batch ends with statistics like those of Hermes Agent, and repeats failed tasks on request',
    async (world) => {
      const sums = new BatchSums();
      const [task] = tasksFor('One.');
      sums.add(
        settled(task!, 0, {
          tools: { terminal: { count: 3, success: 2, failure: 1 } },
          reasoning: { total: 3, withReasoning: 1 },
        }),
      );
      assert.ok(
        statisticsText(facts, sums, noon).startsWith(`{
  "run_name": "my_run",
  "distribution": "default",
  "total_prompts": 1,
  "total_batches": 1,
  "batch_size": 10,
  "model": "story",
  "completed_at": "2026-01-02T12:00:00",
  "duration_seconds": 2.0,
  "tool_statistics": {
    "terminal": {
      "count": 3,
      "success": 2,
      "failure": 1,
      "success_rate": 66.67,
      "failure_rate": 33.33
    }
  },
  "reasoning_statistics": {
    "total_assistant_turns": 3,
    "turns_with_reasoning": 1,
    "turns_without_reasoning": 2
  },
`),
      );
      const folder = new Folder(world);
      const tasks = tasksFor('One.', 'Two, longer.');
      folder.use(tasks, (open) => {
        ends(open, tasks[0]!, settled(tasks[0]!, 0));
        ends(open, tasks[1]!, settled(tasks[1]!, 0, { status: 'failed', cost: 2 }));
      });
      folder.use(tasks, (open) => {
        open.forget(tasks.filter((each) => isFailed({ status: open.statusOf(each)! })));
        assert.deepEqual(
          tasks.map((each) => open.isSettled(each)),
          [true, false],
        );
        assert.equal(folder.read('batch_0.jsonl'), hermesLine(0, 'One.'));
        ends(open, tasks[1]!, settled(tasks[1]!, 0, { cost: 1 }));
        assert.equal(open.spent, 3, 'what the failed try cost counts too');
        assert.equal(open.sums.tasks, 2);
      });
      assert.deepEqual(folder.json('checkpoint.json')['completed_prompts'], [0, 1]);
      await Promise.resolve();
    },
  );
});

const facts = {
  runName: 'my_run',
  distribution: 'default',
  totalPrompts: 1,
  totalBatches: 1,
  batchSize: 10,
  model: 'story',
  seconds: 2,
};
