import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { failure, reply, silence, stallAfter, startModelServer, toolCall, type Answer } from '../support/modelServer';
import { temporaryWorkspace } from '../support/temporaryWorkspace';
import { withSession, lastText } from './support/session';

const look = toolCall('list_files', {});
const twice = { retry: { maxAttempts: 2 } };

async function atAddress(server: net.Server, use: (port: number) => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use((server.address() as AddressInfo).port);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('fault 13: a server that cannot be reached', () => {
  it('because nothing listens says so, and the run continues when it is back', async () => {
    const gone = await startModelServer([]);
    await gone.stop();
    const back = (): ReturnType<typeof startModelServer> =>
      startModelServer([look, reply('Done.')], { port: gone.port });
    let server: Awaited<ReturnType<typeof back>> | undefined;
    const returning = {
      ...gone,
      get requests() {
        return server?.requests ?? [];
      },
      push: (...answers: Answer[]) => server?.push(...answers),
    } as typeof gone;
    try {
      await withSession(
        [],
        async (session) => {
          const { what, why, next } = session.problem();
          assert.match(what, new RegExp(`127\\.0\\.0\\.1:${gone.port} cannot be reached`));
          assert.match(why, /connection was refused.*Tried 6 times/);
          assert.match(next, /Start the server/);
          assert.equal(session.waits.length, 5);
          server = await back();
          session.conversation.resume();
          await session.conversation.rested();
          assert.equal(lastText(session), 'Done.');
        },
        { server: returning },
      );
    } finally {
      await server?.stop();
    }
  });

  it('that is down for a moment only causes a wait', async () => {
    const gone = await startModelServer([]);
    await gone.stop();
    let server: typeof gone | undefined;
    const returning = {
      ...gone,
      get requests() {
        return server?.requests ?? [];
      },
      push: (...answers: Answer[]) => server?.push(...answers),
    } as typeof gone;
    try {
      await withSession(
        [],
        (session) => {
          assert.deepEqual(
            [session.of('retry_scheduled').length, session.of('finished').length, lastText(session)],
            [1, 0, 'Done.'],
          );
        },
        {
          server: returning,
          retry: {
            sleep: async () => {
              server ??= await startModelServer([reply('Done.')], { port: gone.port });
            },
          },
        },
      );
    } finally {
      await server?.stop();
    }
  });

  it('because its name is unknown says which', () =>
    withSession(
      [],
      (session) => {
        assert.match(session.problem().why, /no-such-host\.invalid|DNS server/);
      },
      { model: { baseUrl: 'http://no-such-host.invalid/v1' }, ...twice, ends: true },
    ));

  it('because it hangs up says so', () =>
    atAddress(
      net.createServer((socket) => socket.destroy()),
      (port) =>
        withSession(
          [],
          (session) => {
            assert.match(session.problem().why, /closed before a response arrived/);
          },
          { model: { baseUrl: `http://127.0.0.1:${port}/v1` }, ...twice, ends: true },
        ),
    ));
});

describe('fault 14: a connection that cannot be trusted', () => {
  it('because the certificate is self-signed is not made, and the message names the setting', async function () {
    const folder = temporaryWorkspace();
    const made = spawnSync('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '1',
      '-subj',
      '/CN=127.0.0.1',
      '-keyout',
      folder.at('key.pem'),
      '-out',
      folder.at('certificate.pem'),
    ]);
    if (made.status !== 0) return (folder.stop(), this.skip());
    let asked = 0;
    const server = https.createServer(
      { key: fs.readFileSync(folder.at('key.pem')), cert: fs.readFileSync(folder.at('certificate.pem')) },
      (_incoming, response) => {
        asked++;
        response.end('{}');
      },
    );
    server.on('tlsClientError', () => {});
    try {
      await atAddress(server, (port) =>
        withSession(
          [],
          (session) => {
            const { why, next } = session.problem();
            assert.match(why, /certificate is not trusted/);
            assert.match(next, /NODE_EXTRA_CA_CERTS.*never turns off/);
            assert.equal(asked, 0, 'the request went over a connection nobody vouches for');
          },
          { model: { baseUrl: `https://127.0.0.1:${port}/v1` }, ...twice, ends: true },
        ),
      );
    } finally {
      folder.stop();
    }
  });

  it('because a proxy requires authentication names the proxy setting', () =>
    withSession(
      [failure(407, 'Proxy Authentication Required')],
      (session) => {
        const { what, next } = session.problem();
        assert.match(what, /proxy/);
        assert.match(next, /http\.proxy/);
      },
      twice,
    ));
});

describe('fault 15: a server that accepts and never answers', () => {
  it('is disconnected after the idle timeout and asked again', () =>
    withSession(
      [look, silence, reply('Done.')],
      async (session) => {
        assert.match(session.of('retry_scheduled')[0]!.why, /sent nothing for 0\.3 seconds/);
        assert.equal(lastText(session), 'Done.');
        assert.equal(await session.server.requests[1]!.outcome, 'aborted');
      },
      { model: { idleTimeoutMs: 300 } },
    ));

  it('permanently ends the run and says how long it was silent', () =>
    withSession(
      [silence, silence],
      (session) => {
        const { what, why, next } = session.problem();
        assert.match(`${what} ${why}`, /stopped answering.*sent nothing for 0\.3 seconds/);
        assert.match(next, /idle timeout/);
      },
      { model: { idleTimeoutMs: 300 }, ...twice },
    ));
});

describe('fault 16: a stream that stalls', () => {
  const half = stallAfter(reply('The roof is nearly mended', { usage: null }), 700);

  it('is retried, and the partial text is shown once', () =>
    withSession(
      [half, reply('The roof is mended.')],
      (session) => {
        assert.deepEqual(
          session.of('agent_response').map(({ text }) => text),
          ['The roof is mended.'],
        );
        assert.ok(session.deltas.some(({ kind }) => kind === 'discard'));
      },
      { model: { idleTimeoutMs: 300 } },
    ));

  it('permanently keeps the partial text marked as interrupted, and the next reply continues it', () =>
    withSession(
      [half, half],
      async (session) => {
        const [kept] = session.of('agent_response');
        assert.match(kept!.text, /^The roof/);
        assert.deepEqual([kept!.finishReason, kept!.usage.inputTokens], ['interrupted', null]);
        assert.match(session.problem().what, /stopped answering/);
        session.server.push(reply('It is mended.'));
        session.conversation.resume();
        await session.conversation.rested();
        assert.equal(lastText(session), 'It is mended.');
        assert.deepEqual(
          session.server.requests
            .at(-1)!
            .body.messages.slice(-2)
            .map(({ role, content }) => [role, content]),
          [
            ['assistant', kept!.text],
            ['user', 'Go on.'],
          ],
        );
      },
      { model: { idleTimeoutMs: 300 }, ...twice },
    ));

  it('inside a call runs nothing of it', () =>
    withSession(
      [stallAfter(toolCall('run_command', { command: 'touch ran' }), 560), reply('Done.')],
      (session) => {
        assert.deepEqual([session.of('agent_response').length, session.workspace.bytes('ran')], [1, undefined]);
      },
      { model: { idleTimeoutMs: 300 } },
    ));
});
