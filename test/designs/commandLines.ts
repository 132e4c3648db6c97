import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { designOf, eventsOf, jsonLinesOf, states, tells } from './support/statement';
import { bash, bashSubmit, costly, reply, shell } from './support/replies';
import type { Machine } from '../cli/support/commandLine';

/** Runs `waymark run` with these arguments, adding only the address of the server and the log. */
const typed = (machine: Machine, ...words: readonly string[]) =>
  machine.start(['run', ...words, '--base-url', machine.server.baseUrl, '--log', machine.log]).ended;

designOf('LINE', () => {
  tells('LINE-01', 'mini accepts its task with -t or --task, its model with -m and yolo mode with -y', {
    script: [bash('rm -rf precious'), bashSubmit],
    story: async (machine) => {
      machine.workspace.place('precious/file.txt', 'x');
      const { code, stderr } = await typed(machine, '-t', 'Clean up.', '-m', 'gpt-5', '-y', '--profile', 'mini');
      assert.equal(code, 0, stderr);
      assert.equal(machine.server.requests[0]!.body.model, 'gpt-5');
      assert.match(JSON.stringify(machine.server.requests[0]!.body.messages), /Clean up\./);
      assert.ok(!machine.workspace.names().includes('precious'));
    },
  });

  for (const [number, flag] of [
    [2, '-c'],
    [3, '-l'],
    [4, '--cost-limit'],
  ] as const)
    tells(`LINE-0${number}`, `mini accepts its cost limit with ${flag}`, {
      script: [costly(bash('echo one'))],
      story: async (machine) => {
        const words = ['--task', 'Spend.', '--model', 'gpt-5', '--yolo', '--profile', 'mini', flag, '0.5'];
        const { code, stderr } = await typed(machine, ...words);
        assert.equal(code, 2, stderr);
        assert.equal(machine.server.requests.length, 1);
      },
      ours:
        flag === '-c'
          ? 'In mini, -c names a configuration file and -l the limit. Waymark accepts a number, and names the alternatives to a file.'
          : undefined,
    });

  tells('LINE-05', 'for mini -c with a configuration file, the message names the alternatives', {
    script: [reply('Hello.')],
    story: async (machine) => {
      const { code, stderr } = await typed(machine, '-t', 'Greet.', '-m', 'gpt-5', '-c', 'mini.yaml');
      assert.equal(code, 1);
      assert.match(stderr, /--profile/);
      assert.match(stderr, /--templates/);
      assert.equal(machine.server.requests.length, 0);
    },
  });

  tells('LINE-06', 'mini writes its trajectory to the file given by -o', {
    script: [bash('echo one'), bashSubmit],
    story: async (machine) => {
      const out = machine.workspace.at('run.traj.json');
      const { code, stderr } = await typed(machine, '-t', 'Go.', '-m', 'gpt-5', '-y', '--profile', 'mini', '-o', out);
      assert.equal(code, 0, stderr);
      const { info, trajectory_format: format } = JSON.parse(fs.readFileSync(out, 'utf8'));
      assert.deepEqual([info.exit_status, format], ['Submitted', 'mini-swe-agent-1.1']);
    },
  });

  states('LINE-07', 'Hermes accepts --max_turns, with an underscore', {
    command: ['--profile', 'hermes', '--confirm', 'never', '--max_turns', '1'],
    script: [shell('echo one'), reply('I did one thing.')],
    exit: 2,
  });

  states('LINE-08', 'the mode that asks nothing is called yolo', {
    command: ['--profile', 'mini', '--mode', 'yolo'],
    files: { 'precious/file.txt': 'x' },
    script: [bash('rm -rf precious'), bashSubmit],
    exit: 0,
    log: (events) => assert.equal(eventsOf(events, 'task_started')[0]?.mode, 'auto'),
    folder: (names) => assert.deepEqual(names, []),
  });

  states('LINE-09', 'the model of the verifier and the temperature of the candidates can be set', {
    command: [
      '--profile',
      'mini',
      '--confirm',
      'never',
      '--candidates',
      '2',
      '--verifier',
      'llm',
      '--verifier-model',
      'gpt-4o-mini',
      '--sampling-temperature',
      '0.9',
      '--model',
      'gpt-4o',
    ],
    script: [bash('echo first'), bashSubmit, reply('Choice: 2')],
    exit: 0,
    requests(requests) {
      assert.deepEqual(
        requests.map(({ model }) => model),
        ['gpt-4o', 'gpt-4o', 'gpt-4o-mini'],
      );
      assert.deepEqual([requests[0]!['temperature'], requests[1]!['temperature']], [0.9, 0.9]);
    },
  });

  states('LINE-10', 'prices of an unknown model can be given, and its cost counts', {
    command: [
      '--profile',
      'mini',
      '--confirm',
      'never',
      '--model',
      'a-model-of-the-house',
      '--prices',
      '{"a-model-of-the-house":{"input":2,"output":8}}',
      '--max-cost',
      '0.5',
    ],
    script: [costly(bash('echo one'))],
    exit: 2,
    requests: (requests) => assert.equal(requests.length, 1),
    log: (events) => assert.ok((eventsOf(events, 'agent_response')[0]?.usage.cost ?? 0) >= 2),
  });

  states('LINE-11', 'with --json, a text answer ends with finished, like every other end', {
    command: ['--json'],
    script: [reply('It is 42.')],
    exit: 0,
    prints({ stdout }) {
      const last = JSON.parse(stdout.trimEnd().split('\n').at(-1)!);
      assert.deepEqual([last.type, last.status, last.summary], ['finished', 'submitted', 'It is 42.']);
    },
  });

  tells('LINE-12', 'continuing a waiting run prints the waiting actions before exit code 3', {
    script: [shell('rm -rf precious')],
    story: async (machine) => {
      machine.workspace.place('precious/file.txt', 'x');
      const first = await machine.run('Clean up.', '--json', '--dialect', 'waymark');
      assert.equal(first.code, 3);
      const again = await machine.run('Go on.', '--json');
      assert.equal(again.code, 3);
      const lines = again.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      const asked = lines.find(({ type }) => type === 'confirmation_requested');
      assert.ok(asked, again.stdout);
      const said = lines.find(({ type }) => type === 'agent_response');
      assert.deepEqual(
        said.actions.map(({ id }: { id: string }) => id),
        asked.actionIds,
      );
      assert.equal(jsonLinesOf(machine.log).filter(({ type }) => type === 'agent_response').length, 1);
    },
  });
});
