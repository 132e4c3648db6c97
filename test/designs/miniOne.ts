import { strict as assert } from 'node:assert';
import { designOf, eventsOf, exported, lastOf, rolesOf, shownElsewhere, states, tells } from './support/statement';
import { costly, fenced, fencedSubmit, marker, reply } from './support/replies';

const v1 = ['--profile', 'mini-v1', '--confirm', 'never'];

designOf('MINI1', () => {
  tells('MINI1-01', 'run repeats step until the task is finished, and returns the exit status and its text', {
    script: [fenced('echo one'), fenced('echo two'), fencedSubmit],
    story: async (machine) => {
      assert.equal((await machine.run('Count.', ...v1)).code, 0);
      assert.equal(machine.server.requests.length, 3);
      const { info } = await exported(machine, 'mini');
      assert.deepEqual([info.exit_status, info.submission], ['Submitted', 'all done\n']);
    },
  });

  states('MINI1-02', 'each query sends all messages so far', {
    command: v1,
    script: [fenced('echo one'), fenced('echo two'), fencedSubmit],
    exit: 0,
    requests([first, second, third]) {
      assert.deepEqual(rolesOf(third!), ['system', 'user', 'assistant', 'user', 'assistant', 'user']);
      assert.deepEqual(second!.messages.slice(0, 2), first!.messages);
      assert.deepEqual(third!.messages.slice(0, 4), second!.messages);
    },
  });

  states('MINI1-03', 'several candidates are sampled and a verifier picks the one that runs', {
    command: [...v1, '--candidates', '2', '--verifier', 'llm'],
    script: [
      fenced('touch first.txt'),
      fenced(`touch second.txt; echo ${marker}`),
      reply('The second one ends the work. Choice: 2'),
    ],
    exit: 0,
    log(events) {
      const [chosen] = eventsOf(events, 'agent_response');
      assert.deepEqual([chosen?.sampling?.candidates.length, chosen?.sampling?.chosen], [2, 1]);
    },
    folder: (names) => assert.deepEqual(names, ['second.txt']),
  });

  states('MINI1-04', 'without candidate sampling, each step requests one reply and no verifier', {
    command: v1,
    script: [fenced('echo one'), fencedSubmit],
    exit: 0,
    requests: (requests) => assert.equal(requests.length, 2),
    log: (events) => assert.ok(eventsOf(events, 'agent_response').every(({ sampling }) => sampling === undefined)),
  });

  states('MINI1-05', 'the one action of a reply is the shell command that runs', {
    command: v1,
    script: [fenced('printf "%s" "$((6 * 7))" > answer.txt'), fencedSubmit],
    exit: 0,
    folder: (names) => assert.deepEqual(names, ['answer.txt']),
  });

  states('MINI1-06', 'the observation is rendered from a template and added as a user message', {
    command: [...v1, '--templates', 'words'],
    files: { 'words/mini-v1.observation.jinja': 'It printed: {{ output.output }}' },
    script: [fenced('echo hello'), fencedSubmit],
    exit: 0,
    requests([, second]) {
      assert.deepEqual([lastOf(second!).role, lastOf(second!).content.trim()], ['user', 'It printed: hello']);
    },
  });

  shownElsewhere(
    'MINI1-07',
    'a TimeoutError does not end the run: the partial output is shown and the loop continues',
    'Shown by MSA-05 and MSA-06, which do not take thirty seconds.',
  );

  states('MINI1-08', 'a reply without an action is answered with the error as a user message', {
    command: v1,
    script: [reply('I have no command yet.'), fencedSubmit],
    exit: 0,
    requests([first, second]) {
      assert.deepEqual(second!.messages.slice(0, 2), first!.messages, 'the task is as it was');
      assert.deepEqual(rolesOf(second!), ['system', 'user', 'assistant', 'user']);
      assert.match(lastOf(second!).content, /no action|exactly one|holds/i);
    },
  });

  states('MINI1-09', 'a reply with two actions runs neither and is answered with the error', {
    command: v1,
    script: [fenced('touch one.txt', 'touch two.txt'), fencedSubmit],
    exit: 0,
    requests([first, second]) {
      assert.deepEqual(second!.messages.slice(0, 2), first!.messages, 'the task is as it was');
      assert.equal(lastOf(second!).role, 'user');
    },
    folder: (names) => assert.deepEqual(names, []),
  });

  states('MINI1-10', 'format errors never end the run: after five of them it continues', {
    command: v1,
    script: [...Array.from({ length: 5 }, () => reply('Still no command.')), fencedSubmit],
    exit: 0,
    requests: (requests) => assert.equal(requests.length, 6),
  });

  tells('MINI1-11', 'a limit is a TerminatingException: its text is a user message, and run returns LimitsExceeded', {
    script: [fenced('echo one'), fenced('echo two')],
    story: async (machine) => {
      assert.equal((await machine.run('Go on.', ...v1, '--max-steps', '2')).code, 2);
      const { info, messages } = await exported(machine, 'mini');
      assert.equal(info.exit_status, 'LimitsExceeded');
      assert.equal(messages.at(-1).role, 'user');
    },
  });

  tells('MINI1-12', 'a cost limit ends the run as LimitsExceeded, after the call that exceeded it', {
    script: [costly(fenced('echo one'))],
    story: async (machine) => {
      assert.equal((await machine.run('Spend.', ...v1, '--max-cost', '0.5')).code, 2);
      assert.equal(machine.server.requests.length, 1);
      assert.equal((await exported(machine, 'mini')).info.exit_status, 'LimitsExceeded');
    },
  });

  tells(
    'MINI1-13',
    'the conversation is a list of messages with roles system, user and assistant; there is no other role',
    {
      script: [reply('No command.'), fenced('echo one'), fencedSubmit],
      story: async (machine) => {
        assert.equal((await machine.run('Count.', ...v1)).code, 0);
        const { messages, trajectory_format: format } = await exported(machine, 'mini');
        assert.equal(format, 'mini-swe-agent-1');
        assert.deepEqual(
          messages.map(({ role }: { role: string }) => role),
          ['system', 'user', 'assistant', 'user', 'assistant', 'user', 'assistant', 'user'],
        );
        assert.equal(messages.at(-1).content, 'all done\n');
      },
    },
  );

  tells('MINI1-14', 'the chosen message contains the candidates of the verifier', {
    script: [fenced('echo first'), fenced(`echo ${marker}`), reply('The second. Choice: 2')],
    story: async (machine) => {
      const { code } = await machine.run('Choose.', ...v1, '--candidates', '2', '--verifier', 'llm');
      assert.equal(code, 0);
      const { messages } = await exported(machine, 'mini');
      const { verifier } = messages.find(({ role }: { role: string }) => role === 'assistant').extra;
      assert.deepEqual([verifier.enabled, verifier.type, verifier.selected_index], [true, 'llm', 1]);
      assert.deepEqual(
        verifier.candidates.map(({ action }: { action: string }) => action),
        ['echo first', `echo ${marker}`],
      );
      assert.match(verifier.verifier_output.raw_output, /Choice: 2/);
    },
  });

  states('MINI1-15', 'the marker submits after leading blank lines, and the older marker does too', {
    command: v1,
    script: [fenced(`printf '\\n\\n  MINI_SWE_AGENT_FINAL_OUTPUT\\nthe work\\n'`)],
    exit: 0,
    log: (events) => assert.equal(eventsOf(events, 'finished')[0]?.summary, 'the work\n'),
  });

  states('MINI1-16', 'the marker of a failed command submits nothing', {
    command: v1,
    script: [fenced(`echo ${marker}; exit 1`), fencedSubmit],
    exit: 0,
    ours: 'The document does not say. Version 1 checks the exit code since 1.17.4; earlier versions submitted.',
    requests: (requests) => assert.equal(requests.length, 2),
  });
});
