import { strict as assert } from 'node:assert';
import { until } from '../cli/support/commandLine';
import { sitDown } from '../cli/support/sitDown';
import { failure } from '../support/modelServer';
import { designOf, eventsOf, exported, lastOf, rolesOf, shownElsewhere, states, tells } from './support/statement';
import { bash, bashSubmit, costly, marker, reply } from './support/replies';

const v2 = ['--profile', 'mini', '--confirm', 'never'];

designOf('MINI2', () => {
  states('MINI2-01', 'a step queries the model and executes all actions of its reply, in order', {
    command: v2,
    script: [bash('echo one >> order.txt', 'echo two >> order.txt; cat order.txt'), bashSubmit],
    exit: 0,
    requests([, second]) {
      assert.deepEqual(rolesOf(second!), ['system', 'user', 'assistant', 'tool', 'tool']);
      assert.match(lastOf(second!).content, /one\\ntwo/);
    },
  });

  tells('MINI2-02', 'the loop continues until a message with the role exit is added, and its result is returned', {
    script: [bash('echo one'), bashSubmit],
    story: async (machine) => {
      assert.equal((await machine.run('Count.', ...v2)).code, 0);
      const { messages, info } = await exported(machine, 'mini');
      const exits = messages.map(({ role }: { role: string }) => role === 'exit');
      assert.deepEqual(exits.lastIndexOf(true), messages.length - 1);
      assert.equal(exits.filter(Boolean).length, 1);
      assert.deepEqual(messages.at(-1).extra.exit_status, 'Submitted');
      assert.deepEqual([info.exit_status, info.submission], ['Submitted', 'all done\n']);
    },
  });

  states('MINI2-03', 'the step limit is checked before the model is called', {
    command: [...v2, '--max-steps', '1'],
    script: [bash('echo one')],
    exit: 2,
    requests: (requests) => assert.equal(requests.length, 1),
    log: (events) => assert.equal(eventsOf(events, 'finished')[0]?.status, 'limit_exceeded'),
  });

  states('MINI2-04', 'the cost limit is checked before the model is called', {
    command: [...v2, '--max-cost', '0.5'],
    script: [costly(bash('echo one'))],
    exit: 2,
    requests: (requests) => assert.equal(requests.length, 1),
  });

  states('MINI2-05', 'a cost limit that cannot be counted is reported before anything is spent', {
    command: [...v2, '--max-cost', '0.001', '--model', 'a-model-of-the-house'],
    script: [bash('echo one'), bash('echo two')],
    exit: 1,
    requests: (requests) => assert.equal(requests.length, 0),
    prints({ stderr }) {
      assert.match(stderr, /price/i);
      assert.match(stderr, /--ignore-unknown-cost/);
    },
  });

  states('MINI2-06', 'cost errors can be ignored, and a step limit still ends the run', {
    command: [...v2, '--model', 'a-model-of-the-house', '--ignore-unknown-cost', '--max-steps', '2'],
    script: [bash('echo one'), bash('echo two')],
    exit: 2,
    requests: (requests) => assert.equal(requests.length, 2),
  });

  states('MINI2-07', 'a format error is a separate message, and the reply that caused it is not sent again', {
    command: v2,
    script: [reply('No call here.'), bashSubmit],
    exit: 0,
    requests([first, second]) {
      assert.deepEqual(second!.messages.slice(0, 2), first!.messages, 'the task is as it was');
      assert.deepEqual(rolesOf(second!), ['system', 'user', 'user']);
      assert.doesNotMatch(JSON.stringify(second!.messages), /No call here/);
    },
  });

  tells('MINI2-08', 'three format errors in a row end the run in later versions', {
    script: [reply('No call.'), reply('Still none.'), reply('None.')],
    story: async (machine) => {
      assert.equal((await machine.run('Try.', ...v2)).code, 1);
      assert.equal((await exported(machine, 'mini')).info.exit_status, 'RepeatedFormatError');
    },
  });

  shownElsewhere(
    'MINI2-09',
    'a TimeoutError is reported to the model, and the run continues',
    'Shown by MSA-05 and MSA-06, which do not take thirty seconds.',
  );

  states('MINI2-10', 'if the first line of an output is the marker, after leading blanks, the rest is submitted', {
    command: v2,
    script: [bash(`printf '\\n  ${marker}  \\nline one\\nline two\\n'`)],
    exit: 0,
    log: (events) => assert.equal(eventsOf(events, 'finished')[0]?.summary, 'line one\nline two\n'),
  });

  states('MINI2-11', 'a marker after the first line submits nothing', {
    command: v2,
    script: [bash(`echo first; echo ${marker}`), bashSubmit],
    exit: 0,
    requests: (requests) => assert.equal(requests.length, 2),
  });

  tells('MINI2-12', 'UserInterruption: Ctrl-C asks for a note, which is the next user message, and the run continues', {
    script: [bash('echo begun; echo x > begun.txt; sleep 600'), bashSubmit],
    story: async (machine) => {
      const person = sitDown(machine, 'Wait.', ...v2);
      await until('the command', () => machine.workspace.names().includes('begun.txt'));
      await person.types('\x03');
      await person.reads(/Interrupted/);
      await person.types('do not sleep\r');
      assert.equal(await person.leaves(), 0);
      const second = machine.server.requests[1]!.body;
      assert.deepEqual(rolesOf(second), ['system', 'user', 'assistant', 'tool', 'user']);
      assert.match(lastOf(second).content, /do not sleep/);
    },
  });

  tells('MINI2-13', 'the partial output of an interrupted command is its output', {
    script: [bash('echo begun; echo x > begun.txt; sleep 600'), bashSubmit],
    story: async (machine) => {
      const person = sitDown(machine, 'Wait.', ...v2);
      await until('the command', () => machine.workspace.names().includes('begun.txt'));
      await person.types('\x03');
      await person.reads(/Interrupted/);
      await person.types('\r');
      assert.equal(await person.leaves(), 0);
      const { content } = machine.server.requests[1]!.body.messages.find(({ role }) => role === 'tool')!;
      const { output, returncode, exception_info: exception } = JSON.parse(content);
      assert.deepEqual([output.trim(), returncode], ['begun', -1]);
      assert.match(exception, /stopped|interrupt/i);
      assert.doesNotMatch(exception, /begun/);
    },
  });

  tells('MINI2-14', 'a second Ctrl-C ends the program', {
    script: [bash('echo x > begun.txt; sleep 600')],
    story: async (machine) => {
      const person = sitDown(machine, 'Wait.', ...v2);
      await until('the command', () => machine.workspace.names().includes('begun.txt'));
      await person.types('\x03');
      await person.reads(/Interrupted/);
      await person.types('\x03');
      assert.equal(await person.leaves(), 130);
      assert.equal(machine.server.requests.length, 1);
    },
  });

  tells('MINI2-15', 'an exception other than InterruptAgentFlow ends the run and is kept in its messages', {
    script: [failure(401, 'bad key')],
    story: async (machine) => {
      assert.equal((await machine.run('Try.', ...v2)).code, 1);
      const { messages } = await exported(machine, 'mini');
      assert.equal(messages.at(-1).role, 'exit');
    },
  });

  tells('MINI2-16', 'every message that an end or an interruption adds is in the trajectory', {
    script: [bash('echo one')],
    story: async (machine) => {
      assert.equal((await machine.run('Go.', ...v2, '--max-steps', '1')).code, 2);
      const { messages } = await exported(machine, 'mini');
      assert.deepEqual(
        messages.map(({ role }: { role: string }) => role),
        ['system', 'user', 'assistant', 'tool', 'exit'],
      );
      assert.equal(messages.at(-1).extra.exit_status, 'LimitsExceeded');
    },
  });
});
