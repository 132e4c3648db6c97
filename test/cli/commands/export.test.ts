import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { formats } from '../../../src/core/trajectory/formats/formats';
import { readEventLog } from '../../../src/adapters/log/eventLog';
import { reply } from '../../support/modelServer';
import { ensureBuilt, onMachine } from '../support/commandLine';
import { agentResponse, leastUsage, taskStarted } from '../../support/newEvents';

/** Keys that no scanner of this file mistakes for real ones. */
const canary = ['zt', 'est', 'c4n4ry', 'Q7x9Lm2'].join('_');
const patterned = ['gh', 'p_', 'a1B2c3D4e5'.repeat(4)].join('');

describe('waymark export', () => {
  before(ensureBuilt);

  it('writes a run in every format, given its file or its session id', () =>
    onMachine([reply('Done.')], async (machine) => {
      await machine.run('Say that it is done.');
      const events = machine.events();
      const id = '20261121-143005-abcd';
      const stored = path.join(machine.environment['XDG_STATE_HOME']!, 'waymark/sessions', id);
      for (const { name, extension } of formats.filter(({ write }) => write)) {
        const out = machine.workspace.at(`out${extension}`);
        const { code, stderr } = await machine.start(['export', machine.log, '--to', name, '--out', out]).ended;
        assert.deepEqual([code, fs.existsSync(out)], [0, true], stderr);
      }
      const { events: copied, problem } = readEventLog(machine.workspace.at('out.waymark.jsonl'));
      assert.deepEqual([copied, problem], [events, undefined], 'a log is a whole log');
      fs.mkdirSync(stored, { recursive: true });
      fs.copyFileSync(machine.log, path.join(stored, 'events.jsonl'));
      assert.equal((await machine.start(['export', id, '--to', 'mini']).ended).code, 0);
      assert.equal(
        (JSON.parse(fs.readFileSync(machine.workspace.at(`${id}.traj.json`), 'utf8')) as any).messages.at(-1).content,
        'Done.',
      );
      const printed = await machine.start(['export', machine.log, '--to', 'openai', '--out', '-']).ended;
      assert.equal(JSON.parse(printed.stdout).messages.at(-1).content, 'Done.');
    }));

  it('escapes what a foreign file says in messages and in names of files', () =>
    onMachine([], async ({ start, workspace }) => {
      const evil = '\u001b]0;title\u0007/../../..';
      const event = (id: number, fields: object): void => {
        const text = JSON.stringify({ id: `${id}`, timestamp: '2026-01-01T00:00:00', ...fields });
        workspace.place(`run/events/event-0000${id}-${id}.json`, text);
      };
      workspace.place('run/base_state.json', JSON.stringify({ id: evil, agent: { llm: { model: 'm' } } }));
      const content = [{ type: 'text', text: 'Hello.' }];
      event(0, { kind: 'MessageEvent', source: 'user', llm_message: { role: 'user', content } });
      event(1, { kind: `${evil}Event`, source: 'agent' });
      const { code, stderr } = await start(['export', workspace.at('run'), '--to', 'openhands']).ended;
      assert.equal(code, 0, stderr);
      assert.doesNotMatch(stderr, /[^\P{Cc}\n]/u);
      assert.match(stderr, /The event kind \\u\{1b\}\]0;title/);
      assert.deepEqual(
        workspace.names().filter((name) => name.endsWith('base_state.json')),
        ['-0-title-/base_state.json', 'run/base_state.json'],
      );
    }));

  it('replaces a file only with --force, and explains other errors', () =>
    onMachine([reply('Done.')], async (machine) => {
      await machine.run('Say that it is done.');
      const out = machine.workspace.at('there.json');
      fs.writeFileSync(out, 'mine');
      const fails = async (...args: string[]): Promise<string> => {
        const { code, stderr } = await machine.start(['export', ...args]).ended;
        assert.equal(code, 1);
        return stderr;
      };
      assert.match(
        await fails(machine.log, '--to', 'mini', '--out', out),
        /there\.json already exists\. Choose another place, or replace it with --force\./,
      );
      assert.equal(fs.readFileSync(out, 'utf8'), 'mine');
      assert.equal(
        (await machine.start(['export', machine.log, '--to', 'mini', '--out', out, '--force']).ended).code,
        0,
      );
      assert.match(fs.readFileSync(out, 'utf8'), /mini-swe-agent-1\.1/);
      assert.match(await fails(machine.log, '--to', 'word'), /There is no format word to write\. Formats: .*mini/);
      assert.match(
        await fails('20261121-nothing', '--to', 'mini'),
        /There is no file or session named 20261121-nothing\./,
      );
      assert.match(
        await fails(machine.workspace.root, '--to', 'mini'),
        /is not a trajectory that Waymark can read, nor does it contain one\. Formats: /,
      );
      fs.writeFileSync(machine.workspace.at('broken.traj.json'), '{"messages": [');
      assert.match(
        await fails(machine.workspace.at('broken.traj.json'), '--to', 'openai'),
        /No part of .*broken\.traj\.json could be read as mini-swe-agent\. messages: The file ends in the middle of this/,
      );
      assert.deepEqual(
        machine.workspace.names().filter((name) => /new-|old-/.test(name)),
        [],
        'nothing half-written is left',
      );
    }));

  it('masks known and likely secrets in every format', () =>
    onMachine([], async (machine) => {
      fs.writeFileSync(machine.workspace.at('.env'), `SERVICE_TOKEN=${canary}\n`);
      const said = `${canary} ${patterned} ${Buffer.from(canary).toString('base64')} ${encodeURIComponent(canary)}`;
      const events = [
        taskStarted(said, { systemPrompt: said, tools: ['bash'], cwd: machine.workspace.root, confirmation: 'never' }),
        agentResponse(said, {
          readUpTo: 1,
          reasoning: { text: said, field: 'reasoning' },
          usage: leastUsage,
          finishReason: 'tool_calls',
          actions: [
            {
              id: 'c',
              tool: 'bash',
              input: { command: `echo ${said}`, apiKey: patterned.slice(4) },
              rawInput: `{ "command": ${JSON.stringify(`echo ${said}`)}, "apiKey": "${patterned.slice(4)}" }`,
              summary: said,
              group: 0,
              risk: { level: 'low', reasons: [said] },
            },
          ],
        }),
        {
          type: 'observation',
          actionId: 'c',
          outcome: 'ok',
          content: `${said}\n-----BEGIN PRIVATE KEY-----\n${patterned}`,
          worded: JSON.stringify({ key: said }),
          details: {
            kind: 'command',
            end: 'exited',
            exitCode: 0,
            durationMs: 1,
            cwd: '/',
            tty: false,
            outputBytes: 3,
            outputCharacters: 20,
          },
        },
        { type: 'finished', status: 'failed', summary: said, problem: { what: said, why: said, next: said } },
      ];
      const log = machine.workspace.at('leaky.waymark.jsonl');
      fs.writeFileSync(
        log,
        [{ waymark: 1 }, ...events.map((event, seq) => ({ seq, at: 1e12 + seq, ...event }))]
          .map((line) => `${JSON.stringify(line)}\n`)
          .join(''),
      );
      for (const { name } of formats.filter(({ write }) => write)) {
        const out = machine.workspace.at(`masked-${name}`);
        const { code, stderr } = await machine.start(['export', log, '--to', name, '--out', out]).ended;
        assert.equal(code, 0, stderr);
        const files = fs.statSync(out).isDirectory()
          ? fs
              .readdirSync(out, { recursive: true, encoding: 'utf8' })
              .map((file) => path.join(out, file))
              .filter((file) => fs.statSync(file).isFile())
          : [out];
        const text = files.map((file) => fs.readFileSync(file, 'utf8')).join('\n');
        for (const secret of [
          canary,
          patterned,
          patterned.slice(4),
          Buffer.from(canary).toString('base64').replace(/=+$/, ''),
        ])
          assert.equal(text.includes(secret), false, `${name} tells ${secret.slice(0, 6)}…`);
        assert.match(text, /masked secret/);
      }
    }));
});
