import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { answer, failure } from '../support/modelServer';
import { designOf, eventsOf, exported, jsonLinesOf, lastOf, rolesOf, states, tells } from './support/statement';
import { reply, shell, toolCall } from './support/replies';

const hermes = ['--profile', 'hermes', '--confirm', 'never'];

designOf('HERMES', () => {
  states('HERMES-01', 'model and base_url are chosen for an agent', {
    command: [...hermes, '--model', 'gpt-5-mini'],
    script: [reply('Hello.')],
    exit: 0,
    requests: ([first]) => assert.equal(first!.model, 'gpt-5-mini'),
  });

  states('HERMES-02', 'max_turns limits the number of model calls', {
    command: [...hermes, '--max-turns', '2'],
    script: [shell('echo one'), shell('echo two'), reply('I did two things.')],
    exit: 2,
    ours: 'After the last turn, the model summarizes in one more call without tools, as in the code of Hermes.',
    requests(requests) {
      assert.equal(requests.filter(({ tools = [] }) => tools.length > 0).length >= 2, true);
      assert.equal(requests.length, 3);
    },
    log: (events) => assert.equal(eventsOf(events, 'observation').length, 2),
  });

  states('HERMES-03', 'enabled_toolsets are the tools offered to the model', {
    command: [...hermes, '--toolsets', 'terminal'],
    script: [reply('Hello.')],
    exit: 0,
    requests([first]) {
      const names = first!.tools!.map((tool) => tool['function'].name);
      assert.ok(names.includes('terminal'), names.join());
      assert.ok(!names.includes('write_file'), names.join());
    },
  });

  states('HERMES-04', 'disabled_toolsets are not offered', {
    command: [...hermes, '--disable-toolsets', 'terminal'],
    script: [reply('Hello.')],
    exit: 0,
    requests: ([first]) =>
      assert.ok(!first!.tools!.some((tool) => tool['function'].name === 'terminal'), 'no shell is offered'),
  });

  states('HERMES-05', 'tool calls are executed, their results added, and the model is called again', {
    command: hermes,
    script: [shell('echo one', 'echo two'), reply('Both ran.')],
    exit: 0,
    requests([, second]) {
      assert.deepEqual(rolesOf(second!), ['system', 'user', 'assistant', 'tool', 'tool']);
      const calls = second!.messages[2]!['tool_calls'].map(({ id }: { id: string }) => id);
      assert.deepEqual(
        second!.messages.slice(3).map(({ tool_call_id: id }) => id),
        calls,
      );
      assert.match(second!.messages[3]!['content'], /one/);
      assert.match(lastOf(second!).content, /two/);
    },
  });

  states('HERMES-06', 'a text response is returned to the user and ends the loop', {
    command: hermes,
    script: [reply('The answer is 42.')],
    exit: 0,
    prints: ({ stdout }) => assert.match(stdout, /The answer is 42\./),
  });

  states('HERMES-07', 'messages follow the OpenAI format', {
    command: hermes,
    task: 'Search for Python tutorials',
    script: [shell('echo found'), reply('Here is what I found.')],
    exit: 0,
    requests([first, second]) {
      assert.equal(first!.messages[0]!['role'], 'system');
      assert.match(first!.messages[1]!['content'], /Search for Python tutorials/);
      assert.equal(second!.messages[2]!['role'], 'assistant');
      assert.equal(second!.messages[2]!['content'] ?? '', '');
    },
  });

  states('HERMES-08', 'reasoning_content is read and sent back in later turns', {
    command: hermes,
    script: [
      (request, index) => {
        const { body } = request;
        const tool = body.tools![0]!['function'].name;
        assert.equal(index, 0);
        assert.ok(tool);
        return answer({ reasoning: 'I must look first.', calls: [{ tool: 'terminal', input: { command: 'ls' } }] });
      },
      reply('Nothing there.'),
    ],
    exit: 0,
    requests: ([, second]) => assert.equal(second!.messages[2]!['reasoning_content'], 'I must look first.'),
  });

  tells('HERMES-09', 'reasoning is kept for the trajectory', {
    script: [
      answer({ reasoning: 'I must look first.', calls: [{ tool: 'terminal', input: { command: 'ls' } }] }),
      reply('Nothing there.'),
    ],
    story: async (machine) => {
      assert.equal((await machine.run('Look.', ...hermes)).code, 0);
      const { conversations } = await exported(machine, 'sharegpt');
      const [said] = conversations.filter(({ from }: { from: string }) => from === 'gpt');
      assert.match(said.value, /<think>\nI must look first\.\n<\/think>/);
    },
  });

  tells('HERMES-10', 'save_trajectories appends each conversation to a file in the ShareGPT format', {
    script: [shell('echo one'), reply('Done.'), reply('Again.')],
    story: async (machine) => {
      const options = [...hermes, '--save-trajectories', 'trajectories'];
      assert.equal((await machine.run('Do something.', ...options)).code, 0);
      const file = machine.workspace.at('trajectories/trajectory_samples.jsonl');
      const [line, ...more] = jsonLinesOf(file);
      assert.deepEqual([Object.keys(line), more.length], [['conversations', 'timestamp', 'model', 'completed'], 0]);
      assert.equal(line.completed, true);
      assert.deepEqual(
        line.conversations.map(({ from }: { from: string }) => from),
        ['system', 'human', 'gpt', 'tool', 'gpt'],
      );
      assert.match(line.conversations[1].value, /Do something\./);
      assert.equal((await machine.run('Once more.', ...options)).code, 0);
      assert.equal(jsonLinesOf(file).length, 2, 'a later conversation is a further line');
    },
  });

  tells('HERMES-11', 'a failed conversation is written to a separate file', {
    script: [failure(401, 'bad key')],
    story: async (machine) => {
      const { code } = await machine.run('Try.', ...hermes, '--save-trajectories', 'trajectories');
      assert.equal(code, 1);
      const [line] = jsonLinesOf(machine.workspace.at('trajectories/failed_trajectories.jsonl'));
      assert.equal(line.completed, false);
      assert.ok(!machine.workspace.names().includes('trajectories/trajectory_samples.jsonl'));
    },
  });

  tells('HERMES-12', 'chat can be called again: the conversation continues with the earlier messages', {
    script: [reply('I am a helper.'), reply('You asked who I am.')],
    story: async (machine) => {
      assert.equal((await machine.run('Who are you?', ...hermes)).code, 0);
      assert.equal((await machine.run('What did I ask?')).code, 0);
      assert.deepEqual(rolesOf(machine.server.requests[1]!.body), ['system', 'user', 'assistant', 'user']);
      assert.equal(lastOf(machine.server.requests[1]!.body).content, 'What did I ask?');
    },
  });

  states('HERMES-13', 'there is a toolset web', {
    command: [...hermes, '--toolsets', 'terminal,web'],
    script: [reply('Hello.')],
    exit: 0,
    ours: 'It reads pages by URL (fetch_url). An MCP server searches.',
    requests([request]) {
      const names = request!.tools!.map((tool) => String(tool.function.name));
      assert.ok(names.includes('fetch_url') && names.includes('terminal'), names.join());
    },
  });

  states('HERMES-14', 'there is a toolset vision', {
    command: [...hermes, '--toolsets', 'terminal,vision'],
    script: [reply('Hello.')],
    exit: 1,
    ours: 'Waymark has no such tool. It says so, and names the alternative.',
    requests: (requests) => assert.equal(requests.length, 0),
    prints({ stderr }) {
      assert.match(stderr, /\bvision\b/);
      assert.match(stderr, /image|picture/i);
    },
  });

  tells(
    'HERMES-15',
    'batch_runner processes the prompts of a file with several workers, and a checkpoint records which are done',
    {
      script: Array.from({ length: 3 }, () => reply('It is done.')),
      story: async (machine) => {
        const prompts = ['First.', 'Second.', 'Third.'].map((prompt) => `${JSON.stringify({ prompt })}\n`);
        machine.workspace.place('prompts.jsonl', prompts.join(''));
        const flags = ['--dataset_file=prompts.jsonl', '--batch_size=20', '--num_workers=4', '--run_name=my_run'];
        const model = ['--base-url', machine.server.baseUrl, '--model', 'gpt-5', '--keep-without-reasoning'];
        const batch = () => machine.start(['batch', ...flags, ...hermes, ...model, '--resume']).ended;
        const { code, stdout, stderr } = await batch();
        assert.equal(code, 0, `${stdout}\n${stderr}`);
        assert.equal(jsonLinesOf(machine.workspace.at('data/my_run/trajectories.jsonl')).length, 3);
        const checkpoint = fs.readFileSync(machine.workspace.at('data/my_run/checkpoint.json'), 'utf8');
        assert.deepEqual(JSON.parse(checkpoint).completed_prompts, [0, 1, 2]);
        assert.equal((await batch()).code, 0);
        assert.equal(machine.server.requests.length, 3, 'what is done is not done again');
      },
      ours: 'The command is waymark batch; --resume continues from the checkpoint, as in the code of Hermes.',
    },
  );

  states('HERMES-16', 'verbose_logging shows the actions', {
    command: [...hermes, '--json'],
    script: [toolCall('terminal', { command: 'echo seen' }), reply('Done.')],
    exit: 0,
    prints: ({ stdout }) => assert.match(stdout, /"type":"observation".*seen/),
  });
});
