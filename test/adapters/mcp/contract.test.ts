// Properties of every server, whatever the transport: the same tests over both transports.
import assert from 'node:assert/strict';
import type { Elicitation, Elicited } from '../../../src/core/mcp/elicitation';
import { variableAt } from '../../../src/core/mcp/uriTemplate';
import type { ToolContext, ToolResult } from '../../../src/core/ports/tool';
import { httpServer, onMachine, agreed, stdio, until, type Machine } from './support';
import { toolContext } from '../../support/toolContext';

interface Served extends Machine {
  call(tool: string, input?: object, context?: Partial<ToolContext>): Promise<ToolResult>;
  /** Restarts the server without its memory. */ restarted(): Promise<void>;
  readonly asked: { question: Elicitation; server: string; signal: AbortSignal }[];
  reply: (question: Elicitation, signal: AbortSignal) => Promise<Elicited>;
}
type Serve = (use: (served: Served) => Promise<void>, settings?: { timeout?: number }) => Promise<void>;

async function serving(
  machine: Machine,
  host: { served?: Served },
  restarted: () => Promise<void>,
  use: (served: Served) => Promise<void>,
): Promise<void> {
  const { servers } = machine;
  const call: Served['call'] = async (tool, input = {}, context = {}) => {
    const found = servers.tools().find(({ name }) => name === `mcp_notes_${tool}`);
    if (!found) throw new Error(`There is no ${tool}.`);
    return found.bind(input).run(toolContext(context));
  };
  const served: Served = { ...machine, call, restarted, asked: [], reply: async () => ({ action: 'decline' }) };
  host.served = served;
  await agreed(servers, 'notes');
  await servers.prepare(new AbortController().signal);
  await use(served);
}

const transports: Readonly<Record<string, Serve>> = {
  'standard input and output': (use, settings = {}) =>
    withHost((host) =>
      onMachine(
        { '.mcp.json': { mcpServers: { notes: { ...stdio(), ...settings } } } },
        (machine) =>
          serving(
            machine,
            host,
            async () => {
              process.kill(Number(machine.marks().at(-1)), 'SIGKILL');
              await until('its end', () => machine.servers.serverNamed('notes')!.state === 'failed');
            },
            use,
          ),
        host.given,
      ),
    ),
  'streamable HTTP': (use, settings = {}) =>
    withHost((host) =>
      httpServer((address, server) =>
        onMachine(
          { '.mcp.json': { mcpServers: { notes: { url: address, ...settings } } } },
          (machine) => serving(machine, host, server.again, use),
          host.given,
        ),
      ),
    ),
};

function withHost(run: (host: { served?: Served; given: object }) => Promise<void>): Promise<void> {
  const host: { served?: Served; given: object } = {
    given: {
      elicit: async (question: Elicitation, server: string, signal: AbortSignal) => {
        host.served!.asked.push({ question, server, signal });
        return host.served!.reply(question, signal);
      },
    },
  };
  return run(host);
}

