import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { Event } from '../../src/protocol/events/event';
import { eventsVersion, eventWords } from '../../src/protocol/events/eventWords';
import { randomRun } from '../core/trajectory/randomRun';
import { failure, reply, toolCall, type Answering, type RecordedRequest } from '../support/modelServer';
import { ensureBuilt, onMachine, type Machine } from './support/commandLine';

type Json = Record<string, unknown>;
type Schema = Json & { readonly $id: string; readonly $defs: Readonly<Record<string, Json>> };

const published = JSON.parse(
  fs.readFileSync(path.join(process.env['REPOSITORY']!, 'docs/events.schema.json'), 'utf8'),
) as Schema;

/** The schema with unknown fields forbidden, so that every printed field must be described. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return copy['type'] === 'object' && copy['properties'] && copy['additionalProperties'] === undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}

/** Unknown keywords and formats are errors. The events use open-ended tuples and fields of two types. */
const validator = (): Ajv2020 =>
  new Ajv2020({ strict: true, strictTuples: false, allowUnionTypes: true, allErrors: true });
const fits = validator().compile(published);
const strict = validator();
strict.addSchema(closed(published) as Schema);

/** Validation errors of a line by the schema of its type, from a validator that knows nothing of Waymark. */
function faultsOf(line: Json): string[] {
  const validate = strict.getSchema(`${published.$id}#/$defs/${String(line['type'])}`) as ValidateFunction | undefined;
  if (!validate) return [`the type ${String(line['type'])} has no schema`];
  return validate(line)
    ? []
    : validate.errors!.map(
        ({ instancePath, message, params }) =>
          `${String(line['type'])}${instancePath} ${message} ${JSON.stringify(params)}`,
      );
}

const linesOf = (stdout: string): Json[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);

/** Parses the lines and asserts that each is valid, by its type and by the schema of all types. */
function checked(stdout: string): Json[] {
  const lines = linesOf(stdout);
  assert.deepEqual(lines.flatMap(faultsOf), []);
  for (const line of lines) assert.ok(fits(line), JSON.stringify(fits.errors));
  return lines;
}

/** If a session reads the findings, its first reply is about them; later replies end it. */
const bySession = ({ body: { messages } }: RecordedRequest): ReturnType<typeof reply> => {
  const task = String(messages.find(({ role }) => role === 'user')!['content']);
  const turn = messages.filter(({ role }) => role === 'assistant').length;
  if (!task.startsWith('Share'))
    return turn === 0
      ? toolCall('run_command', { command: 'pwd' })
      : toolCall('finish', { summary: 'The part is done.' });
  return turn === 0
    ? toolCall('delegate', { tasks: [{ title: 'part', task: 'Do the part.' }] })
    : reply('All steps are done.');
};

interface Run {
  readonly name: string;
  readonly answers: readonly Answering[];
  readonly types: readonly string[];
  readonly code: number;
  go(machine: Machine): ReturnType<Machine['run']>;
}

const runs: readonly Run[] = [
  {
    name: 'reads, edits and runs commands, with failures',
    code: 0,
    types: ['task_started', 'agent_response', 'action_started', 'observation', 'finished'],
    answers: [
      toolCall('read_file', { path: 'a.txt' }, { text: 'I read.' }),
      toolCall('edit_file', { path: 'a.txt', edits: [{ old_text: 'a', new_text: 'b' }] }),
      toolCall('search', { query: 'b' }),
      toolCall('run_command', { command: 'echo out; exit 3' }),
      toolCall('read_file', { path: 'missing.txt' }),
      toolCall('finish', { summary: 'Done.' }),
    ],
    go: (machine) => {
      machine.workspace.place('a.txt', 'a\n');
      return machine.run('Work.', '--json', '--confirm', 'never');
    },
  },
  {
    name: 'delegates to a subagent',
    code: 0,
    types: ['child_started'],
    answers: Array.from({ length: 8 }, () => bySession),
    go: (machine) => machine.run('Share the work.', '--json', '--confirm', 'never', '--toolsets', 'default,delegation'),
  },
  {
    name: 'is rejected by its model server',
    code: 1,
    types: ['finished'],
    answers: [failure(401, 'bad key')],
    go: (machine) => machine.run('Try.', '--json'),
  },
  {
    name: 'retries',
    code: 0,
    types: ['retry_scheduled'],
    answers: [failure(503, 'busy', { 'retry-after': '0' }), reply('Now.')],
    go: (machine) => machine.run('Try.', '--json'),
  },
  {
    name: 'reaches a limit',
    code: 2,
    types: ['finished'],
    answers: [toolCall('run_command', { command: 'echo 1' })],
    go: (machine) => machine.run('Go on.', '--json', '--max-steps', '1'),
  },
  {
    name: 'needs consent',
    code: 3,
    types: ['confirmation_requested'],
    answers: [toolCall('run_command', { command: 'rm -rf precious' })],
    go: (machine) => {
      machine.workspace.place('precious/a.txt', 'x');
      return machine.run('Clean up.', '--json');
    },
  },
  {
    name: 'gets an unreadable reply',
    code: 0,
    types: ['feedback'],
    answers: [
      reply('No command here.'),
      reply('```mswea_bash_command\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n```'),
    ],
    go: (machine) => machine.run('Submit.', '--json', '--profile', 'mini-text', '--confirm', 'never'),
  },
  {
    name: 'triggers a skill',
    code: 0,
    types: ['skill_woken'],
    answers: [reply('Fine.')],
    go: (machine) => {
      machine.workspace.place('.agent/brew.md', '---\ntriggers: [tea]\n---\nUse leaves.\n');
      return machine.run('Make tea.', '--json', '--agree', 'skills');
    },
  },
];

