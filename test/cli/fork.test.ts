import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { readEventLog } from '../../src/adapters/log/eventLog';
import { forkPoints } from '../../src/core/trajectory/forkFrom';
import { reply, toolCall } from '../support/modelServer';
import { ensureBuilt, onMachine } from './support/commandLine';

describe('waymark run --fork', () => {
  before(ensureBuilt);

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
