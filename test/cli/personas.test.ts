import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { readEventLog } from '../../src/adapters/log/eventLog';
import { eventsOfType } from '../../src/core/log/projection';
import { reply, startModelServer, toolCall, type Answering, type ModelServer } from '../support/modelServer';
import { ensureBuilt, onMachine, type Machine } from './support/commandLine';

const persona = (front: string): string => `---\nname: p\ndescription: Looks.\n${front}\n---\nYou look.\n`;
const file = '.agent/agents/p.md';
const modelsAsked = ({ server }: Machine): unknown[] =>
  server.requests.map(({ body }) => (body as unknown as { model: unknown }).model);
const answers = (task: object): Answering[] => [
  toolCall('delegate', { tasks: [{ title: 'part', task: 'Look.', ...task }] }),
  reply('Seen.'),
  reply('Done.'),
];

describe('waymark run with personas', function () {
  this.timeout(60_000);
  before(ensureBuilt);
  let elsewhere: ModelServer;
  beforeEach(async () => {
    elsewhere = await startModelServer([reply('Mine now.')]);
  });
  afterEach(() => elsewhere.stop());

  it('uses the model and profile of its persona, and refuses another persona in the same session', () =>
    onMachine([reply('Seen.')], async (machine) => {
      machine.workspace.place(file, persona('model: gpt-5-mini\nprofile: openhands'));
      const { code, stderr } = await machine.run('Look.', '--persona', 'p');
      assert.equal(code, 0, stderr);
      const [{ profile, limits, model, persona: who, tools }] = eventsOfType(machine.events(), 'task_started') as [
        never,
      ];
      assert.deepEqual(
        [profile, limits, (model as { name: string }).name, (who as { name: string }).name],
        ['openhands', { steps: 100, cost: 5, seconds: 0 }, 'gpt-5-mini', 'p'],
      );
      assert.ok((tools as string[]).includes('file_editor'));
      assert.deepEqual(modelsAsked(machine), ['gpt-5-mini']);
      const again = await machine.run('Go on.', '--persona', 'q');
      assert.notEqual(again.code, 0);
      assert.match(again.stderr, /The persona is chosen when a session starts, here p/);
    }));

  it('uses the model and profile of a persona for tasks delegated to it', () =>
    onMachine(answers({ persona: 'p' }), async (machine) => {
      machine.workspace.place(file, persona('model: gpt-5-mini\nprofile: openhands'));
      await machine.run('Share.');
      assert.deepEqual(modelsAsked(machine), ['gpt-5', 'gpt-5-mini', 'gpt-5']);
      const folder = `${machine.log}.children`;
      const [log] = fs.readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
      const [started] = eventsOfType(readEventLog(path.join(folder, log!)).events, 'task_started');
      assert.deepEqual(
        [started!.profile, started!.persona?.name, started!.tools.includes('file_editor')],
        ['openhands', 'p', true],
      );
    }));

  it('sends nothing to a server that a persona names', () =>
    onMachine([reply('Seen.')], async (machine) => {
      machine.workspace.place(file, persona(`model: "${elsewhere.baseUrl} x"`));
      const { code, stderr } = await machine.run('Look.', '--persona', 'p');
      assert.notEqual(code, 0);
      assert.match(stderr, /cannot be chosen.*cannot choose the model server/);
      assert.deepEqual([elsewhere.requests.length, machine.server.requests.length], [0, 0]);
      const listed = await machine.start(['skills', '--cwd', machine.workspace.root]).ended;
      assert.match(listed.stdout, /error \.agent\/agents\/p\.md:4:8 A file cannot choose the model server/);
    }));

  it('sends nothing to a server that the model names', async () => {
    await onMachine(answers({ model: `${elsewhere.baseUrl} x` }), async (machine) => {
      await machine.run('Share.');
      assert.equal(elsewhere.requests.length, 0);
      assert.match(
        eventsOfType(machine.events(), 'observation')[0]!.content,
        /only the user chooses servers, so you cannot give an address\. Omit the model, or name one of these: gpt-5/,
      );
    });
  });
});
