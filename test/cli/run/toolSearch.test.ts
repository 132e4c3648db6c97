// Many tools of an MCP server are not sent with each request: the model finds them. A real run against a model server.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { readEventLog } from '../../../src/adapters/log/eventLog';
import { requestAt } from '../../../src/core/trajectory/requestAt';
import { fixture } from '../../adapters/mcp/support';
import { reply, toolCall } from '../../support/answers/modelAnswers';
import type { RecordedRequest } from '../../support/modelServer';
import { ensureBuilt, onMachine, type Machine } from '../support/commandLine';

const finish = toolCall('finish', { summary: 'It is done.' });
const find = (query: string) => toolCall('find_tools', { query });
const createIssue = toolCall('mcp_forge_create_issue', { repository: 'r' });

/** Runs with the server of many tools and one with few. */
function run(machine: Machine, ...options: string[]) {
  const server = (file: string) => ({ command: process.execPath, args: [fixture(file)] });
  const servers = { forge: server('catalog.mjs'), notes: server('malformed.mjs') };
  machine.workspace.place('.agent/mcp.json', JSON.stringify({ servers }));
  return machine.run('Open an issue.', '--mcp', 'all', '--agree', 'mcp', '--confirm', 'never', ...options);
}

const toolsSent = ({ server }: Machine, request: number): { readonly name: string; readonly description: string }[] =>
  (server.requests[request]!.body.tools ?? []).map((tool) => tool['function']);
const namesSent = (machine: Machine, request: number): string[] => toolsSent(machine, request).map(({ name }) => name);
const ofForge = (names: readonly string[]): string[] => names.filter((name) => name.startsWith('mcp_forge_'));

