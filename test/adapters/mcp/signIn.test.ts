import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { agreed, httpServer, onMachine, until, type HttpServer, type Machine } from './support';
import { toolContext } from '../../support/toolContext';
import { setTimeout as pause } from 'node:timers/promises';

const signedIn = (
  use: (machine: Machine, server: HttpServer, echo: () => Promise<string>) => Promise<void>,
  entry: object = {},
  ...options: string[]
): Promise<void> =>
  httpServer(
    (address, server) =>
      onMachine({ '.mcp.json': { mcpServers: { notes: { url: address, ...entry } } } }, async (machine) => {
        const { servers } = machine;
        const notes = await agreed(servers, 'notes');
        await servers.prepare(new AbortController().signal);
        assert.equal(notes.reason, undefined);
        await use(
          machine,
          server,
          async () =>
            (
              await servers
                .tools()
                .find(({ name }) => name === 'mcp_notes_echo')!
                .bind({ words: 'on' })
                .run(toolContext())
            ).content,
        );
      }),
    '--oauth',
    ...options,
  );

describe('the sign-in to an MCP server', () => {
  it('is refreshed without asking while possible', () =>
    signedIn(async ({ host }, server, echo) => {
      await server.tell('/expire');
      assert.equal(await echo(), 'You said: on');
      assert.deepEqual(
        [JSON.parse(await server.tell('/signed')), host.signedIn.length],
        [['authorization_code', 'refresh_token'], 1],
      );
    }));

  it('is requested again during a call if it cannot be refreshed; calls in parallel share one', () =>
    signedIn(async ({ host }, server, echo) => {
      await server.tell('/expire?all');
      assert.deepEqual(await Promise.all([echo(), echo(), echo()]), ['You said: on', 'You said: on', 'You said: on']);
      assert.equal(host.signedIn.length, 2);
    }));

  it('is not requested again after the user refused, until the server is started again', () =>
    signedIn(async ({ host, servers }, server, echo) => {
      await server.tell('/expire?all');
      host.refuses = true;
      await assert.rejects(echo, /Nobody signed in to notes\. Stop it and start it to be asked again\./);
      host.refuses = false;
      await assert.rejects(echo, /notes requires you to sign in\. Stop it and start it to be asked again\./);
      assert.equal(host.signedIn.length, 2);
      await servers.serverNamed('notes')!.stop();
      await servers.serverNamed('notes')!.startAnew();
      assert.equal(await echo(), 'You said: on');
      assert.equal(host.signedIn.length, 3);
    }));

  it('that is refused says why without the secrets in the reason, even one that the end of the message cuts', () =>
    signedIn(async ({ host }, server, echo) => {
      await server.tell('/expire?all');
      host.staysAway = true;
      const called = assert.rejects(echo, (thrown: Error) => {
        assert.match(thrown.message, /The sign-in to notes was refused: The account/);
        assert.doesNotMatch(thrown.message, /a1B2/);
        return true;
      });
      await until('the question to sign in', () => host.signedIn.length === 2);
      const { searchParams } = host.signedIn[1]!;
      const back = new URL(searchParams.get('redirect_uri')!);
      const token = `ghp_${'a1B2'.repeat(9)}`;
      const reason = `The account of ${token} is closed. ${'See the terms. '.repeat(14)}`;
      back.search = String(
        new URLSearchParams({
          state: searchParams.get('state')!,
          error: 'access_denied',
          error_description: `${reason.padEnd(290)}${token}`,
        }),
      );
      assert.equal(await (await fetch(back)).text(), 'Not signed in. You can close this page.');
      await called;
    }));

  it('is named in the call that waits for it, and ends with the call', () =>
    signedIn(async ({ host, servers }, server) => {
      await server.tell('/expire?all');
      host.staysAway = true;
      const stop = new AbortController();
      const tool = servers.tools().find(({ name }) => name === 'mcp_notes_echo')!;
      const told: string[] = [];
      const context = toolContext({ signal: stop.signal, progress: (words) => void told.push(words) });
      const called = tool.bind({ words: 'on' }).run(context);
      await until('the question to sign in', () => host.signedIn.length === 2);
      assert.deepEqual(told, ['Waiting for your sign-in to notes.\n']);
      stop.abort(new Error('The user stopped the run.'));
      await assert.rejects(called, /The user stopped the run\./);
    }));
});

