import { strict as assert } from 'node:assert';
import { until } from '../cli/support/commandLine';
import { failure } from '../support/modelServer';
import { designOf, eventsOf, lastOf, rolesOf, states, tells } from './support/statement';
import { reply, shell, toolCall } from './support/replies';

const hands = ['--profile', 'openhands'];

/** The name of a question as reported with exit code 3. */
const namesIn = (stderr: string): string[] => [
  ...new Set([...stderr.matchAll(/--approve(?:-outside)? ([0-9a-f,]+)/g)].map(([, name]) => name!)),
];

designOf('HANDS', () => {
  tells('HANDS-01', 'the agent is stateless: a killed run continues from its events', {
    script: [shell('echo one > one.txt'), { ...reply('Too late.'), delayMs: Infinity }, reply('One is there.')],
    story: async (machine) => {
      const { child, ended } = machine.start(machine.args('Make one.', ...hands, '--confirm', 'never'));
      await until('the second request', () => machine.server.requests.length === 2);
      child.kill('SIGKILL');
      await ended;
      assert.equal((await machine.run('Go on.')).code, 0);
      assert.deepEqual(rolesOf(machine.server.requests[2]!.body), ['system', 'user', 'assistant', 'tool', 'user']);
    },
  });

  states('HANDS-02', 'a reply becomes action events, their results observation events', {
    command: [...hands, '--confirm', 'never'],
    script: [shell('echo one', 'echo two'), reply('Done.')],
    exit: 0,
    log(events) {
      const [said] = eventsOf(events, 'agent_response');
      assert.deepEqual(
        eventsOf(events, 'observation').map(({ actionId }) => actionId),
        said!.actions.map(({ id }) => id),
      );
    },
  });

  states('HANDS-03', 'a text message is an event, and ends the turn', {
    command: hands,
    script: [reply('It is fine.')],
    exit: 0,
    requests: (requests) => assert.equal(requests.length, 1),
    prints: ({ stdout }) => assert.match(stdout, /It is fine\./),
  });

  states('HANDS-04', 'when the context window is exceeded, a condensation is requested, and the run continues', {
    command: [...hands, '--confirm', 'never'],
    script: [
      ...Array.from({ length: 6 }, (_, index) => shell(`echo ${index}`)),
      failure(400, {
        message: "This model's maximum context length is 8192 tokens. Your messages resulted in 9000 tokens.",
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      }),
      reply('Numbers were printed.'),
      reply('Done.'),
    ],
    exit: 0,
    log(events) {
      assert.equal(eventsOf(events, 'condensation_requested').length, 1);
      assert.equal(eventsOf(events, 'condensation').length, 1);
    },
  });

  states('HANDS-05', 'a high-risk action is blocked until a person agrees', {
    command: hands,
    files: { 'precious/file.txt': 'x' },
    script: [shell('rm -rf precious')],
    exit: 3,
    folder: (names) => assert.ok(names.includes('precious/file.txt')),
    log: (events) => assert.equal(eventsOf(events, 'confirmation_requested').length, 1),
  });

  states('HANDS-06', 'if one action of a reply needs approval, none of the reply runs before it', {
    command: hands,
    files: { 'precious/file.txt': 'x' },
    script: [shell('touch made.txt', 'rm -rf precious')],
    exit: 3,
    folder: (names) => assert.deepEqual(names, ['precious', 'precious/file.txt']),
    log(events) {
      assert.equal(eventsOf(events, 'action_started').length, 0);
      assert.equal(eventsOf(events, 'observation').length, 0);
    },
  });

  tells('HANDS-07', 'after approval, all pending actions are executed before the next model call', {
    script: [shell('touch made.txt', 'rm -rf precious'), reply('Done.')],
    story: async (machine) => {
      machine.workspace.place('precious/file.txt', 'x');
      const first = await machine.run('Clean up.', ...hands);
      assert.equal(first.code, 3, first.stderr);
      const names = namesIn(first.stderr);
      assert.ok(names.length > 0, first.stderr);
      const second = await machine.run('', '--approve', names[0]!);
      assert.equal(second.code, 0, second.stderr);
      assert.deepEqual(machine.workspace.names(), ['made.txt']);
      assert.equal(machine.server.requests.length, 2);
    },
  });

  tells('HANDS-08', 'running again executes the pending actions', {
    script: [shell('rm -rf precious'), reply('Done.')],
    story: async (machine) => {
      machine.workspace.place('precious/file.txt', 'x');
      assert.equal((await machine.run('Clean up.', ...hands)).code, 3);
      const again = await machine.run('Go on.');
      assert.equal(again.code, 3);
      assert.ok(machine.workspace.names().includes('precious/file.txt'));
      assert.match(again.stderr, /[Rr]unning it again|[Cc]ontinuing|again/);
      assert.match(again.stderr, /--approve/);
    },
    ours: 'Running again approves nothing in Waymark: an approval names the action. The message at exit code 3 says so.',
  });

  states('HANDS-09', 'a low-risk action is executed at once', {
    command: hands,
    script: [shell('ls'), reply('Nothing there.')],
    exit: 0,
    log(events) {
      assert.equal(eventsOf(events, 'agent_response')[0]?.actions[0]?.risk.level, 'low');
      assert.equal(eventsOf(events, 'confirmation_requested').length, 0);
    },
  });

  states('HANDS-10', 'a medium-risk action is executed, and a warning is logged', {
    command: hands,
    script: [shell('mkdir -p out && cp -r out copy'), reply('Copied.')],
    files: {},
    exit: 0,
    log: (events) => assert.equal(eventsOf(events, 'agent_response')[0]?.actions[0]?.risk.level, 'medium'),
    prints: ({ stdout }) => assert.match(stdout, /ran, medium risk: \S/),
  });

  states('HANDS-11', 'in confirmation mode every action stays pending, even if its risk is low', {
    command: [...hands, '--confirm', 'always'],
    script: [shell('ls')],
    exit: 3,
    log: (events) => assert.equal(eventsOf(events, 'observation').length, 0),
  });

  states('HANDS-12', 'a repo skill is always part of the system prompt', {
    command: [...hands, '--agree', 'skills'],
    files: { 'AGENTS.md': 'Use tabs in this project.\n' },
    script: [reply('Fine.')],
    exit: 0,
    requests: ([first]) => assert.match(first!.messages[0]!['content'], /Use tabs in this project\./),
  });

  states('HANDS-13', 'a knowledge skill is added to the user message that triggers it', {
    command: [...hands, '--agree', 'skills'],
    task: 'Make tea.',
    files: { '.openhands/skills/brew.md': '---\nname: brew\ntriggers: [tea]\n---\nUse leaves, not bags.\n' },
    script: [reply('Fine.')],
    exit: 0,
    requests([first]) {
      assert.doesNotMatch(first!.messages[0]!['content'], /Use leaves/);
      assert.match(lastOf(first!).content, /Make tea\.[^]*Use leaves/);
    },
  });

  states('HANDS-14', 'a conversation can have a prefix and a suffix of the system prompt', {
    command: [...hands, '--prompt-prefix', 'You speak Dutch.', '--prompt-suffix', 'Never touch legacy code.'],
    script: [reply('Goed.')],
    exit: 0,
    requests([first]) {
      const { role, content } = first!.messages[0]!;
      assert.equal(role, 'system');
      assert.ok(content.startsWith('You speak Dutch.'));
      assert.ok(content.trimEnd().endsWith('Never touch legacy code.'));
    },
  });

  states('HANDS-15', 'a failed action leaves an observation with the error, and the run continues', {
    command: [...hands, '--confirm', 'never'],
    script: [toolCall('no_such_tool', {}), shell('echo fine'), reply('Done.')],
    exit: 0,
    requests: ([, second]) => assert.match(lastOf(second!).content, /no_such_tool/),
    log: (events) =>
      assert.deepEqual(
        eventsOf(events, 'observation').map(({ outcome }) => outcome),
        ['error', 'ok'],
      ),
  });

  tells('HANDS-16', 'a run can be paused between steps and resumed, and nothing is lost', {
    script: [shell('echo one'), { ...reply('One.'), delayMs: 1500 }],
    story: async (machine) => {
      const { ended } = machine.start(machine.args('Say one.', ...hands, '--confirm', 'never', '--step'));
      const paused = (): number => eventsOf(machine.events(), 'paused').length;
      await until('the first halt', () => paused() === 1);
      assert.equal((await machine.start(['control', machine.log, 'resume']).ended).code, 0);
      assert.equal((await ended).code, 0);
      assert.equal(eventsOf(machine.events(), 'observation').length, 1);
    },
  });

  states('HANDS-17', 'a condenser returns a view or a condensation; a condensation emits an event and ends the step', {
    command: [...hands, '--confirm', 'never'],
    // Eighty events are the limit of a view; a longer one is condensed before the next request to the model.
    script: [
      ...Array.from({ length: 11 }, (_, turn) =>
        shell(...Array.from({ length: 7 }, (_each, n) => `echo ${turn}.${n}`)),
      ),
      reply('Numbers were printed.'),
      reply('Done.'),
    ],
    exit: 0,
    log(events) {
      assert.equal(eventsOf(events, 'condensation').length, 1);
      const [at, next] = [
        events.findIndex(({ type }) => type === 'condensation'),
        events.findLastIndex(({ type }) => type === 'agent_response'),
      ];
      assert.ok(at < next, 'the model is asked in the step after it');
    },
    requests(requests) {
      assert.equal(requests.length, 13);
      const told = (request: (typeof requests)[number]): string => JSON.stringify(request.messages);
      assert.match(told(requests[10]!), /\b2\.0\b/, 'before that, the whole view is read');
      assert.match(told(requests[12]!), /Numbers were printed\./);
      assert.doesNotMatch(told(requests[12]!), /\b2\.0\b/, 'what is condensed is read no more');
    },
  });
});