describe('the output of waymark run --json', function () {
  this.timeout(60_000);
  before(ensureBuilt);

  for (const { name, answers, types, code, go } of runs) {
    it(`matches the published schema, field by field, when a run ${name}`, () =>
      onMachine(answers, async (machine) => {
        const ended = await go(machine);
        const lines = checked(ended.stdout);
        assert.deepEqual(
          [ended.code, types.filter((type) => !lines.some((line) => line['type'] === type))],
          [code, []],
          ended.stderr,
        );
      }));
  }

  it('is also in the log, after a header and with a frame at the end of each line', () =>
    onMachine([reply('Hello.')], async ({ run, log }) => {
      const { stdout } = await run('Greet.', '--json');
      const [header, ...logged] = linesOf(fs.readFileSync(log, 'utf8'));
      assert.deepEqual([Object.keys(header!)[0], faultsOf(header!).length], ['waymark', 1]);
      assert.deepEqual(
        logged.map(({ frame, ...line }) => [typeof frame, line]),
        checked(stdout).map((line) => ['string', line]),
      );
    }));
});

describe('the published schema of events', () => {
  it('has a version, and a description for every type', () => {
    assert.equal(published.$id, `urn:waymark:events:${eventsVersion}`);
    assert.deepEqual(Object.keys(eventWords).sort(), Event.options.map((option) => option.shape.type.value).sort());
    assert.deepEqual(
      Object.entries(eventWords).filter(([type, words]) => published.$defs[type]?.['description'] !== words),
      [],
    );
    const undescribed = Object.keys(eventWords).filter((type) =>
      Object.entries(published.$defs[type]!['properties'] as Record<string, Json>).some(
        ([field, { description }]) => ['seq', 'at', 'type', 'child'].includes(field) && !description,
      ),
    );
    assert.deepEqual(undescribed, []);
  });

  it('accepts the events of all kinds of runs', async () => {
    const types = new Set<unknown>();
    for (let seed = 0; seed < 40; seed++) {
      for (const event of await randomRun(seed)) {
        types.add(event.type);
        assert.deepEqual(faultsOf(JSON.parse(JSON.stringify(event)) as Json), []);
      }
    }
    const expected = ['question_asked', 'confirmation_resolved', 'condensation', 'feedback', 'finished'];
    assert.deepEqual(
      expected.filter((type) => !types.has(type)),
      [],
      [...types].join(),
    );
  });

  it('rejects invalid events and accepts fields that later versions may add', () => {
    const good = {
      seq: 3,
      at: 1,
      type: 'observation',
      actionId: 'call_1',
      outcome: 'ok',
      content: 'x',
      details: { kind: 'command', end: 'exited', exitCode: 0, durationMs: 1, cwd: '/', tty: false, outputBytes: 1 },
    };
    const { actionId: _, ...without } = good;
    assert.ok(fits(good));
    assert.ok(fits({ ...good, child: 'session', novelty: 1, details: { ...good.details, novelty: 1 } }));
    const bad: readonly Json[] = [
      without,
      { ...good, seq: -1 },
      { ...good, seq: 1.5 },
      { ...good, at: 'now' },
      { ...good, outcome: 'fine' },
      { ...good, type: 'observed' },
      { ...good, child: 7 },
      { ...good, details: { ...good.details, kind: 'dance' } },
      { ...good, details: { ...good.details, exitCode: '0' } },
      {},
      { waymark: 3 },
    ];
    assert.deepEqual(
      bad.filter((line) => fits(line)),
      [],
    );
  });
});
