import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { readEventLog } from '../../src/adapters/log/eventLog';
import type { ChildReport } from '../../src/protocol/events/details';
import { Event } from '../../src/protocol/events/event';
import { reply, toolCall, type Answering, type RecordedRequest } from '../support/modelServer';
import { ensureBuilt, onMachine, until } from './support/commandLine';
import { sitDown } from './support/sitDown';
import { eventsPrinted } from '../support/loggedEvents';

/** Answers each session by its task and its number of replies. */
const bySession =
  (answer: (task: string, turn: number) => ReturnType<typeof reply>): Answering =>
  ({ body: { messages } }: RecordedRequest) =>
    answer(
      String(messages.find(({ role }) => role === 'user')!['content']),
      messages.filter(({ role }) => role === 'assistant').length,
    );
const times = (answering: Answering, count = 20): Answering[] => Array.from({ length: count }, () => answering);
const delegates = (...titles: string[]) =>
  toolCall('delegate', { tasks: titles.map((title) => ({ title, task: `Task of ${title}.` })) });
const withDelegation = ['--toolsets', 'default,delegation'];

const childrenOf = (events: readonly Event[]): ChildReport[] =>
  events.flatMap((event) =>
    event.type === 'observation' && event.details?.kind === 'delegate' ? event.details.children : [],
  );
const childLogs = (log: string): Event[][] =>
  fs
    .readdirSync(`${log}.children`)
    .filter((name) => name.endsWith('.jsonl') && !name.endsWith('.changes.jsonl'))
    .map((name) => readEventLog(path.join(`${log}.children`, name)).events);