describe('the list of MCP servers', () => {
  it('says which server waits for the user to sign in, until that is over', () =>
    signedIn(async ({ host, servers }, server, echo) => {
      const notes = servers.serverNamed('notes')!;
      assert.equal(notes.awaitsSignIn, false);
      await server.tell('/expire?all');
      const seen: boolean[] = [];
      host.first = async () => void seen.push(notes.awaitsSignIn);
      assert.equal(await echo(), 'You said: on');
      assert.deepEqual([seen, notes.awaitsSignIn], [[true], false]);
      await server.tell('/expire?all');
      host.refuses = true;
      await assert.rejects(echo, /Nobody signed in/);
      assert.deepEqual([seen, notes.awaitsSignIn], [[true, true], false]);
    }));
});

describe('the approval of an MCP server that somebody signed in to', () => {
  it('takes the tokens along when it is revoked, also for an address with variables, whatever they are by then', async () => {
    try {
      await httpServer((address) => {
        process.env['WAYMARK_TEST_ORIGIN'] = new URL(address).origin;
        const url = `\${env:WAYMARK_TEST_ORIGIN}${new URL(address).pathname}`;
        return onMachine({ '.mcp.json': { mcpServers: { notes: { url } } } }, async ({ servers, host }) => {
          const notes = await agreed(servers, 'notes');
          await servers.prepare(new AbortController().signal);
          assert.equal(notes.reason, undefined);
          assert.match([...host.kept.values()].join(), /access_token/);
          process.env['WAYMARK_TEST_ORIGIN'] = 'https://elsewhere.example';
          await notes.revoke();
          assert.deepEqual([...host.kept], []);
        });
      }, '--oauth');
    } finally {
      delete process.env['WAYMARK_TEST_ORIGIN'];
    }
  });

  it('takes the tokens along when it is revoked', () =>
    signedIn(async ({ servers, host }) => {
      assert.match([...host.kept.values()].join(), /access_token/);
      await servers.serverNamed('notes')!.revoke();
      assert.deepEqual([...host.kept], []);
    }));
});

