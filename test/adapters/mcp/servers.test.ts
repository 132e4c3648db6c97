import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { ToolResult } from '../../../src/core/ports/tool';
import type { McpServers } from '../../../src/adapters/mcp/mcpServers';
import { proxiesOf } from '../../../src/adapters/net/proxies';
import type { Tool } from '../../../src/core/ports/tool';
import { isAllowedByRule } from '../../../src/core/security/allowRules';
import { analyzers, assessWith } from '../../../src/core/security/analyzers';
import { offeredRules } from '../../../src/core/security/offeredRules';
import { secrets } from '../../../src/core/secrets/secrets';
import type { Action, AllowRule, Event } from '../../../src/protocol/events/event';
import { task } from '../../core/agent/story';
import { agreed, httpServer, isAlive, onMachine, stdio, until } from './support';
import { startProxy } from '../../support/proxyServer';
import { toolContext, untouched } from '../../support/toolContext';

const call = (
  servers: McpServers,
  name: string,
  input: object = {},
  signal = new AbortController().signal,
): Promise<ToolResult> => {
  const tool = servers.tools().find((each) => each.name === name);
  if (!tool)
    throw new Error(
      `There is no ${name}, but ${servers
        .tools()
        .map((each) => each.name)
        .join(', ')}.`,
    );
  return tool.bind(input).run(toolContext({ signal }));
};
const begin = async (servers: McpServers): Promise<void> => {
  await agreed(servers, 'notes');
  await servers.prepare(new AbortController().signal);
};
const withNotes = (use: Parameters<typeof onMachine>[1], ...more: string[]): Promise<void> =>
  onMachine({ '.mcp.json': { mcpServers: { notes: stdio(...more) } } }, use);

const isReadable = (file: string): boolean => {
  try {
    fs.readFileSync(file);
    return true;
  } catch {
    return false;
  }
};

/** Both transports behave the same. */
const contract = (transport: string, on: (use: (servers: McpServers) => Promise<void>) => Promise<void>): unknown =>
  describe(`an MCP server over ${transport}`, () => {
    it('offers its tools under names that models accept', () =>
      on(async (servers) => {
        const names = servers.tools().map(({ name }) => name);
        assert.ok(names.includes('mcp_notes_echo') && names.includes('mcp_notes_lookup'), names.join());
        assert.deepEqual(servers.tools().find(({ name }) => name === 'mcp_notes_echo')!.parameters['required'], [
          'words',
        ]);
      }));

    it('answers, refuses, and names non-text content', () =>
      on(async (servers) => {
        assert.deepEqual(await call(servers, 'mcp_notes_echo', { words: 'hello' }), { content: 'You said: hello' });
        assert.deepEqual(await call(servers, 'mcp_notes_refuse'), {
          content: 'This note cannot be read.',
          failed: true,
        });
        assert.deepEqual(await call(servers, 'mcp_notes_picture'), {
          content: '[Image 1, image/png, 8 bytes: shown after the results.]\n\n[A resource: note://one (One)]',
          images: [{ mediaType: 'image/png', data: 'iVBORw0KGgo=' }],
        });
        assert.throws(
          () =>
            servers
              .tools()
              .find(({ name }) => name === 'mcp_notes_echo')!
              .bind({}),
          /words is missing/,
        );
      }));

    it('has a huge answer truncated, with the omitted length', () =>
      on(async (servers) => {
        const { content } = await call(servers, 'mcp_notes_huge');
        assert.ok(content.length < 60_000);
        assert.match(content, /1,95\d,\d{3} characters are omitted here/);
      }));

    it('gives up a hanging call when it is stopped', () =>
      on(async (servers) => {
        const stop = new AbortController();
        const running = call(servers, 'mcp_notes_hang', {}, stop.signal);
        setTimeout(() => stop.abort(new Error('Stopped.')), 50);
        await assert.rejects(running);
        assert.equal(
          (await call(servers, 'mcp_notes_echo', { words: 'still there' })).content,
          'You said: still there',
        );
      }));

    it('offers prompts and resources', () =>
      on(async (servers) => {
        const server = servers.serverNamed('notes')!;
        assert.deepEqual(server.prompts, [
          {
            name: 'review',
            description: 'Reviews a change.',
            inputs: [
              { name: 'change', description: 'which change', required: true },
              { name: 'tone', description: '', required: false },
            ],
          },
        ]);
        assert.equal(await server.calls.prompt('review', { change: 'abc' }), 'Review abc in a plain tone.');
        assert.deepEqual(
          server.resources.map(({ uri, name }) => [uri, name]),
          [['note://one', 'One']],
        );
        assert.equal(await server.calls.read('note://one'), 'The first note says hello.');
      }));

    it('that adds a tool needs approval only for the new tool', () =>
      on(async (servers) => {
        const server = servers.serverNamed('notes')!;
        const before = servers.tools();
        await call(servers, 'mcp_notes_grow');
        await until('the new list', () => server.changes.added.length > 0);
        assert.deepEqual(
          server.changes.added.map(({ name }) => name),
          ['grown'],
        );
        assert.ok(!servers.tools().some(({ name }) => name === 'mcp_notes_grown'));
        assert.deepEqual(servers.tools(), before, 'the tools that stayed the same are the same objects');
        await server.agreeToTools(server.changes.added);
        assert.equal((await call(servers, 'mcp_notes_grown')).content, 'Later.');
      }));
  });

