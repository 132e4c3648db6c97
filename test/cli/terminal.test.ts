import { strict as assert } from 'node:assert';
import { stripVTControlCharacters as withoutStyles } from 'node:util';
import { reply, toolCall, type Answer } from '../support/modelServer';
import { ensureBuilt, onMachine, processesIn, until, type Machine } from './support/commandLine';
import { sitDown } from './support/sitDown';

const finish = toolCall('finish', { summary: 'It is done.' });
const removal = toolCall('run_command', { command: 'rm -rf precious' });

const asks = /  y   run it\r?\n  n   refuse it\r?\n[^?]*Run once\? /;

describe('waymark run at a terminal', function () {
  this.timeout(60_000);
  before(ensureBuilt);
  const precious = (machine: Machine) => {
    machine.workspace.place('precious/file.txt', 'x');
    return () => machine.workspace.names().includes('precious');
  };

  it('runs a risky command if the person types y, and not on Enter alone', () =>
    onMachine([removal, finish], async (machine) => {
      const isThere = precious(machine);
      const person = sitDown(machine, 'Clean up.');
      await person.reads(asks);
      assert.match(person.seen(), /rm -rf precious.*Risk high/s);
      await person.types('\r');
      await person.reads(/Nothing was decided/);
      assert.equal(isThere(), true);
      await person.reads(asks, 2);
      await person.types('y\r');
      assert.equal(await person.leaves(), 0);
      assert.equal(isThere(), false);
    }));

  it('treats any other answer as a refusal, which the agent reads', () =>
    onMachine([removal, finish], async (machine) => {
      const isThere = precious(machine);
      const person = sitDown(machine, 'Clean up.');
      await person.reads(asks);
      await person.types('only the empty folders\r');
      assert.equal(await person.leaves(), 0);
      assert.equal(isThere(), true);
      assert.match(
        JSON.stringify(machine.server.requests.at(-1)!.body.messages.at(-1)),
        /refused this action: only the empty folders/,
      );
    }));

  it('shows the answers again for ?, /h and help, and decides nothing', () =>
    onMachine([removal, finish], async (machine) => {
      const isThere = precious(machine);
      const person = sitDown(machine, 'Clean up.');
      let asked = 1;
      for (const words of ['?', '/h', 'help']) {
        await person.reads(asks, asked++);
        await person.types(`${words}\r`);
      }
      await person.reads(asks, asked);
      assert.equal(isThere(), true);
      await person.types('y\r');
      assert.equal(await person.leaves(), 0);
      assert.equal(isThere(), false);
    }));

  it('shows the output of a long command while it runs, and once', () =>
    onMachine(
      [
        toolCall('run_command', {
          command: 'echo "first line"; until [ -e go ]; do sleep 0.1; done; echo last; exit 3',
        }),
        finish,
      ],
      async (machine) => {
        const person = sitDown(machine, 'Wait.');
        await person.reads(/… Run echo "first line"[^]* {2}first line/);
        machine.workspace.place('go', '');
        assert.equal(await person.leaves(), 0);
        assert.match(person.seen(), /last\S*\s+\S*▸\S* Run echo "first line".*exit 3[^]*\[exit code 3/);
        assert.equal(person.seen().match(/^\S* *last/gm)?.length, 1);
      },
    ));

  it('shows how long it waits for the model, until the answer takes the place of that line', async () => {
    let answer = (): void => undefined;
    const isWanted = new Promise<void>((resolve) => (answer = resolve));
    const slowly = (): Promise<Answer> => isWanted.then(() => reply('Blue it is.'));
    await onMachine([slowly], async (machine) => {
      const person = sitDown(machine, 'Choose.');
      await person.reads(/… Waiting for the model {2}\d+ s/);
      await person.reads(/Waiting for the model/, 2);
      answer();
      assert.equal(await person.leaves(), 0);
      // One line that is erased each time, and then the answer.
      assert.match(person.seen(), /(\S*… Waiting for the model {2}\d+ s\S*\r\x1b\[2K){2,}Blue it is\./);
    });
  });

  it('shows nothing of a wait for the model in a pipe or in JSON', () =>
    onMachine(
      [
        { ...reply('Blue it is.'), delayMs: 4500 },
        { ...reply('Red.'), delayMs: 4500 },
      ],
      async (machine) => {
        const ended = await machine.run('Choose.');
        assert.doesNotMatch(ended.stdout + ended.stderr, /Waiting|\x1b/);
        const person = sitDown(machine, 'Choose again.', '--json');
        assert.equal(await person.leaves(), 0);
        assert.doesNotMatch(person.seen(), /Waiting|\x1b\[2K/);
        assert.match(person.seen(), /Red\./);
      },
    ));

  it('does not take a choice of other questions for a refusal', () =>
    onMachine([toolCall('write_file', { path: '.vscode/tasks.json', content: '{\n}' }), finish], async (machine) => {
      const person = sitDown(machine, 'Add a task.');
      await person.reads(/\.vscode\/tasks\.json \(new\) {2}\+2 −0[^]* 1 \+ \{[^]* 2 \+ \}[^]*Run once\? /);
      await person.types('e\r');
      await person.reads(/e is not offered here\. Nothing was decided\.[^]*Run once\? /);
      await person.types('y\r');
      assert.equal(await person.leaves(), 0);
      assert.equal(machine.workspace.bytes('.vscode/tasks.json')?.toString(), '{\n}');
    }));

  it('ignores input typed before the question', () =>
    onMachine([{ ...removal, delayMs: 1500 }, finish], async (machine) => {
      const isThere = precious(machine);
      const person = sitDown(machine, 'Clean up.');
      await until('the request', () => machine.server.requests.length === 1);
      await person.types('y\ry');
      await person.reads(asks);
      await person.types('\r');
      await person.reads(/Nothing was decided/);
      assert.equal(isThere(), true);
      await person.reads(asks, 2);
      await person.types('n\r');
      assert.equal(await person.leaves(), 0);
      assert.equal(isThere(), true);
    }));

  for (const [typed, answer] of [
    ['blue', 'blue'],
    ['2', 'blue'],
    ['3', '3'],
  ] as const)
    it(`asks the agent’s question and passes on the answer ${typed}`, () =>
      onMachine(
        [toolCall('ask_user', { question: 'Which colour?', choices: ['red', 'blue'] }), reply('So be it.')],
        async (machine) => {
          const person = sitDown(machine, 'Paint it.');
          await person.reads(/Which colour\?\s+1 {2}red\s+2 {2}blue\s+A number or any other answer/);
          await person.types(`${typed}\r`);
          assert.equal(await person.leaves(), 0);
          assert.match(person.seen(), /So be it\./);
          assert.equal(machine.server.requests[1]!.body.messages.at(-1)!.content, answer);
        },
      ));

  it('shows what an edit would change before it asks, and nothing twice', () =>
    onMachine(
      [
        toolCall('edit_file', { path: 'a.txt', edits: [{ old_text: 'two', new_text: 'TWO\u200B' }] }),
        toolCall('edit_file', { path: 'gone.txt', edits: [{ old_text: 'two', new_text: 'TWO' }] }),
        finish,
      ],
      async (machine) => {
        machine.workspace.place('a.txt', 'one\ntwo\nthree\n');
        const person = sitDown(machine, 'Change it.', '--confirm', 'always');
        await person.reads(asks);
        assert.match(
          withoutStyles(person.seen()),
          /Edit a\.txt\s+a\.txt {2}\+1 −1\s+ {4}1 {3}one\s+ {4}2 - two\s+ {4}2 \+ TWO\\u\{200b\}\s+ {4}3 {3}three\s+Risk low\./,
        );
        await person.types('y\r');
        await person.reads(asks, 2);
        const second = withoutStyles(person.seen()).slice(withoutStyles(person.seen()).lastIndexOf('needs approval'));
        assert.match(second, /old_text: two.*It would change nothing now: .*gone\.txt/s);
        await person.types('n\r');
        assert.equal(await person.leaves(), 0);
        assert.equal(withoutStyles(person.seen()).split('2 - two').length - 1, 1);
      },
    ));

  it('asks again if the file of an edit has changed since the question', () =>
    onMachine(
      [toolCall('edit_file', { path: 'a.txt', edits: [{ old_text: 'two', new_text: 'TWO' }] }), finish],
      async (machine) => {
        machine.workspace.place('a.txt', 'one\ntwo\n');
        const person = sitDown(machine, 'Change it.', '--confirm', 'always');
        await person.reads(asks);
        machine.workspace.place('a.txt', 'other\ntwo\n');
        await person.types('y\r');
        await person.reads(/The files have changed\. Nothing was decided\.[^]* 1 {3}other[^]*Run once\? /);
        await person.types('n\r');
        assert.equal(await person.leaves(), 0);
        assert.equal(machine.workspace.bytes('a.txt')?.toString(), 'other\ntwo\n');
      },
    ));

  it('shows the changed lines of an edit that it does not ask about', () =>
    onMachine(
      [
        toolCall('edit_file', { path: 'a.txt', edits: [{ old_text: 'two', new_text: 'TWO' }] }),
        toolCall('create_file', { path: 'b.txt', text: 'a line\n'.repeat(40) }),
        finish,
      ],
      async (machine) => {
        machine.workspace.place('a.txt', 'one\ntwo\nthree\n');
        const person = sitDown(machine, 'Change it.');
        assert.equal(await person.leaves(), 0);
        const seen = withoutStyles(person.seen());
        assert.match(seen, /▸ Edit a\.txt {2}\+1 −1\s+1 {3}one\s+2 - two\s+2 \+ TWO\s+3 {3}three/);
        assert.match(seen, / 12 \+ a line\s+… 28 more lines/);
        assert.match(person.seen(), /\u001B\[31m\s+2 - two/);
      },
    ));

  it('styles the Markdown of a reply, unless colors are not wanted', async () => {
    const said = '## Result\n\nUse **this** and `that`.';
    await onMachine([reply(said)], async (machine) => {
      const person = sitDown(machine, 'Say it.');
      assert.equal(await person.leaves(), 0);
      assert.match(
        person.seen(),
        /\u001B\[1mResult\u001B\[22m\s+Use \u001B\[1mthis\u001B\[22m and \u001B\[36mthat\u001B\[39m\./,
      );
    });
    await onMachine([reply(said)], async (machine) => {
      machine.environment['NO_COLOR'] = '1';
      const person = sitDown(machine, 'Say it.');
      assert.equal(await person.leaves(), 0);
      assert.match(person.seen(), /## Result\s+Use \*\*this\*\* and `that`\./);
    });
  });

  it('stops on Ctrl-C at a question and runs nothing', () =>
    onMachine([removal], async (machine) => {
      const isThere = precious(machine);
      const person = sitDown(machine, 'Clean up.');
      await person.reads(asks);
      await person.types('\x03');
      assert.equal(await person.leaves(), 130);
      assert.equal(isThere(), true);
      assert.match(person.seen(), /\nThe run was stopped\./, 'on a line of its own');
      assert.deepEqual(
        machine
          .events()
          .slice(-2)
          .map((event) => (event.type === 'observation' ? event.outcome : event.type)),
        ['skipped', 'finished'],
      );
    }));

  it('exits with consent still needed if the person presses Ctrl-D', () =>
    onMachine([removal], async (machine) => {
      const isThere = precious(machine);
      const person = sitDown(machine, 'Clean up.');
      await person.reads(asks);
      await person.types('\x04');
      assert.equal(await person.leaves(), 3);
      assert.equal(isThere(), true);
    }));

  it('takes the task of a continued session as the answer to its open question', () =>
    onMachine([toolCall('ask_user', { question: 'Which colour?' }), reply('Blue it is.')], async (machine) => {
      const person = sitDown(machine, 'Paint it.');
      await person.reads(/Which colour\?/);
      await person.types('\x04');
      assert.equal(await person.leaves(), 3);
      const ended = await machine.run('blue');
      assert.equal(ended.code, 0, ended.stdout + ended.stderr);
      assert.equal(machine.server.requests[1]!.body.messages.at(-1)!.content, 'blue');
    }));
});

describe('the shell of waymark run', function () {
  this.timeout(60_000);
  before(ensureBuilt);

  it('starts while the model answers, and is gone after a run that did not use it', () =>
    onMachine([{ ...reply('Nothing to do.'), delayMs: 4000 }], async ({ args, start, server, workspace, events }) => {
      workspace.place('.git/HEAD', 'ref: refs/heads/main\n');
      const running = start(args('Say something.'));
      const shells = (): number =>
        processesIn(workspace.root).filter((pid) => Number(pid) !== running.child.pid).length;
      await until('the shell', () => shells() > 0 && server.requests.length === 1);
      assert.equal((await running.ended).code, 0);
      assert.equal(shells(), 0);
      assert.deepEqual(
        events().filter(({ type }) => type === 'notice'),
        [],
      );
      assert.deepEqual(workspace.names(), ['.git', '.git/HEAD']);
    }));
});