describe('a user who is asked to sign in to an MCP server', () => {
  it('may think for longer than a call may last', () =>
    signedIn(
      async ({ host }, server, echo) => {
        await server.tell('/expire?all');
        host.first = () => pause(1500);
        assert.equal(await echo(), 'You said: on');
      },
      { timeout: 1 },
    ));

  it('is asked once by calls in parallel, whenever the server refuses them', () =>
    signedIn(
      async ({ host }, server, echo) => {
        await server.tell('/expire?all');
        await server.tell('/late');
        assert.deepEqual(await Promise.all([echo(), echo()]), ['You said: on', 'You said: on']);
        assert.equal(host.signedIn.length, 2);
      },
      {},
      '--once',
    ));

  it('is not asked again by a server that refuses the sign-in', () =>
    signedIn(
      async ({ host }, server, echo) => {
        await server.tell('/reject');
        await assert.rejects(echo, /notes does not accept the sign-in that you completed\./);
        await assert.rejects(echo, /notes does not accept the sign-in that you completed\./);
        assert.equal(host.signedIn.length, 2);
      },
      {},
      '--once',
    ));

  it('is not asked for a stream in the background', () =>
    signedIn(
      async ({ host, servers }, _server, echo) => {
        await until('the refusal of the stream', () =>
          servers.serverNamed('notes')!.log.text.includes('requires you to'),
        );
        assert.equal(await echo(), 'You said: on');
        assert.equal(host.signedIn.length, 1);
      },
      {},
      '--once',
      '--no-streams',
    ));

  it('is asked for the scope that a call needs, together with the earlier ones', () =>
    signedIn(async ({ host }, server, echo) => {
      for (const scope of ['one', 'two']) {
        await server.tell(`/demand?scope=${scope}`);
        assert.equal(await echo(), 'You said: on');
      }
      assert.deepEqual(
        host.signedIn.map(({ searchParams }) => searchParams.get('scope')),
        [null, 'one', 'one two'],
      );
    }));

  it('is asked once for a scope that is never granted', () =>
    signedIn(async ({ host }, server, echo) => {
      await server.tell('/demand?scope=never');
      await assert.rejects(echo);
      await assert.rejects(echo);
      assert.equal(host.signedIn.length, 2);
    }));

  it('is asked for lists that require it, which are then read', () =>
    signedIn(
      async ({ host, servers }) => {
        await until('the prompts', () => servers.serverNamed('notes')!.prompts.length > 0);
        assert.equal(host.signedIn.length, 1);
      },
      {},
      '--lists',
    ));

  it('is not asked again by a task after declining when the server starts', () =>
    httpServer(
      (address) =>
        onMachine({ '.mcp.json': { mcpServers: { notes: { url: address } } } }, async ({ servers, host }) => {
          const notes = await agreed(servers, 'notes');
          host.refuses = true;
          await servers.prepare(new AbortController().signal);
          assert.match(notes.reason!, /^Nobody signed in to notes\./);
          await until('the time of a retry', () => notes.mayRetry);
          await assert.rejects(notes.start(), /notes requires you to sign in\. Stop it and start it/);
          assert.equal(host.signedIn.length, 1);
          host.refuses = false;
          await notes.startAnew();
          assert.equal(host.signedIn.length, 2);
        }),
      '--oauth',
    ));

  it('is told by a signal that the sign-in is over, and the port is closed, when the server is stopped', async () => {
    let over: AbortSignal | undefined;
    let back = '';
    await httpServer(
      (address) =>
        onMachine(
          { '.mcp.json': { mcpServers: { notes: { url: address } } } },
          async ({ servers }) => {
            const notes = await agreed(servers, 'notes');
            const started = assert.rejects(notes.start(), /was stopped/);
            await until('the question to sign in', () => over !== undefined);
            await notes.stop();
            await started;
            assert.equal(over!.aborted, true);
            await assert.rejects(fetch(back));
          },
          {
            signIn: (page, _server, signal) => {
              over = signal;
              back = page.searchParams.get('redirect_uri')!;
              return new Promise<boolean>(() => undefined);
            },
          },
        ),
      '--oauth',
    );
  });

  it('can still sign in after other programs sent nonsense to the waiting port', () =>
    signedIn(async ({ host }, server, echo) => {
      await server.tell('/expire?all');
      const statuses: (number | undefined)[] = [];
      host.first = async (page) => {
        const { port } = new URL(page.searchParams.get('redirect_uri')!);
        for (const path of ['//', `/callback?code=1&state=${encodeURIComponent('é'.repeat(32))}`])
          statuses.push(
            await new Promise((resolve, reject) =>
              http
                .get({ host: '127.0.0.1', port, path }, (response) => resolve(response.resume().statusCode))
                .on('error', reject),
            ),
          );
      };
      assert.equal(await echo(), 'You said: on');
      assert.deepEqual(statuses, [404, 404]);
    }));
});