contract('standard input and output', (use) =>
  withNotes(async ({ servers }) => {
    await begin(servers);
    await use(servers);
  }),
);
contract('streamable HTTP', (use) =>
  httpServer((address) =>
    onMachine({ '.vscode/mcp.json': { servers: { notes: { type: 'http', url: address } } } }, async ({ servers }) => {
      await begin(servers);
      await use(servers);
    }),
  ),
);

describe('an MCP server behind a proxy', () => {
  it('is reached through it, without a look-up of its name', () =>
    httpServer(async (address) => {
      const { port, pathname } = new URL(address);
      const proxy = await startProxy(() => Number(port));
      const servers = { notes: { type: 'http', url: `http://notes.test${pathname}` } };
      await onMachine(
        { '.vscode/mcp.json': { servers } },
        async (machine) => {
          await begin(machine.servers);
          assert.ok(machine.servers.tools().length > 0);
        },
        { proxyFor: proxiesOf({ HTTP_PROXY: `http://${proxy.host}` }) },
      );
      assert.deepEqual(new Set(proxy.requests.map(({ target }) => target)), new Set([servers.notes.url]));
      await proxy.stop();
    }));
});

describe('an MCP server', () => {
  it('is not started before the user approves it, nor in an untrusted folder', () =>
    withNotes(async ({ servers, host, marks }) => {
      await servers.refresh();
      await servers.prepare(new AbortController().signal);
      assert.equal(servers.serverNamed('notes')!.state, 'asks');
      await assert.rejects(servers.serverNamed('notes')!.start(), /its current configuration has not been approved/);
      assert.deepEqual([marks(), servers.tools()], [[], []]);
      const server = await agreed(servers, 'notes');
      host.trusted = false;
      await assert.rejects(server.start(), /has not been approved/);
      servers.filesChanged();
      assert.deepEqual([await servers.refresh(), marks()], [[], []]);
      host.trusted = true;
      servers.filesChanged();
      await servers.prepare(new AbortController().signal);
      assert.equal(marks().length, 1);
    }));

  it('needs approval again after its command or its file in the workspace changed', () =>
    onMachine(
      {
        'tool.mjs': `import ${JSON.stringify(new URL(`file://${process.env.REPOSITORY!}/test/fixtures/mcp/server.mjs`).href)};`,
      },
      async ({ servers, write }) => {
        const named = (...args: string[]): void => {
          write('.mcp.json', {
            mcpServers: { notes: { command: process.execPath, args: ['./tool.mjs', ...args], env: { LOG: '1' } } },
          });
          servers.filesChanged();
        };
        named();
        await begin(servers);
        assert.equal(servers.serverNamed('notes')!.state, 'running');
        named('--other');
        assert.deepEqual(
          (await servers.refresh()).map(({ state }) => state),
          ['asks'],
        );
        named();
        assert.deepEqual(
          (await servers.refresh()).map(({ state }) => state),
          ['stopped'],
          'what was agreed to still holds',
        );
        write('tool.mjs', 'process.exit(0);');
        await servers.prepare(new AbortController().signal);
        assert.equal(servers.serverNamed('notes')!.state, 'asks');
      },
    ));

  it('is not started by an approval of another command', () =>
    withNotes(async ({ servers, write }) => {
      await servers.refresh();
      const { hash } = await servers.serverNamed('notes')!.launch();
      write('.mcp.json', { mcpServers: { notes: stdio('--other') } });
      servers.filesChanged();
      await servers.refresh();
      assert.equal(await servers.serverNamed('notes')!.agreeToStart(hash), false);
      assert.equal(servers.serverNamed('notes')!.state, 'asks');
    }));

  it('whose tools changed keeps the unchanged ones; the others wait for approval', () =>
    withNotes(async ({ servers, write }) => {
      await begin(servers);
      await servers.stop();
      write('../variant', 'changed');
      await servers.prepare(new AbortController().signal);
      const server = servers.serverNamed('notes')!;
      assert.deepEqual(
        [server.changes.changed.map(({ name }) => name), server.changes.added.map(({ name }) => name)],
        [['echo'], ['extra']],
      );
      const names = servers.tools().map(({ name }) => name);
      assert.ok(
        names.includes('mcp_notes_lookup') && !names.includes('mcp_notes_echo') && !names.includes('mcp_notes_extra'),
      );
      await server.agreeToTools(server.changes.changed);
      assert.ok(servers.tools().some(({ name }) => name === 'mcp_notes_echo'));
      assert.ok(!servers.tools().some(({ name }) => name === 'mcp_notes_extra'));
    }));

  it('keeps an allow rule for a tool only as long as it is started as it was then', () =>
    withNotes(async ({ servers, write }) => {
      const history = [{ ...task, cwd: '/work', seq: 0, at: 0 }] as Event[];
      const lookup = (): Tool => servers.tools().find(({ name }) => name === 'mcp_notes_lookup')!;
      const actionOf = async (tool: Tool): Promise<Action> => {
        const input = { query: 'one' };
        const risk = await assessWith(analyzers, {
          tool,
          call: tool.bind(input),
          environment: { ...untouched, root: '/work' },
          history,
        });
        return { id: '1', tool: tool.name, input, summary: '', group: 0, effect: 'executes', from: tool.from!, risk };
      };
      const isAllowed = async (rules: readonly AllowRule[]): Promise<boolean> =>
        isAllowedByRule(await actionOf(lookup()), rules, { tool: lookup(), history });
      await begin(servers);
      const first = lookup();
      const action = await actionOf(first);
      const { offers } = await offeredRules(action, { tool: first, history }, async () => action.risk);
      const rules = offers.map(({ rule }) => rule);
      const earlier = rules.map((rule) => ({ ...rule, key: rule.key.replace(/, started as \w+/, '') }));
      assert.deepEqual([rules.length, await isAllowed(rules), await isAllowed(earlier)], [1, true, false]);
      await servers.stop();
      await servers.prepare(new AbortController().signal);
      assert.equal(await isAllowed(rules), true, 'it was started again in the same way');

      write('.mcp.json', { mcpServers: { notes: stdio('--other') } });
      servers.filesChanged();
      await begin(servers);
      assert.equal(await isAllowed(rules), false, 'another command line under the same name');
      await httpServer(async (url) => {
        write('.mcp.json', { mcpServers: { notes: { type: 'http', url } } });
        servers.filesChanged();
        await begin(servers);
        assert.equal(await isAllowed(rules), false, 'another transport under the same name');
        await servers.stop();
      });
    }));

  it('answers no call that was approved before it was started in another way', () =>
    onMachine(
      {
        'tool.mjs': `import ${JSON.stringify(new URL(`file://${process.env.REPOSITORY!}/test/fixtures/mcp/server.mjs`).href)};`,
        '.mcp.json': { mcpServers: { notes: { command: process.execPath, args: ['./tool.mjs'] } } },
      },
      async ({ servers, write, folder }) => {
        await begin(servers);
        const before = servers.tools().find(({ name }) => name === 'mcp_notes_echo')!;
        write('tool.mjs', `${fs.readFileSync(path.join(folder, 'tool.mjs'), 'utf8')}\n`);
        await servers.stop();
        const server = await agreed(servers, 'notes');
        await assert.rejects(before.bind({ words: 'x' }).run(toolContext()), /how its server is started, has changed/);
        assert.equal(server.state, 'running');
        assert.equal((await call(servers, 'mcp_notes_echo', { words: 'x' })).content, 'You said: x');
      },
    ));

  it('that exits during a call reports an error and is restarted for the next call', () =>
    withNotes(async ({ servers, marks }) => {
      await begin(servers);
      await assert.rejects(
        call(servers, 'mcp_notes_crash'),
        /the MCP server notes ended during the call\. It ended with exit code 7\. Its log ends with: about to end/,
      );
      assert.equal(servers.serverNamed('notes')!.state, 'failed');
      await until('another start', () =>
        call(servers, 'mcp_notes_echo', { words: 'again' }).then(
          ({ content }) => content === 'You said: again',
          () => false,
        ),
      );
      assert.equal(marks().length, 2);
    }));

  it('shows no part of a secret where its output is cut', () =>
    onMachine(
      {
        'tool.mjs': `process.stderr.write('x'.repeat(40) + 'maple-' + 'granite-river-58' + 'y'.repeat(590)); process.exitCode = 3;`,
        '.mcp.json': { mcpServers: { notes: { command: process.execPath, args: ['./tool.mjs'] } } },
      },
      async ({ servers }) => {
        secrets.learn('maple-granite-river-58');
        await begin(servers);
        const { reason, log } = servers.serverNamed('notes')!;
        assert.match(String(reason), /Its log ends with: .*y{500}/s);
        assert.doesNotMatch(`${reason}${log.text}`, /river|-58/);
      },
    ));

  it('is restarted after three exits in a row without an answer only by a person', () =>
    withNotes(async ({ servers, marks }) => {
      await begin(servers);
      const crash = (): Promise<string> =>
        call(servers, 'mcp_notes_crash').then(
          () => '',
          (error: Error) => error.message,
        );
      for (const times of [1, 2, 3])
        await until(`exit ${times}`, async () => {
          const said = await crash();
          assert.match(said, /ended during the call|Waymark retries in \d+ s\./);
          return marks().length === times && said.includes('ended during the call');
        });
      assert.match(await crash(), /ended 3 times in a row without answering, so it is not restarted automatically/);
      assert.equal(marks().length, 3);
      await servers.serverNamed('notes')!.startAnew();
      assert.equal((await call(servers, 'mcp_notes_echo', { words: 'again' })).content, 'You said: again');
    }));

  it('that never answers times out', () =>
    onMachine({ '.mcp.json': { mcpServers: { notes: { ...stdio(), timeout: 1 } } } }, async ({ servers }) => {
      await begin(servers);
      assert.deepEqual(await call(servers, 'mcp_notes_hang'), {
        content: 'the MCP server notes did not answer within 1 s, so the call was abandoned. It may have taken effect.',
        failed: true,
        timedOut: true,
      });
    }));

  it('that never sends its handshake is reported as silent, not as exited', async () => {
    const { connectToServer } = await import('../../../src/adapters/mcp/connectToServer');
    const silent = {
      kind: 'stdio',
      name: 'silent',
      command: process.execPath,
      args: ['-e', 'process.stdin.resume()'],
      env: {},
      folder: '',
    } as never;
    const nothing = (): void => undefined;
    await assert.rejects(
      connectToServer(silent, {
        folders: () => [],
        signal: new AbortController().signal,
        timeoutMs: 1000,
        onLog: nothing,
        onClosed: nothing,
        onChanged: nothing,
        onQuestion: async () => ({ action: 'decline' }),
      }),
      /^Error: It did not complete the MCP handshake within 1 s and was ended\.$/,
    );
  });

  it('that prints its key has a log without the key', () =>
    onMachine(
      {
        'tool.mjs': `process.stderr.write('key ' + process.env.NOTES_KEY + '\\n'); await import(${JSON.stringify(new URL(`file://${process.env.REPOSITORY!}/test/fixtures/mcp/server.mjs`).href)});`,
        '.mcp.json': {
          mcpServers: {
            notes: {
              command: process.execPath,
              args: ['./tool.mjs'],
              env: { NOTES_KEY: '${env:WAYMARK_TEST_LOGGED}' },
            },
          },
        },
      },
      async ({ servers }) => {
        process.env['WAYMARK_TEST_LOGGED'] = 'open-sesame-4711';
        try {
          await begin(servers);
          const { log } = servers.serverNamed('notes')!;
          await until('what it printed', () => log.text.includes('key '));
          assert.doesNotMatch(log.text, /sesame/);
          assert.doesNotMatch(log.lastWords, /sesame/);
        } finally {
          delete process.env['WAYMARK_TEST_LOGGED'];
        }
      },
    ));

  it('that floods stderr keeps working, and the end of its output is kept', () =>
    withNotes(async ({ servers }) => {
      await begin(servers);
      assert.equal((await call(servers, 'mcp_notes_flood')).content, 'Flooded.');
      const { log } = servers.serverNamed('notes')!;
      await until('what it printed', () => log.text.includes('omitted'));
      assert.ok(log.text.length < 70_000);
      assert.equal((await call(servers, 'mcp_notes_echo', { words: 'on' })).content, 'You said: on');
    }));

  it('gets PATH and its configured variables, but not the other test variables', () =>
    onMachine(
      { '.mcp.json': { mcpServers: { notes: { ...stdio(), env: { NOTES_KEY: '${env:WAYMARK_TEST_NOTES}' } } } } },
      async ({ servers }) => {
        process.env['WAYMARK_TEST_NOTES'] = 'sesame';
        process.env['WAYMARK_TEST_OTHER'] = 'other';
        await begin(servers);
        const names = (await call(servers, 'mcp_notes_variables')).content.split(' ');
        assert.ok(names.includes('NOTES_KEY') && names.includes('PATH'));
        assert.deepEqual(
          names.filter((name) => /^WAYMARK_TEST|REPOSITORY/.test(name)),
          [],
        );
      },
    ));

  it('keeps its tools apart from those of a server with a similar name', () =>
    onMachine({ '.mcp.json': { mcpServers: { 'a.b': stdio(), 'a b': stdio() } } }, async ({ servers, write }) => {
      await agreed(servers, 'a.b');
      await agreed(servers, 'a b');
      await servers.prepare(new AbortController().signal);
      const echoes = (): string[] =>
        servers
          .tools()
          .filter(({ from }) => from!.tool === 'echo')
          .map(({ name }) => name);
      assert.equal(new Set(echoes()).size, 2, echoes().join());
      for (const name of echoes())
        assert.equal((await call(servers, name, { words: name })).content, `You said: ${name}`);
      write('.mcp.json', { mcpServers: { 'a.b': stdio() } });
      servers.filesChanged();
      await servers.prepare(new AbortController().signal);
      assert.deepEqual(echoes(), ['mcp_a_b_echo'], 'alone it has the plain name');
    }));

  it('ends with all its child processes', () =>
    withNotes(async ({ servers, marks }) => {
      await begin(servers);
      const child = Number((await call(servers, 'mcp_notes_child')).content);
      const own = Number(marks()[0]);
      assert.ok(isAlive(own) && isAlive(child));
      assert.ok((await servers.stop()) >= 2);
      await until('the end of its processes', () => !isAlive(own) && !isAlive(child));
      assert.deepEqual(servers.tools(), []);
    }));

  it('that supports only the newer handshake is started with it', () =>
    withNotes(
      async ({ servers }) => {
        await begin(servers);
        assert.equal(servers.serverNamed('notes')!.reason, undefined);
        assert.equal((await call(servers, 'mcp_notes_echo', { words: 'new' })).content, 'You said: new');
        await call(servers, 'mcp_notes_grow');
      },
      '--variant',
      'modern',
    ));

  it('that does not exist or lacks a variable reports why', () =>
    onMachine(
      {
        '.mcp.json': {
          mcpServers: {
            gone: { command: 'no-such-program' },
            unset: { command: process.execPath, args: ['${env:WAYMARK_TEST_UNSET}'] },
          },
        },
      },
      async ({ servers }) => {
        await agreed(servers, 'gone');
        await agreed(servers, 'unset');
        await servers.prepare(new AbortController().signal);
        assert.deepEqual(
          servers.all.map(({ state, reason }) => [state, reason]),
          [
            [
              'failed',
              'There is no program "no-such-program" on the PATH outside the workspace. Install it, or write its full path.',
            ],
            ['failed', 'The variable WAYMARK_TEST_UNSET is not set. Set it and start the server again.'],
          ],
        );
      },
    ));

  it('that requires sign-in opens the sign-in page and reuses the stored sign-in', () =>
    httpServer(
      (address) =>
        onMachine({ '.mcp.json': { mcpServers: { notes: { url: address } } } }, async ({ servers, host }) => {
          await begin(servers);
          assert.equal(servers.serverNamed('notes')!.reason, undefined);
          assert.equal((await call(servers, 'mcp_notes_echo', { words: 'in' })).content, 'You said: in');
          assert.equal(host.signedIn.length, 1);
          assert.equal(host.signedIn[0]!.searchParams.get('code_challenge_method'), 'S256');
          await servers.stop();
          await servers.prepare(new AbortController().signal);
          assert.equal((await call(servers, 'mcp_notes_echo', { words: 'again' })).content, 'You said: again');
          assert.equal(host.signedIn.length, 1, 'nobody signs in twice');
          assert.equal(host.kept.size, 1);
          await servers.serverNamed('notes')!.revoke();
          assert.equal(host.kept.size, 0);
        }),
      '--oauth',
    ));
});

