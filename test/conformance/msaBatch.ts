import { strict as assert } from 'node:assert';
import { emptyResult } from '../../src/adapters/batch/batchFolder';
import { readDataset, type BatchTask } from '../../src/core/batch/batchTask';
import { exitStatusFile, predictionText } from '../../src/core/batch/peerFiles';
import { selectTasks, type TaskSelection } from '../../src/core/batch/selectTasks';
import type { TaskResult } from '../../src/core/batch/taskResult';
import { conforms } from './support/conforms';

/** Tasks of a dataset in SWE-bench's format. */
const instances = (...ids: string[]): readonly BatchTask[] =>
  readDataset(ids.map((id) => JSON.stringify({ instance_id: id, problem_statement: 'Do.' })).join('\n'), (text) => text)
    .tasks;

const ended = (id: string, more: Partial<TaskResult>): TaskResult => ({
  ...emptyResult(instances(id)[0]!, 0),
  status: 'done',
  ...more,
});

conforms(
  'MSA-32',
  'a batch shuffles its tasks with seed 42 like Python, then filters them by id prefix, then slices them',
  async () => {
    const tasks = instances('d__e-4', 'a__b-1', 'b__c-2', 'e__f-5', 'c__d-3');
    const chosen = (selection: TaskSelection): string[] => selectTasks(tasks, selection).map(({ id }) => id);
    // Python's order after random.seed(42) and random.shuffle of the sorted ids.
    assert.deepEqual(chosen({ shuffle: true }), ['d__e-4', 'b__c-2', 'c__d-3', 'e__f-5', 'a__b-1']);
    assert.deepEqual(chosen({ shuffle: true, filter: '[a-d]__', slice: '1:3' }), ['b__c-2', 'c__d-3']);
    assert.deepEqual(chosen({ slice: '-2:' }), ['e__f-5', 'c__d-3']);
    await Promise.resolve();
  },
);

conforms('MSA-33', 'a batch writes preds.json and its list of exit statuses like Python’s json and yaml', async () => {
  const results = [
    ended('a__b-1', { exit_status: 'Submitted', model: 'm', patch: 'diff ä' }),
    ended('c', { exit_status: 'LimitsExceeded', model: 'm' }),
    ended('b', { exit_status: 'Submitted', model: 'm' }),
  ];
  assert.equal(
    [...predictionText(results.slice(0, 1))].join(''),
    [
      '{',
      '  "a__b-1": {',
      '    "model_name_or_path": "m",',
      '    "instance_id": "a__b-1",',
      '    "model_patch": "diff \\u00e4"',
      '  }',
      '}',
    ].join('\n'),
  );
  assert.equal(
    [...exitStatusFile(results)].join(''),
    [
      'instances_by_exit_status:',
      '    LimitsExceeded:',
      '    - c',
      '    Submitted:',
      '    - a__b-1',
      '    - b',
      '',
    ].join('\n'),
  );
  await Promise.resolve();
});

conforms(
  'MSA-34',
  'a SWE-bench instance runs in the image that it names, or else in the one published for it',
  async () => {
    const row = { instance_id: 'Django__django-11099', problem_statement: 'Do.' };
    const read = (more: object): BatchTask =>
      readDataset(JSON.stringify({ ...row, ...more }), (text) => text).tasks[0]!;
    assert.equal(read({}).usualImage, 'docker.io/swebench/sweb.eval.x86_64.django_1776_django-11099:latest');
    assert.equal(read({}).image, undefined);
    for (const name of ['image_name', 'docker_image']) assert.equal(read({ [name]: 'own:1' }).image, 'own:1', name);
    await Promise.resolve();
  },
);