describe('the sign-in where clients cannot register themselves', () => {
  const started = (
    oauth: object | undefined,
    use: (machine: Machine, server: HttpServer, reason: () => Promise<string | undefined>) => Promise<void>,
  ): Promise<void> =>
    httpServer(
      (address, server) =>
        onMachine(
          { '.mcp.json': { mcpServers: { notes: { url: address, ...(oauth && { oauth }) } } } },
          async (machine) => {
            const notes = await agreed(machine.servers, 'notes');
            await use(machine, server, async () => {
              await machine.servers.prepare(new AbortController().signal);
              return notes.reason;
            });
          },
        ),
      '--oauth',
      '--closed',
    );
  const freePort = async (): Promise<number> => {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return port;
  };

  it('needs a registered client, and the error says what to do', () =>
    started(undefined, async (_machine, _server, reason) => {
      assert.match(
        (await reason())!,
        /^Applications cannot register themselves where notes signs in\. Register one there, .*"oauth": \{ "clientId"/,
      );
    }));

  it('uses the client and the port of its entry', async () => {
    const callbackPort = await freePort();
    await started({ clientId: 'known', callbackPort }, async ({ host, servers }, server, reason) => {
      await server.tell(`/admit?back=http://127.0.0.1:${callbackPort}/callback`);
      assert.equal(await reason(), undefined);
      assert.equal(servers.serverNamed('notes')!.state, 'running');
      assert.equal(host.signedIn[0]!.searchParams.get('client_id'), 'known');
    });
  });

  it('sends the secret of its client to no other issuer than before', () =>
    httpServer(async (elsewhere, other) => {
      const callbackPort = await freePort();
      await other.tell(`/admit?back=http://127.0.0.1:${callbackPort}/callback`);
      await started(
        { clientId: 'known', clientSecret: 'very secret', callbackPort },
        async ({ host, servers }, server, reason) => {
          await server.tell(`/admit?back=http://127.0.0.1:${callbackPort}/callback`);
          assert.equal(await reason(), undefined);
          await server.tell('/expire?all');
          await server.tell(`/move?to=${new URL(elsewhere).origin}`);
          const notes = servers.serverNamed('notes')!;
          await notes.stop();
          await assert.rejects(notes.startAnew(), /wants a sign-in at .*revoke the approval/);
          assert.equal(host.signedIn.length, 1);
          assert.deepEqual(JSON.parse(await other.tell('/signed')), []);
        },
      );
    }, '--oauth'));

  it('says that the port of its entry is taken', async () => {
    const other = http.createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      await started({ clientId: 'known', callbackPort: port }, async (_machine, _server, reason) => {
        assert.match(
          (await reason())!,
          new RegExp(`^Port ${port}, which "callbackPort" of notes names, cannot be used`),
        );
      });
    } finally {
      other.close();
    }
  });
});

describe('a server that requires sign-in and then stays silent', () => {
  it('has no open request after it is stopped', async () => {
    const [open, asked] = [new Set<string>(), new Set<string>()];
    const server = http.createServer((request, response) => {
      if (request.url === '/mcp') return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      open.add(request.url!);
      asked.add(request.url!);
      response.on('close', () => open.delete(request.url!));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await onMachine(
        {
          '.mcp.json': {
            mcpServers: { notes: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` } },
          },
        },
        async ({ servers }) => {
          const notes = await agreed(servers, 'notes');
          const started = assert.rejects(notes.start(), /was stopped/);
          await until('the question where to sign in', () => asked.size > 0);
          await notes.stop();
          await started;
          await until('the end of its requests', () => open.size === 0);
        },
      );
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe('a session with an MCP server over HTTP', () => {
  it('that the server forgot is started again, and the calls succeed', () =>
    httpServer((address, server) =>
      onMachine({ '.mcp.json': { mcpServers: { notes: { url: address } } } }, async ({ servers }) => {
        const notes = await agreed(servers, 'notes');
        await servers.prepare(new AbortController().signal);
        const before = servers.tools();
        const echo = (): Promise<string> =>
          before
            .find(({ name }) => name === 'mcp_notes_echo')!
            .bind({ words: 'on' })
            .run(toolContext())
            .then(({ content }) => content);
        await server.tell('/forget');
        assert.deepEqual(await Promise.all([echo(), echo(), echo()]), ['You said: on', 'You said: on', 'You said: on']);
        assert.deepEqual([notes.state, servers.tools()], ['running', before]);
      }),
    ));
});
