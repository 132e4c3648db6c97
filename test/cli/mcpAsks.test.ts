import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { fixture, httpServer } from '../adapters/mcp/support';
import { toolCall } from '../support/answers/modelAnswers';
import { cliFile, ensureBuilt, onMachine, type Machine } from './support/commandLine';
import { sitDown } from './support/sitDown';

const finish = toolCall('finish', { summary: 'It is done.' });
const schema = {
  type: 'object',
  properties: {
    berth: { type: 'string', enum: ['A1', 'B2'] },
    nights: { type: 'integer', minimum: 1, default: 2 },
    apiKey: { type: 'string' },
  },
  required: ['berth', 'nights'],
};
const asking = (machine: Machine, ...options: string[]) => {
  machine.workspace.place(
    '.agent/mcp.json',
    JSON.stringify({ servers: { notes: { command: process.execPath, args: [fixture('server.mjs')] } } }),
  );
  return sitDown(machine, 'Book it.', '--mcp', 'notes', '--allow-mcp', ...options);
};
const came = (machine: Machine): unknown =>
  JSON.parse(machine.events().find((event) => event.type === 'observation')!.content);

describe('a question of an MCP server at a terminal', function () {
  this.timeout(60_000);
  before(ensureBuilt);

  it('asks for each value, repeats invalid ones, and marks a likely secret', () =>
    onMachine([toolCall('mcp_notes_ask', { schema }), finish], async (machine) => {
      const person = asking(machine, '--confirm', 'never');
      await person.reads(
        /The MCP server notes asks: Which branch\?[\s\S]*probably asks for a secret[\s\S]*Answer it\?/,
      );
      await person.types('y\r');
      await person.reads(/berth: /);
      await person.types('C3\r');
      await person.reads(/Choose one of A1, B2\./);
      await person.types('B2\r');
      await person.reads(/nights \[2\]: /);
      await person.types('\r');
      await person.reads(/apiKey: /);
      await person.types('\r');
      assert.equal(await person.leaves(), 0);
      assert.deepEqual(came(machine), { action: 'accept', content: { berth: 'B2', nights: 2 } });
    }));

  it('hides a typed input of a server, unless its file says that it is no password', () =>
    onMachine([finish], async (machine) => {
      const env = { NOTES_KEY: '${input:key}', NOTES_PLACE: '${input:place}' };
      const notes = { command: process.execPath, args: [fixture('server.mjs')], env };
      const inputs = [{ id: 'place', type: 'promptString', description: 'Which place?' }];
      machine.workspace.place('.agent/mcp.json', JSON.stringify({ servers: { notes }, inputs }));
      const person = sitDown(machine, 'Book it.', '--mcp', 'notes', '--agree', 'mcp');
      await person.reads(/notes needs a value\. key: /);
      await person.types('nobody-reads-this\r');
      await person.reads(/notes needs a value\. Which place\?: /);
      await person.types('harbour\r');
      assert.equal(await person.leaves(), 0);
      assert.match(person.seen(), /harbour/);
      assert.doesNotMatch(person.seen(), /nobody|-reads/);
    }));

  it('takes turns with other questions of the run', () =>
    onMachine([toolCall('mcp_notes_ask', {}), toolCall('mcp_notes_echo', { words: 'on' }), finish], async (machine) => {
      const person = asking(machine);
      await person.reads(/Run once\?/);
      await person.types('y\r');
      await person.reads(/Answer it\?/);
      await person.types('y\r');
      await person.reads(/Branch: /);
      await person.types('main\r');
      await person.reads(/Run once\?/, 2);
      await person.types('y\r');
      assert.equal(await person.leaves(), 0);
      assert.deepEqual(came(machine), { action: 'accept', content: { branch: 'main' } });
      assert.doesNotMatch(person.seen(), /mmaaiinn/, 'what is typed is seen once');
    }));

  it('is declined unless the person types y, and is withdrawn when the run is stopped', () =>
    onMachine(
      [toolCall('mcp_notes_ask', { schema }), toolCall('mcp_notes_ask', { schema }), finish],
      async (machine) => {
        const person = asking(machine, '--confirm', 'never');
        await person.reads(/Answer it\?/);
        await person.types('\r');
        await person.reads(/Answer it\?/, 2);
        assert.deepEqual(came(machine), { action: 'decline' });
        await person.types('\x03');
        await person.reads(/A note for the agent/);
        await person.types('\x03');
        assert.equal(await person.leaves(), 130);
      },
    ));
});

describe('the sign-in to an MCP server on the command line', function () {
  this.timeout(60_000);
  before(ensureBuilt);
  const start = ['mcp', '--start', 'notes', '--agree'];
  const onServer = (use: (machine: Machine) => Promise<void>): Promise<void> =>
    httpServer(
      (url) =>
        onMachine([], async (machine) => {
          machine.workspace.place('.agent/mcp.json', JSON.stringify({ servers: { notes: { url } } }));
          await use(machine);
        }),
      '--oauth',
    );

  it('is waited for at a terminal', () =>
    onServer(async (machine) => {
      const person = sitDown({ ...machine, args: () => start }, '');
      await person.reads(/Sign in to notes in a browser of this machine:\s+http:\S+\s/);
      await new Promise((resolve) => setTimeout(resolve, 500)); // it does not go on without the answer
      await fetch(person.seen().match(/http:\S+/)![0]);
      assert.equal(await person.leaves(), 0);
      assert.match(person.seen(), /mcp_notes_echo/);
    }));

  it('is not begun without a terminal, and the error says what to do', () =>
    onServer(async ({ workspace, environment }) => {
      const { status, stderr } = spawnSync(process.execPath, [cliFile, ...start], {
        cwd: workspace.root,
        env: environment,
        encoding: 'utf8',
      });
      assert.match(
        stderr,
        /notes requires a sign-in with a browser, and there is no terminal to ask at\. .*"Authorization": "Bearer \$\{env:TOKEN\}"/,
      );
      assert.doesNotMatch(stderr, /in a browser of this machine/);
      assert.notEqual(status, 0);
    }));
});
