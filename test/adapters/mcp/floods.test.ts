import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import readline from 'node:readline';
import type { Elicited } from '../../../src/core/mcp/elicitation';
import type { ToolResult } from '../../../src/core/ports/tool';
import { agreed, fixture, onMachine, type Machine } from './support';
import { toolContext } from '../../support/toolContext';

/** A server that floods one of the two transports, and the questions the user got. */
async function withFlood(
  over: 'stdio' | 'http',
  use: (machine: Machine, asked: string[]) => Promise<void>,
  { tools, timeout = 60 }: { readonly tools?: string; readonly timeout?: number } = {},
): Promise<void> {
  const options = tools === undefined ? [] : ['--tools', tools];
  let child: ChildProcess | undefined;
  let named: object = { command: process.execPath, args: [fixture('flood.mjs'), ...options], timeout };
  if (over === 'http') {
    child = spawn(process.execPath, [fixture('flood.mjs'), '--http', ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const port = await new Promise<string>((resolve) =>
      readline.createInterface({ input: child!.stdout! }).once('line', resolve),
    );
    named = { url: `http://127.0.0.1:${port}/mcp`, timeout };
  }
  const asked: string[] = [];
  const elicit = async ({ message }: { readonly message: string }): Promise<Elicited> => {
    asked.push(message);
    return { action: 'decline' };
  };
  try {
    await onMachine({ '.mcp.json': { mcpServers: { notes: named } } }, (machine) => use(machine, asked), { elicit });
  } finally {
    child?.kill('SIGKILL');
  }
}

const call = ({ servers }: Machine, name: string, input: object = {}, told: string[] = []): Promise<ToolResult> => {
  const tool = servers.tools().find((each) => each.name === `mcp_notes_${name}`)!;
  return tool.bind(input).run(toolContext({ progress: (words) => void told.push(words) })) as Promise<ToolResult>;
};

/** Counts the occurrences of words in a text. */
const times = (words: string, text: string): number => text.split(words).length - 1;

const endless: readonly (readonly ['stdio' | 'http', string, string])[] = [
  ['stdio', 'line', 'It sent a message of more than 16 MB.'],
  ['http', 'data', 'It sent more than 16 MB without completing a message.'],
  ['http', 'comments', 'It sent more than 16 MB without completing a message.'],
  ['http', 'json', 'It sent more than 16 MB without completing a message.'],
  ...(['stdio', 'http'] as const).flatMap((over) =>
    (['logs', 'progress', 'sampling', 'questions'] as const).map(
      (kind) => [over, kind, 'It sent more than 10,000 unsolicited messages within a minute.'] as const,
    ),
  ),
];

describe('an MCP server that sends endless data', function () {
  this.timeout(180_000); // floods are read slowly on purpose

  for (const [over, kind, words] of endless) {
    it(`is ended with a message, once: ${kind} over ${over}`, () =>
      withFlood(over, async (machine) => {
        const server = await agreed(machine.servers, 'notes');
        await server.start();
        await assert.rejects(
          call(machine, 'flood', { kind }),
          ({ message }: Error) =>
            message.includes('ended during the call') &&
            (message.includes(words) || message.includes('It sent requests without reading the responses')),
        );
        const log = server.log.text;
        assert.ok(times(words, log) <= 1, log.slice(-2000));
        // The run continues: another call restarts the server, after a short backoff.
        await server.startAnew();
        assert.equal((await call(machine, 'calm')).content, 'All is calm.');
      }));
  }

  for (const over of ['stdio', 'http'] as const) {
    it(`can ask the user at most twenty questions per call, over ${over}`, () =>
      withFlood(over, async (machine, asked) => {
        const server = await agreed(machine.servers, 'notes');
        await server.start();
        const told: string[] = [];
        assert.equal((await call(machine, 'flood', { kind: 'hundred questions' }, told)).content, 'Asked.');
        assert.equal(asked.length, 20);
        assert.equal(times('It asked more than 20 questions. The others are declined.', server.log.text), 1);
        assert.equal(told.filter((words) => words.startsWith('It asked more than 20 questions')).length, 1);
      }));

    it(`times out if it only keeps its stream alive, over ${over}`, () =>
      withFlood(
        over,
        async (machine) => {
          const server = await agreed(machine.servers, 'notes');
          await server.start();
          const { content, timedOut } = await call(machine, 'flood', { kind: 'alive' });
          assert.match(String(content), /did not answer within 2 s, so the call was abandoned\./);
          assert.equal(timedOut, true);
          assert.equal((await call(machine, 'calm')).content, 'All is calm.');
        },
        { timeout: 2 },
      ));

    it(`offers only its first thousand of a hundred thousand tools, and reports that, over ${over}`, () =>
      withFlood(
        over,
        async (machine) => {
          const server = await agreed(machine.servers, 'notes');
          await server.start();
          assert.equal(machine.servers.tools().length, 1000);
          assert.deepEqual(machine.servers.unusable(), [
            'MCP server notes: Only its first 1,000 tools are used; it lists more.',
          ]);
        },
        { tools: 'many' },
      ));

    it(`offers only its first thousand tools from endless pages, and reports that, over ${over}`, () =>
      withFlood(
        over,
        async (machine) => {
          const server = await agreed(machine.servers, 'notes');
          await server.start();
          assert.equal(machine.servers.tools().length, 1000);
          assert.deepEqual(machine.servers.unusable(), [
            'MCP server notes: Only its first 1,000 tools are used; it lists more.',
          ]);
        },
        { tools: 'pages' },
      ));

    it(`fails to start if its endless pages are empty, over ${over}`, () =>
      withFlood(
        over,
        async (machine) => {
          const server = await agreed(machine.servers, 'notes');
          await assert.rejects(
            server.start(),
            /Its list of tools does not end: after 64 pages there is still a next one\./,
          );
        },
        { tools: 'empty' },
      ));
  }

  it('loses a tool whose definition is too long, and reports that', () =>
    withFlood(
      'stdio',
      async (machine) => {
        const server = await agreed(machine.servers, 'notes');
        await server.start();
        assert.deepEqual(
          machine.servers.tools().map(({ name }) => name),
          ['mcp_notes_flood'],
        );
        assert.deepEqual(machine.servers.unusable(), [
          'MCP server notes: The tool "long" is not offered: it is longer than 100,000 characters.',
        ]);
      },
      { tools: 'long' },
    ));
});
