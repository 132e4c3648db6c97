import { strict as assert } from 'node:assert';
import { until } from '../cli/support/commandLine';
import { designOf, eventsOf, exported, lastOf, states, tells } from './support/statement';
import { reply, structured } from './support/replies';

const graph = ['--profile', 'workgraph', '--confirm', 'never'];
const command = (text: string) => ['run_command', { command: text }] as const;

designOf('GRAPH', () => {
  states('GRAPH-01', 'the reasoner reads the user input', {
    command: graph,
    task: 'Visit the page.',
    script: [structured('Completed', 'There is no page.')],
    exit: 0,
    requests: ([first]) => assert.match(lastOf(first!).content, /Visit the page\./),
  });

  states('GRAPH-02', 'user_profile, context, trigger_action and metadata are additional inputs', {
    command: [
      ...graph,
      '--input',
      'user_profile=A teacher from Riga',
      '--input',
      'context=@notes.md',
      '--input',
      'trigger_action=Button.Clicked',
      '--input',
      'metadata={"session":"s-7"}',
    ],
    files: { 'notes.md': 'The lesson begins at nine.\n' },
    script: [structured('Completed', 'Fine.')],
    exit: 0,
    requests([first]) {
      const { content } = lastOf(first!);
      assert.match(content, /A teacher from Riga/);
      assert.match(content, /The lesson begins at nine\./);
      assert.match(content, /Button\.Clicked/);
      assert.match(content, /s-7/);
    },
  });

  states('GRAPH-03', 'each reply contains an instant response, next actions and the state of the task', {
    command: graph,
    script: [structured('Ongoing', 'I print one.', [command('echo one')]), structured('Completed', 'One was printed.')],
    exit: 0,
    log(events) {
      const [said] = eventsOf(events, 'agent_response');
      assert.equal(said!.text, 'I print one.');
      assert.equal(said!.actions.length, 1);
      assert.ok(said!.taskState);
    },
  });

  states('GRAPH-04', 'a completed reply ends the loop', {
    command: graph,
    script: [structured('Completed', 'Nothing to do.')],
    exit: 0,
    requests: (requests) => assert.equal(requests.length, 1),
    log: (events) => assert.equal(eventsOf(events, 'finished')[0]?.status, 'submitted'),
  });

  states('GRAPH-05', 'otherwise its actions are executed, and action_results feed the next reasoning step', {
    command: graph,
    script: [
      structured('Ongoing', 'I print.', [command('echo from-the-action')]),
      structured('Completed', 'It was printed.'),
    ],
    exit: 0,
    requests: ([, second]) => assert.match(lastOf(second!).content, /from-the-action/),
  });

  states('GRAPH-06', 'action_results are raw data for the machine, created after each action', {
    command: [...graph, '--json'],
    script: [
      structured('Ongoing', 'I print.', [command('echo one; exit 3'), command('echo two')]),
      structured('Completed', 'Both ran.'),
    ],
    exit: 0,
    log(events) {
      const codes = eventsOf(events, 'observation').map(({ details }) =>
        details?.kind === 'command' ? details.exitCode : undefined,
      );
      assert.deepEqual(codes, [3, 0]);
    },
  });

  states('GRAPH-07', 'agent_results are structured summaries for people, created only at completion', {
    command: [...graph, '--json'],
    script: [
      structured('Ongoing', 'I write.', [command('echo x > made.txt')]),
      structured('Completed', 'made.txt was written.'),
    ],
    exit: 0,
    log(events) {
      const withResults = events.filter((event) => 'results' in event);
      assert.deepEqual(
        withResults.map(({ type }) => type),
        ['finished'],
      );
      const [result, ...more] = eventsOf(events, 'finished')[0]!.results!;
      assert.equal(more.length, 0);
      assert.deepEqual(Object.keys(result!).sort(), ['action', 'files', 'id', 'state', 'summary']);
      assert.equal(result!.state, 'ok');
      assert.match(result!.summary, /echo x/);
    },
    prints: ({ stdout }) => assert.match(stdout, /"type":"finished"[^\n]*"results":\[\{/),
  });

  states('GRAPH-08', 'a result names its action and source', {
    command: graph,
    script: [
      structured('Ongoing', 'I write.', [['write_file', { path: 'made.txt', content: 'x' }]]),
      structured('Completed', 'made.txt was written.'),
    ],
    exit: 0,
    log(events) {
      const [result] = eventsOf(events, 'finished')[0]!.results!;
      assert.deepEqual([result!.action, result!.files], ['write_file', ['made.txt']]);
    },
  });

  tells('GRAPH-09', 'workflow control is checked in every loop: in step mode, each loop halts until it is released', {
    script: [structured('Ongoing', 'I print.', [command('echo one')]), structured('Completed', 'One was printed.')],
    story: async (machine) => {
      const { ended } = machine.start(machine.args('Print.', ...graph, '--step'));
      const halts = (): number => eventsOf(machine.events(), 'paused').length;
      await until('the first halt', () => halts() === 1);
      assert.equal(eventsOf(machine.events(), 'action_started').length, 0);
      assert.equal((await machine.start(['control', machine.log, 'step']).ended).code, 0);
      await until('the second halt', () => halts() === 2);
      assert.equal(eventsOf(machine.events(), 'observation').length, 1);
      assert.equal((await machine.start(['control', machine.log, 'resume']).ended).code, 0);
      assert.equal((await ended).code, 0);
    },
  });

  tells('GRAPH-10', 'a run is paused and resumed from outside', {
    script: [
      structured('Ongoing', 'I wait.', [command('echo x > begun.txt; while [ ! -e go.txt ]; do sleep 0.05; done')]),
      structured('Completed', 'I waited.'),
    ],
    story: async (machine) => {
      const { ended } = machine.start(machine.args('Wait.', ...graph));
      await until('the command', () => machine.workspace.names().includes('begun.txt'));
      const paused = await machine.start(['control', machine.log, 'pause']).ended;
      assert.equal(paused.code, 0, paused.stderr);
      machine.workspace.place('go.txt', '');
      await until('the halt', () => eventsOf(machine.events(), 'paused').length === 1);
      assert.equal(machine.server.requests.length, 1);
      const resumed = await machine.start(['control', machine.log, 'resume']).ended;
      assert.equal(resumed.code, 0, resumed.stderr);
      assert.equal((await ended).code, 0);
      assert.equal(machine.server.requests.length, 2);
    },
  });

  tells('GRAPH-11', 'a run is stopped from outside, with the results so far', {
    script: [structured('Ongoing', 'I wait.', [command('echo x > begun.txt; sleep 600')])],
    story: async (machine) => {
      const { ended } = machine.start(machine.args('Wait.', ...graph));
      await until('the command', () => machine.workspace.names().includes('begun.txt'));
      const stopped = await machine.start(['control', machine.log, 'stop']).ended;
      assert.equal(stopped.code, 0, stopped.stderr);
      assert.equal((await ended).code, 130);
      const [end] = eventsOf(machine.events(), 'finished');
      assert.equal(end?.status, 'stopped');
      assert.ok(end?.results);
      const late = await machine.start(['control', machine.log, 'pause']).ended;
      assert.equal(late.code, 1);
      assert.match(late.stderr, /No Waymark run/);
    },
  });

  states('GRAPH-12', 'a plain-text reply is an answer to the user', {
    command: graph,
    script: [reply('What page do you mean?')],
    exit: 0,
    prints: ({ stdout }) => assert.match(stdout, /What page do you mean\?/),
  });

  tells('GRAPH-13', 'agent_results are the output of a run: each format that can store them keeps them', {
    script: [
      structured('Ongoing', 'I write.', [['write_file', { path: 'made.txt', content: 'x' }]]),
      structured('Completed', 'made.txt was written.'),
    ],
    story: async (machine) => {
      assert.equal((await machine.run('Write.', ...graph)).code, 0);
      const [end] = eventsOf(machine.events(), 'finished');
      assert.equal(end!.results!.length, 1);
      assert.deepEqual((await exported(machine, 'atif')).extra.agent_results, end!.results);
      assert.deepEqual((await exported(machine, 'mini')).info.agent_results, end!.results);
      for (const format of ['sharegpt', 'openai']) {
        const { stdout, stderr } = await machine.start(['export', machine.log, '--to', format, '--out', '-']).ended;
        assert.doesNotMatch(stdout, /agent_results/);
        assert.match(stderr, /cannot store the list of results \(agent_results\), so it is omitted\./);
      }
    },
  });

  states('GRAPH-14', 'action_results can also be an input of the first step', {
    command: [...graph, '--input', 'action_results={"page":"was open before"}'],
    script: [structured('Completed', 'It was open.')],
    exit: 0,
    requests: ([first]) => assert.match(lastOf(first!).content, /was open before/),
  });
});
