import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { readEventLog } from '../../src/adapters/log/eventLog';
import { forkPoints } from '../../src/core/trajectory/forkFrom';
import { reply, toolCall } from '../support/modelServer';
import { ensureBuilt, onMachine } from './support/commandLine';

describe('waymark run --fork', () => {
  before(ensureBuilt);

  it('undoes with --restore-files what the other session changed after that point, and leaves changes of the person', () =>
    onMachine(
      [
        toolCall('write_file', { path: 'a.txt', content: 'one\n' }),
        toolCall('write_file', { path: 'b.txt', content: 'two\n' }),
        reply('Written.'),
        reply('Other words.'),
      ],
      async (machine) => {
        const { workspace, server, start } = machine;
        await machine.run('Write it.');
        workspace.place('mine.txt', 'mine\n');
        const fork = (to: string) =>
          start(
            ['run', 'Again.', '--fork', machine.log, '--after-step', '1', '--restore-files']
              .concat(['--log', path.join(path.dirname(machine.log), to)])
              .concat(['--base-url', server.baseUrl, '--model', 'gpt-5']),
          ).ended;
        fs.appendFileSync(workspace.at('b.txt'), 'three\n');
        const refused = await fork('second.waymark.jsonl');
        assert.match(refused.stderr, /b\.txt: .* would lose that change\. Nothing was changed/);
        assert.equal(fs.existsSync(path.join(path.dirname(machine.log), 'second.waymark.jsonl')), false);
        fs.writeFileSync(workspace.at('b.txt'), 'two\n');
        assert.equal((await fork('third.waymark.jsonl')).code, 0);
        assert.deepEqual(
          ['a.txt', 'b.txt', 'mine.txt'].map((name) => fs.existsSync(workspace.at(name))),
          [true, false, true],
        );
        const help = (await start(['run', '--help']).ended).stdout.replace(/\s+/g, ' ');
        assert.match(
          help,
          /--restore-files with --fork: first undo .* after that event or step; your own changes stay/,
        );
      },
    ));

  it('says what to undo in the session with the shared steps, of which a fork has no copies', () =>
    onMachine(
      [
        toolCall('write_file', { path: 'a.txt', content: 'one\n' }),
        toolCall('write_file', { path: 'b.txt', content: 'two\n' }),
        reply('Written.'),
        toolCall('write_file', { path: 'c.txt', content: 'three\n' }),
        reply('Forked.'),
        reply('Once more.'),
      ],
      async (machine) => {
        const { workspace, server, start } = machine;
        const beside = (name: string): string => path.join(path.dirname(machine.log), name);
        const forkOf = (of: string, to: string, ...more: string[]) =>
          start(
            ['run', 'Again.', '--fork', of, '--after-step', ...more, '--log', to].concat([
              ...['--base-url', server.baseUrl, '--model', 'gpt-5', '--trust-folder'],
            ]),
          ).ended;
        const names = () => workspace.names().sort();
        await machine.run('Write it.');
        const fork = beside('fork.waymark.jsonl');
        assert.equal((await forkOf(machine.log, fork, '2')).code, 0);
        assert.deepEqual(names(), ['a.txt', 'b.txt', 'c.txt']);

        const refused = await forkOf(fork, beside('third.waymark.jsonl'), '1', '--restore-files');
        assert.equal(refused.code, 1);
        assert.match(
          refused.stderr,
          /^Not all files can be restored: .*Run "waymark undo .*fork\.waymark\.jsonl" and "waymark undo .*session\.jsonl --to-step 1"/,
        );
        const asked = await start(['undo', fork, '--to-step', '1']).ended;
        assert.equal(asked.code, 3);
        assert.match(asked.stdout, /changed b\.txt\. To undo them: waymark undo .*session\.jsonl --to-step 1$/m);
        assert.deepEqual(names(), ['a.txt', 'b.txt', 'c.txt']);

        const listed = await start(['changes', fork]).ended;
        assert.match(listed.stdout, /^A {2}c\.txt[\s\S]*Earlier steps .*: waymark changes .*session\.jsonl$/m);

        // Steps of the fork itself need nothing of the other session.
        assert.equal((await start(['undo', fork, '--to-step', '2']).ended).code, 0);
        assert.equal((await start(['undo', machine.log, '--to-step', '1']).ended).code, 0);
        const third = await forkOf(fork, beside('third.waymark.jsonl'), '1', '--restore-files');
        assert.equal(third.code, 0, third.stderr);
        assert.deepEqual(names(), ['a.txt']);
        // It changed nothing itself.
        assert.doesNotMatch(third.stderr, /changed file/);
        const nothing = await start(['undo', beside('third.waymark.jsonl'), '--to-step', '0']).ended;
        assert.equal(nothing.code, 1);
        assert.match(nothing.stderr, /No step of this run .* has run\.\n.*changed a\.txt\. To undo them: waymark undo/);

        // Without the log of the first session, nothing is known about the shared steps, and that is said.
        fs.rmSync(machine.log);
        const unknown = await start(['changes', fork]).ended;
        assert.match(unknown.stdout, /Earlier steps belong to another session, whose log .*session\.jsonl is missing/);
        assert.match(unknown.stderr, /whose log was deleted or changed/);
        const undone = await start(['undo', fork, '--to-step', '0', '--dry-run']).ended;
        assert.match(undone.stdout + undone.stderr, /is not known: its log .*session\.jsonl is missing/);
      },
    ));

  it('continues from any event or step in a separate log that does not copy the shared events', () =>
    onMachine(
      [
        toolCall('write_file', { path: 'a.txt', content: 'one\n' }),
        reply('Written.'),
        reply('Other words.'),
        reply('More.'),
      ],
      async (machine) => {
        await machine.run('Write it.');
        const whole = machine.events();
        const before = fs.readFileSync(machine.log, 'utf8');
        const to = path.join(path.dirname(machine.log), 'second.waymark.jsonl');
        const [first] = forkPoints(whole).filter(({ step }) => step === 1);
        const { code, stderr, stdout } = await machine.start([
          'run',
          'Say it otherwise.',
          '--fork',
          machine.log,
          '--after-step',
          '1',
          '--log',
          to,
          '--base-url',
          machine.server.baseUrl,
          '--model',
          'gpt-5',
        ]).ended;
        assert.equal(code, 0, stderr);
        assert.match(stdout, /Files are not restored/);
        const { events, header } = readEventLog(to);
        assert.deepEqual(events.slice(0, first!.seq + 1), whole.slice(0, first!.seq + 1));
        assert.equal(header?.parent?.seq, first!.seq);
        assert.deepEqual(
          events.flatMap((event) => (event.type === 'user_message' ? [event.text] : [])),
          ['Say it otherwise.'],
        );
        assert.equal(events.findLast((event) => event.type === 'agent_response')?.text, 'Other words.');
        assert.equal(fs.readFileSync(to, 'utf8').includes('task_started'), false, 'the shared events are not copied');
        assert.equal(fs.readFileSync(machine.log, 'utf8'), before, 'the first log is as it was');

        const third = path.join(path.dirname(machine.log), 'third.waymark.jsonl');
        assert.equal(
          (
            await machine.start([
              'run',
              'And more.',
              '--fork',
              to,
              '--at',
              '0',
              '--log',
              third,
              '--base-url',
              machine.server.baseUrl,
              '--model',
              'gpt-5',
            ]).ended
          ).code,
          0,
        );
        assert.deepEqual(readEventLog(third).events.slice(0, 1), whole.slice(0, 1));
      },
    ));

  it('explains what is wrong, and leaves no log behind', () =>
    onMachine([reply('Done.')], async (machine) => {
      await machine.run('Say that it is done.');
      const to = path.join(path.dirname(machine.log), 'second.waymark.jsonl');
      const says = async (...more: string[]): Promise<string> => {
        const { code, stderr } = await machine.start([
          'run',
          'Go on.',
          '--log',
          to,
          '--base-url',
          machine.server.baseUrl,
          '--model',
          'gpt-5',
          ...more,
        ]).ended;
        assert.deepEqual([code, fs.existsSync(to)], [1, false]);
        return stderr;
      };
      assert.match(await says('--fork', machine.log, '--at', '999'), /There is no event 999; the last one is \d+\./);
      assert.match(await says('--fork', machine.log, '--after-step', '7'), /There is no step 7/);
      assert.match(await says('--fork', 'nothing-there'), /There is no file or session named nothing-there/);
      assert.match(await says('--at', '3'), /--at and --after-step require --fork/);
      assert.match(await says('--fork', machine.log, '--cwd', path.dirname(machine.log)), /This session works in/);
      machine.workspace.place('x.json', '{}');
      assert.match(await says('--fork', machine.workspace.at('x.json')), /is not a Waymark log/);
    }));
});