describe('MCP servers that fail to start', () => {
  it('do not prevent others from starting if one of their programs cannot be read', async function () {
    await onMachine(
      {
        '.mcp.json': { mcpServers: { notes: stdio(), locked: { command: 'node', args: ['locked.mjs'] } } },
        'locked.mjs': '1',
      },
      async ({ folder, servers }) => {
        fs.chmodSync(path.join(folder, 'locked.mjs'), 0);
        // If everything is readable, as for root and on Windows, there is nothing to test.
        if (isReadable(path.join(folder, 'locked.mjs'))) return this.skip();
        await begin(servers);
        assert.deepEqual(servers.all.map(({ state }) => state).sort(), ['asks', 'running']);
      },
    );
  });

  for (const [what, server] of [
    ['an address where nothing is', { url: 'http://127.0.0.1:9' }],
    ['a command that ends at once', { command: process.execPath, args: ['-e', 'process.exit(1)'] }],
  ] as const) {
    it(`say why in plain words: ${what}`, () =>
      onMachine({ '.mcp.json': { mcpServers: { notes: server } } }, async ({ servers }) => {
        const rejected: unknown[] = [];
        const note = (error: unknown): void => void rejected.push(error);
        const others = process.listeners('unhandledRejection');
        process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
        try {
          await begin(servers);
          await new Promise((resolve) => setTimeout(resolve, 50));
        } finally {
          process.off('unhandledRejection', note);
          for (const each of others) process.on('unhandledRejection', each);
        }
        assert.equal(servers.serverNamed('notes')!.state, 'failed');
        assert.doesNotMatch(servers.serverNamed('notes')!.reason!, /before initialization/);
        assert.deepEqual(rejected, []);
      }));
  }

  /** Answers what a client needs to connect, and everything else with a page. */
  const answerWithPage = (status: number) => (request: http.IncomingMessage, response: http.ServerResponse) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    return void text(request).then((body) => {
      const { id, method } = JSON.parse(body) as { id?: number; method: string };
      const results: Readonly<Record<string, unknown>> = {
        initialize: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'notes', version: '1' },
        },
        'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
      };
      if (id === undefined) return response.writeHead(202).end();
      if (!results[method])
        return response.writeHead(status, { 'content-type': 'text/html' }).end('<!doctype html><b>Sorry</b>');
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' });
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
    });
  };
  for (const [status, words] of [
    [500, 'the MCP server notes returned an error. It answered with HTTP 500 Internal Server Error: Sorry.'],
    [404, 'the MCP server notes could not be reached. It no longer knows the session. The call may have taken effect.'],
  ] as const)
    it(`say why in plain words: a call that is answered with HTTP ${status} and a page`, async () => {
      const site = http.createServer(answerWithPage(status));
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
      try {
        const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/mcp`;
        await onMachine({ '.mcp.json': { mcpServers: { notes: { url } } } }, async ({ servers }) => {
          await begin(servers);
          await assert.rejects(call(servers, 'mcp_notes_echo'), { message: words });
          assert.doesNotMatch(servers.serverNamed('notes')!.log.text, /doctype|No MCP server/);
        });
      } finally {
        site.closeAllConnections();
        site.close();
      }
    });

  it('say why in plain words: an address that answers with a page', async () => {
    const site = http.createServer((_, response) => {
      response.writeHead(404, { 'content-type': 'text/html' });
      response.end('<!DOCTYPE html>\n<html><body><p>Cannot POST <b>/sse</b></p></body></html>');
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const { port } = site.address() as AddressInfo;
    try {
      const url = `http://127.0.0.1:${port}/sse`;
      await onMachine({ '.mcp.json': { mcpServers: { notes: { url } } } }, async ({ servers }) => {
        await begin(servers);
        assert.equal(
          servers.serverNamed('notes')!.reason,
          'It answered with HTTP 404 Not Found: Cannot POST /sse. No MCP server with streamable HTTP is at this address. The older transport "sse" is not supported.',
        );
      });
    } finally {
      site.closeAllConnections();
      site.close();
    }
  });
});
