import { strict as assert } from 'node:assert';
import { readDataset } from '../../../src/core/batch/batchTask';
import { distributionNamed, distributions, sampleToolsets } from '../../../src/core/batch/distributions';
import { PythonRandom } from '../../../src/core/batch/pythonRandom';
import { selectTasks, pythonSlice } from '../../../src/core/batch/selectTasks';

const hash = (text: string): string => `h${text.length}`;
const tasksNamed = (...ids: string[]) =>
  readDataset(ids.map((id) => JSON.stringify({ id, prompt: 'Do it.' })).join('\n'), hash).tasks;
const idsOf = (tasks: readonly { readonly id: string }[]): string => tasks.map(({ id }) => id).join('');

describe('tasks of a batch', () => {
  it('are read from Hermes Agent and SWE-bench lines; lines without a prompt are skipped and reported', () => {
    const { tasks, problems } = readDataset(
      [
        '{"prompt": "Say hello.", "docker_image": "alpine", "cwd": "app"}',
        '',
        '{"image": "alpine"}',
        'no json',
        '{"instance_id": "a__b-1", "problem_statement": "It breaks.", "repo": "a/b", "base_commit": "abc", "FAIL_TO_PASS": "[\\"t1\\"]", "PASS_TO_PASS": ["t2"], "test_patch": "diff"}',
      ].join('\n'),
      hash,
    );
    assert.deepEqual(
      tasks.map(({ index, prompt, image, cwd, repo, commit }) => ({ index, prompt, image, cwd, repo, commit })),
      [
        { index: 0, prompt: 'Say hello.', image: 'alpine', cwd: 'app', repo: undefined, commit: undefined },
        { index: 1, prompt: 'It breaks.', image: undefined, cwd: undefined, repo: 'a/b', commit: 'abc' },
      ],
    );
    assert.deepEqual(tasks[1]!.checks, { failToPass: ['t1'], passToPass: ['t2'], patch: 'diff' });
    assert.deepEqual(
      problems.map((problem) => problem.split(' is ')[0]),
      ['Line 3', 'Line 4'],
    );
  });

  it('are read although a field is misspelled, which is reported once', () => {
    const lines = [{ promt: 'a' }, { prompt: 'b', toolset: ['x'] }, { prompt: 'c', toolset: ['x'], hints_text: 'y' }];
    const { tasks, problems } = readDataset(lines.map((line) => JSON.stringify(line)).join('\n'), () => '1');
    assert.deepEqual(
      tasks.map(({ prompt }) => prompt),
      ['b', 'c'],
    );
    assert.deepEqual(problems, [
      'Line 1 is skipped: it has no prompt. Did you mean "prompt" instead of "promt"?',
      'Line 2: the field "toolset" is not read. Did you mean "toolsets"?',
    ]);
  });

  it('are empty if the list is truncated, and the problem is reported', () => {
    const { tasks, problems } = readDataset('[{"prompt": "One."}, {"pro', hash);
    assert.deepEqual(tasks, []);
    assert.equal(problems.length, 1);
    assert.match(problems[0]!, /^The whole list is skipped: it is not JSON \(/);
  });

  it('keep their ids when lines are reordered, and equal prompts get different ids', () => {
    const [a, b] = ['{"prompt": "One."}', '{"prompt": "Another."}'];
    const one = readDataset([a, b, a].join('\n'), hash).tasks.map(({ id }) => id);
    const other = readDataset([b, a, a].join('\n'), hash).tasks.map(({ id }) => id);
    assert.equal(new Set(one).size, 3);
    assert.deepEqual([...one].sort(), [...other].sort());
  });

  it('are shuffled in the same order as in Python', () => {
    assert.deepEqual(new PythonRandom(42).shuffled([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), [7, 3, 2, 8, 5, 6, 9, 4, 0, 1]);
    assert.equal(new PythonRandom(2 ** 40 + 5).shuffled([...'abcdefgh']).join(''), 'bcdghafe');
    const numbers = new PythonRandom(7);
    assert.deepEqual([numbers.random(), numbers.random()], [0.32383276483316237, 0.15084917392450192]);
  });

  it('are sliced as Python slices a list', () => {
    const letters = [...'abcdef'];
    const cases: [string, string][] = [
      ['0:2', 'ab'],
      ['4:', 'ef'],
      [':-4', 'ab'],
      ['-2:', 'ef'],
      ['::2', 'ace'],
      ['::-1', 'fedcba'],
      ['4:1:-2', 'ec'],
      ['10:20', ''],
    ];
    for (const [spec, wanted] of cases) assert.equal(pythonSlice(letters, spec).join(''), wanted, spec);
    for (const wrong of ['5', 'a:b', '::0']) assert.throws(() => pythonSlice(letters, wrong), /not a slice/);
  });

  it('are filtered by id prefix before they are sliced', () => {
    const tasks = tasksNamed('xb', 'a1', 'ba', 'a2', 'a3');
    assert.equal(idsOf(selectTasks(tasks, { filter: 'a', slice: '1:' })), 'a2a3');
    assert.equal(idsOf(selectTasks(tasks, { filter: 'none' })), '');
    assert.equal(idsOf(selectTasks(tasks, { maxSamples: 2 })), 'xba1');
    assert.throws(() => selectTasks(tasks, { filter: '(' }), /not a regular expression/);
  });
});

describe('distributions of toolsets', () => {
  it('are the 17 distributions of Hermes Agent', () => {
    assert.equal(distributions.length, 17);
    assert.deepEqual(distributionNamed('development', () => true).toolsets, {
      terminal: 80,
      file: 80,
      moa: 60,
      web: 30,
      vision: 10,
    });
    assert.throws(() => distributionNamed('nothing', () => true), /no distribution nothing/);
    assert.throws(() => distributionNamed('minimal', (name) => name === 'file'), /does not have/);
  });

  it('draw each toolset with its own probability, and the most likely one if none is drawn', () => {
    const development = distributionNamed('development', () => true);
    const numbers = new PythonRandom(1);
    const counts = new Map<string, number>();
    for (let round = 0; round < 4000; round++)
      for (const toolset of sampleToolsets(
        development,
        () => true,
        () => numbers.random(),
      ))
        counts.set(toolset, (counts.get(toolset) ?? 0) + 1);
    for (const [toolset, percent] of Object.entries(development.toolsets)) {
      const share = (counts.get(toolset) ?? 0) / 40;
      assert.ok(Math.abs(share - percent) < 3, `${toolset}: ${share} % in place of ${percent} %`);
    }
    assert.deepEqual(
      sampleToolsets(
        development,
        () => true,
        () => 0.999,
      ),
      ['terminal'],
    );
  });
});