describe('waymark run with subagents', function () {
  this.timeout(60_000);
  before(ensureBuilt);

  it('starts without a question with --confirm always, which asks before each read of a subagent', () =>
    onMachine(
      times(
        bySession((task, turn) => {
          if (task.startsWith('Share')) return turn === 0 ? delegates('left') : reply('Done.');
          return turn === 0 ? toolCall('read_file', { path: 'a.txt' }) : toolCall('finish', { summary: 'Read.' });
        }),
      ),
      async ({ run, workspace, events, log, server }) => {
        workspace.place('a.txt', 'x\n');
        const { code, stderr } = await run('Share the work.', '--confirm', 'always', ...withDelegation);
        assert.ok(!events().some(({ type }) => type === 'confirmation_requested'), 'delegating was asked about');
        const [child] = childLogs(log);
        assert.deepEqual(
          [code, child!.some(({ type }) => type === 'confirmation_requested')],
          [0, true],
          `${stderr}\n${child!.map(({ type }) => type).join(' ')}`,
        );
        assert.match(
          String(server.requests.at(-1)!.body.messages.at(-1)!.content),
          /consent|approv/,
          'its agent reads why',
        );
      },
    ));

  it('gives each its own log and shell, and marks its events', () =>
    onMachine(
      times(
        bySession((task, turn) => {
          if (task.startsWith('Share')) return turn === 0 ? delegates('left', 'right') : reply('Both are done.');
          const name = task.includes('of left') ? 'left' : 'right';
          if (turn === 0)
            return toolCall('run_command', { command: `mkdir ${name} && cd ${name} && echo ${name} > file.txt` });
          if (turn === 1) return toolCall('run_command', { command: 'pwd' });
          return toolCall('finish', { summary: `${name} is there.` });
        }),
      ),
      async ({ run, start, log, events, workspace }) => {
        const { code, stdout } = await run('Share the work.', '--confirm', 'never', '--json', ...withDelegation);
        assert.equal(code, 0);
        assert.deepEqual(
          childrenOf(events()).map(({ title, status, summary, steps }) => [title, status, summary, steps]),
          [
            ['left', 'submitted', 'left is there.', 3],
            ['right', 'submitted', 'right is there.', 3],
          ],
        );
        assert.deepEqual(
          workspace
            .names()
            .filter((name) => name.endsWith('file.txt'))
            .sort(),
          ['left/file.txt', 'right/file.txt'],
          JSON.stringify(
            childLogs(log).map((history) => history.filter(({ type }) => type === 'observation')),
            null,
            1,
          ),
        );
        const folders = childLogs(log).map((history) =>
          history
            .flatMap((event) =>
              event.type === 'observation' && event.details?.kind === 'command' ? [event.details.cwd] : [],
            )
            .at(-1)!,
        );
        assert.deepEqual(
          folders.map((folder) => path.basename(folder)).sort(),
          ['left', 'right'],
          'each is where its own shell went',
        );
        const lines: readonly (Event & { child?: string })[] = eventsPrinted(stdout);
        for (const line of lines) Event.parse(line);
        assert.deepEqual(
          lines.filter(({ child }) => child === undefined).map(({ seq }) => seq),
          events().map(({ seq }) => seq),
          'the main stream is as it was',
        );
        assert.deepEqual(
          new Set(lines.flatMap(({ child }) => child ?? [])),
          new Set(childrenOf(events()).map(({ session }) => session)),
        );
        const exported = JSON.parse((await start(['export', log, '--to', 'atif', '--out', '-']).ended).stdout) as {
          subagent_trajectories: { trajectory_id: string; steps: unknown[] }[];
        };
        assert.deepEqual(
          exported.subagent_trajectories.map(({ trajectory_id, steps }) => [trajectory_id, steps.length > 3]),
          childrenOf(events()).map(({ session }) => [session, true]),
          'an export has them below it',
        );
      },
    ));

  it('stops one that needs consent if nobody can be asked, and the others continue', () =>
    onMachine(
      times(
        bySession((task, turn) => {
          if (task.startsWith('Share')) return turn === 0 ? delegates('left', 'right') : reply('I see.');
          return task.includes('of left') && turn === 0
            ? toolCall('run_command', { command: 'rm -rf /srv/precious' })
            : reply('Done.');
        }),
      ),
      async ({ run, events }) => {
        const { code } = await run('Share the work.', ...withDelegation);
        assert.equal(code, 0);
        const [left, right] = childrenOf(events());
        assert.deepEqual([left?.status, right?.status], ['stopped', 'answered']);
        assert.match(left!.summary, /needs approval.*nobody can be asked here.*rm -rf/);
      },
    ));

  it('asks at the terminal about actions of a subagent, with its name', () =>
    onMachine(
      times(
        bySession((task, turn) => {
          if (task.startsWith('Share')) return turn === 0 ? delegates('the cleaner') : reply('Thanks.');
          return turn === 0 ? toolCall('run_command', { command: 'rm -rf precious' }) : reply('It is clean.');
        }),
      ),
      async (machine) => {
        machine.workspace.place('precious/file.txt', 'x');
        const person = sitDown(machine, 'Share the work.', ...withDelegation);
        await person.reads(/the cleaner asks:/);
        await person.reads(/  y   run it[^?]*Run once\? /);
        await person.types('y\r');
        assert.equal(await person.leaves(), 0);
        assert.equal(machine.workspace.names().includes('precious'), false);
        assert.equal(childrenOf(machine.events())[0]?.summary, 'It is clean.');
      },
    ));

  it('stops its subagents when it is interrupted, and repeats nothing when it continues', () =>
    onMachine(
      times(
        bySession((task, turn) => {
          if (task.startsWith('Share')) return turn === 0 ? delegates('left') : reply('I see.');
          return turn === 0 ? toolCall('run_command', { command: 'echo once >> count.txt; sleep 60' }) : reply('Done.');
        }),
      ),
      async ({ start, args, events, log, workspace }) => {
        const file = workspace.at('count.txt');
        const { child, ended } = start(args('Share the work.', '--confirm', 'never', ...withDelegation));
        await until('the command', () => fs.existsSync(file) && fs.readFileSync(file, 'utf8') !== '');
        child.kill('SIGINT');
        assert.equal((await ended).code, 130);
        assert.equal(childrenOf(events())[0]?.status, 'stopped');
        assert.deepEqual(
          childLogs(log).map((history) => history.at(-1)?.type),
          ['finished'],
        );
        const again = await start(args('Go on.', '--confirm', 'never', ...withDelegation)).ended;
        assert.equal(again.code, 0);
        assert.equal(fs.readFileSync(file, 'utf8'), 'once\n');
      },
    ));
});