describe('many tools of MCP servers', function () {
  this.timeout(60_000);
  before(ensureBuilt);

  it('are offered once the model has found them, and stay so; those of a small server always are', () =>
    onMachine([find('open a new issue'), createIssue, reply('On.'), finish], async (machine) => {
      const { code, stderr } = await run(machine);
      assert.equal(code, 0, stderr);
      const first = namesSent(machine, 0);
      assert.deepEqual(ofForge(first), []);
      assert.ok(first.includes('mcp_notes_sound'));
      const [finder] = toolsSent(machine, 0).filter(({ name }) => name === 'find_tools');
      assert.match(finder!.description, /There are: mcp_forge_create_issue, .*mcp_forge_search_team\.$/);
      const second = ofForge(namesSent(machine, 1));
      assert.deepEqual(
        second,
        ['create', 'list', 'get', 'update', 'delete', 'search'].map((verb) => `mcp_forge_${verb}_issue`),
      );
      assert.deepEqual(ofForge(namesSent(machine, 2)), second);
      // The inspector shows what was sent.
      const replies = machine.events().filter((event) => event.type === 'agent_response');
      for (const [index, { seq }] of replies.entries())
        assert.deepEqual(
          requestAt(machine.events(), seq)!.tools.map(({ name, description }) => ({ name, description })),
          toolsSent(machine, index).map(({ name, description }) => ({ name, description })),
        );
      const results = machine.events().flatMap((event) => (event.type === 'observation' ? [event] : []));
      assert.deepEqual(results[0]!.details?.kind, 'tools');
      assert.match(results[0]!.content, /^You can call these tools now: mcp_forge_create_issue,/);
      assert.match(results[1]!.content, /Did create_issue in r\./);
    }));

  it('and their search are not compared by a replay, in which no server runs', () =>
    onMachine([find('open a new issue'), createIssue, toolCall('list_files', {}), finish], async (machine) => {
      await run(machine);
      const { code, stdout } = await machine.start(['replay', machine.log, '--cwd', machine.workspace.root]).ended;
      const rows =
        stdout.match(/not compared .*\(Tools of MCP servers and extensions do not run in a replay\.\)/g) ?? [];
      assert.equal(rows.length, 2, stdout);
      assert.match(stdout, /^4 actions: 2 the same, 0 different, 2 not comparable\.$/m);
      assert.equal(code, 0);
    }));

  it('make the first request a third as large', () =>
    onMachine([finish], (searching) =>
      onMachine([finish], async (whole) => {
        await run(searching);
        await run(whole, '--disable-toolsets', 'tool_search');
        assert.equal(ofForge(namesSent(whole, 0)).length, 60);
        assert.ok(!namesSent(whole, 0).includes('find_tools'));
        const size = ({ server }: Machine): number => JSON.stringify(server.requests[0]!.body).length;
        assert.ok(size(searching) * 3 < size(whole), `${size(searching)} of ${size(whole)}`);
      }),
    ));

  it('can be called by name without a search, and are offered from then on', () =>
    onMachine([createIssue, finish], async (machine) => {
      const { code, stderr } = await run(machine);
      assert.equal(code, 0, stderr);
      assert.deepEqual(ofForge(namesSent(machine, 1)), ['mcp_forge_create_issue']);
    }));

  it('need approval for their first call, whether found or not', async () => {
    for (const answers of [[createIssue], [find('open a new issue'), createIssue]])
      await onMachine([...answers, finish], async (machine) => {
        const { code } = await run(machine, '--confirm', 'risky');
        const asked = machine.events().at(-1)!;
        assert.equal(code, 3);
        assert.equal(asked.type, 'confirmation_requested');
        const [action] = machine
          .events()
          .flatMap((event) => (event.type === 'agent_response' ? event.actions : []))
          .slice(-1);
        assert.deepEqual(asked.type === 'confirmation_requested' && asked.actionIds, [action!.id]);
        assert.equal(action!.tool, 'mcp_forge_create_issue');
      });
  });

  it('are recorded once in the log of a subagent, which searches them as well', () =>
    onMachine(
      Array.from({ length: 5 }, () => ({ body: { messages } }: RecordedRequest) => {
        const turn = messages.filter(({ role }) => role === 'assistant').length;
        const isChild = !JSON.stringify(messages).includes('Open an issue.');
        if (isChild) return [find('open a new issue'), createIssue, reply('It is open.')][turn]!;
        const tasks = [{ title: 'issues', task: 'Open the other one.' }];
        return turn === 0 ? toolCall('delegate', { tasks }) : finish;
      }),
      async (machine) => {
        const { code, stderr } = await run(machine, '--toolsets', 'default,delegation,added');
        assert.equal(code, 0, stderr);
        const names = fs.readdirSync(`${machine.log}.children`);
        const log = names.find((name) => name.endsWith('.jsonl') && !name.endsWith('.changes.jsonl'));
        const { events } = readEventLog(path.join(`${machine.log}.children`, log!));
        const recorded = events.flatMap((event) =>
          'addedTools' in event ? [{ type: event.type, addedTools: event.addedTools ?? [] }] : [],
        );
        assert.deepEqual(
          recorded.map(({ type, addedTools }) => [type, addedTools.filter(({ deferred }) => deferred).length]),
          [['task_started', 60]],
        );
        const results = events.flatMap((event) => (event.type === 'observation' ? [event.content] : []));
        assert.match(results[1]!, /Did create_issue in r\./);
      },
    ));

  it('are not offered in plan mode, whether found or sent with each request, and a call of one is refused', () =>
    onMachine(
      [find('open a new issue'), toolCall('mcp_notes_sound', {}), createIssue, reply('The plan.')],
      async (machine) => {
        const { code, stderr } = await run(machine, '--mode', 'plan');
        assert.equal(code, 0, stderr);
        for (const request of [0, 1, 2, 3])
          assert.deepEqual(
            namesSent(machine, request).filter((name) => name.startsWith('mcp_')),
            [],
          );
        const results = machine.events().flatMap((event) => (event.type === 'observation' ? [event] : []));
        assert.match(results[0]!.content, /^Plan mode does not allow these tools, .* mcp_forge_create_issue,/);
        for (const { outcome, content } of results.slice(1)) {
          assert.notEqual(outcome, 'ok');
          assert.match(content, /^Plan mode /);
        }
      },
    ));

  it('are suggested if the model misspells one, but not for another name', () =>
    onMachine(
      [toolCall('mcp_forge_creat_isue', { repository: 'r' }), toolCall('mcp_web_search', {}), createIssue, finish],
      async (machine) => {
        await run(machine);
        const results = machine.events().flatMap((event) => (event.type === 'observation' ? [event.content] : []));
        assert.match(
          results[0]!,
          /You probably mean mcp_forge_create_issue\. A correct call: mcp_forge_create_issue \{"repo/,
        );
        assert.match(results[1]!, /^There is no tool named mcp_web_search\. Tools: read_file, .* and \d+ more\.$/);
      },
    ));

  it('are named if nothing matches', () =>
    onMachine([find('xylophone'), finish], async (machine) => {
      await run(machine);
      const [result] = machine.events().flatMap((event) => (event.type === 'observation' ? [event] : []));
      assert.match(result!.content, /^No tool matches\. There are: mcp_forge_create_issue, /);
      assert.deepEqual(ofForge(namesSent(machine, 1)), []);
    }));

  it('begin with fewer tools for a model with a small context window', async () => {
    const servers = { forge: { command: process.execPath, args: [fixture('catalog.mjs'), 'issue'] } };
    const offeredFor = (window: string): Promise<string[]> =>
      onMachine([finish], async (machine) => {
        machine.workspace.place('.agent/mcp.json', JSON.stringify({ servers }));
        await machine.run('Look.', '--mcp', 'all', '--agree', 'mcp', '--context-window', window);
        return namesSent(machine, 0).filter((name) => name === 'find_tools' || name.startsWith('mcp_'));
      });
    assert.equal((await offeredFor('100000')).length, 6);
    assert.deepEqual(await offeredFor('8000'), ['find_tools']);
  });

  it('add nothing to the requests if there is room for all', () =>
    onMachine([finish], async (machine) => {
      const servers = { notes: { command: process.execPath, args: [fixture('malformed.mjs')] } };
      machine.workspace.place('.agent/mcp.json', JSON.stringify({ servers }));
      await machine.run('Look.', '--mcp', 'all', '--agree', 'mcp');
      assert.ok(namesSent(machine, 0).includes('mcp_notes_sound'));
      assert.ok(!namesSent(machine, 0).includes('find_tools'));
    }));
});