for (const [transport, serve] of Object.entries(transports)) {
  describe(`the contract with MCP servers, over ${transport}`, () => {
    it('cancels a stopped call at the server', () =>
      serve(async ({ call }) => {
        const stop = new AbortController();
        const told: string[] = [];
        const running = call('wait', {}, { signal: stop.signal, progress: (words) => void told.push(words) });
        await until('progress', () => told.length > 0);
        stop.abort(new Error('Stopped.'));
        await assert.rejects(running);
        await until('its cancellation', async () => (await call('ended')).content === 'cancelled');
      }));

    it('lets a call run as long as it reports progress, and shows the progress', () =>
      serve(
        async ({ call }) => {
          const told: string[] = [];
          assert.equal((await call('wait', {}, { progress: (words) => void told.push(words) })).content, 'Waited.');
          assert.match(told[0]!, /^reading \(\d+ \/ 20\)\n$/);
        },
        { timeout: 3 },
      ));

    it('gives up and cancels a call without a sign of life, and the next call is answered', () =>
      serve(
        async ({ call }) => {
          assert.deepEqual(await call('hang'), {
            content:
              'the MCP server notes did not answer within 2 s, so the call was abandoned. It may have taken effect.',
            failed: true,
            timedOut: true,
          });
          assert.equal((await call('echo', { words: 'on' })).content, 'You said: on');
        },
        { timeout: 2 },
      ));

    it('reports a malformed answer as an error, and the next call is answered', () =>
      serve(async ({ call }) => {
        const answer = await call('malformed').then(
          ({ content, failed }) => (failed ? content : 'sound'),
          (error: Error) => error.message,
        );
        assert.match(answer, /invalid|malformed/i);
        assert.equal((await call('echo', { words: 'on' })).content, 'You said: on');
      }));

    it('reports a server that exits during a call as an error', () =>
      serve(async ({ call, servers }) => {
        await assert.rejects(
          call('crash'),
          /the MCP server notes (ended during the call\. It ended with exit code 7|could not be reached\. (The connection was closed before a response arrived|(?:Nothing answers at 127\.0\.0\.1:\d+|127\.0\.0\.1:\d+ closed the connection)[^.]*)\. The call may have taken effect)/,
        );
        assert.equal(servers.serverNamed('notes')!.state, 'failed');
      }));

    it('reconnects to a restarted server, with the same tools', () =>
      serve(async ({ call, servers, restarted }) => {
        const before = servers.tools();
        await restarted();
        await until('an answer', () =>
          call('echo', { words: 'again' }).then(
            ({ content }) => content === 'You said: again',
            () => false,
          ),
        );
        assert.equal(servers.serverNamed('notes')!.state, 'running');
        assert.deepEqual(servers.tools(), before);
      }));

    it('hides the tools of a server the user stopped, until the user starts it again', () =>
      serve(async ({ call, servers }) => {
        const server = servers.serverNamed('notes')!;
        server.isStoppedByUser = true;
        await server.stop();
        await servers.prepare(new AbortController().signal);
        assert.deepEqual([server.state, servers.tools()], ['stopped', []]);
        await server.startAnew();
        assert.equal((await call('echo', { words: 'again' })).content, 'You said: again');
      }));

    it('stops restarting a server that exits on every call', () =>
      serve(async ({ call, servers, restarted }) => {
        const server = servers.serverNamed('notes')!;
        let last = '';
        await until(
          'its being left alone',
          async () => {
            last = await call('crash').then(
              () => '',
              (error: Error) => error.message,
            );
            if (last.includes('did not start')) await restarted();
            return last.includes('is not restarted automatically');
          },
          90,
        );
        assert.match(last, /^the MCP server notes ended 3 times in a row without answering/);
        assert.equal(server.mayRetry, false);
        if (transport !== 'standard input and output') await restarted();
        await server.startAnew();
        assert.equal((await call('echo', { words: 'mended' })).content, 'You said: mended');
      })).timeout(120_000);

    it('completes the variables of a resource template', () =>
      serve(async ({ servers }) => {
        const { templates, calls } = servers.serverNamed('notes')!;
        assert.deepEqual(templates, [
          { template: 'shelf://{colour}/{fruit}', name: 'Shelf', description: 'What lies there.' },
        ]);
        const offered = (typed: string) =>
          calls.valuesFor(templates[0]!.template, variableAt(templates[0]!.template, typed)!);
        assert.deepEqual(
          [
            await offered('shelf://'),
            await offered('shelf://r'),
            await offered('shelf://red/'),
            await offered('shelf://dark%20green/p'),
          ],
          [['red', 'dark green'], ['red'], ['apples', 'cherries'], ['pears']],
        );
        assert.equal(await calls.read('shelf://dark%20green/pears'), 'pears from dark green');
      }));

    it('tells a server the workspace folders', () =>
      serve(async ({ call }) => {
        assert.equal((await call('roots')).content, 'workspace');
      }));

    it('asks the user a server’s question with the server’s name and returns the answer', () =>
      serve(async (served) => {
        served.reply = async () => ({ action: 'accept', content: { branch: 'main' } });
        const told: string[] = [];
        assert.deepEqual(
          JSON.parse((await served.call('ask', {}, { progress: (words) => void told.push(words) })).content),
          { action: 'accept', content: { branch: 'main' } },
        );
        assert.deepEqual(
          served.asked.map(({ server, question: { message, fields } }) => [
            server,
            message,
            fields.map(({ name, kind, required }) => [name, kind, required]),
          ]),
          [['notes', 'Which branch?', [['branch', 'text', true]]]],
        );
        assert.deepEqual(told, ['It asks you: Which branch?\n', 'You answered.\n']);
      }));

    it('lets the user decline, without a time limit', () =>
      serve(
        async (served) => {
          served.reply = async () => {
            await new Promise((resolve) => setTimeout(resolve, 2500));
            return { action: 'decline' };
          };
          assert.deepEqual(JSON.parse((await served.call('ask')).content), { action: 'decline' });
        },
        { timeout: 2 },
      ));

    it('withdraws a question when the call is stopped', () =>
      serve(async (served) => {
        const stop = new AbortController();
        served.reply = (_question, signal) =>
          new Promise((resolve) =>
            signal.addEventListener('abort', () => resolve({ action: 'cancel' }), { once: true }),
          );
        const running = served.call('ask', {}, { signal: stop.signal });
        await until('the question', () => served.asked.length > 0);
        stop.abort(new Error('Stopped.'));
        await assert.rejects(running);
        await until('its end', () => served.asked[0]!.signal.aborted);
      }));
  });
}
