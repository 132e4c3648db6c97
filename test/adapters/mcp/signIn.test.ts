import assert from 'node:assert/strict';
import type { ToolContext } from '../../../src/core/tools/tool';
import { agreed, httpServer, onMachine, type HttpServer, type Machine } from './support';

const signedIn = (use: (machine: Machine, server: HttpServer, echo: () => Promise<string>) => Promise<void>): Promise<void> => httpServer((address, server) => onMachine({ '.mcp.json': { mcpServers: { notes: { url: address } } } }, async machine => {
  const { servers } = machine;
  const notes = await agreed(servers, 'notes');
  await servers.prepare(new AbortController().signal);
  assert.equal(notes.reason, undefined);
  await use(machine, server, async () => (await servers.tools().find(({ name }) => name === 'mcp_notes_echo')!.bind({ words: 'on' }).run({ signal: new AbortController().signal, progress: () => undefined } as unknown as ToolContext)).content);
}), '--oauth');

describe('signing in to an MCP server', () => {
  it('is renewed without a question while that is possible', () => signedIn(async ({ host }, server, echo) => {
    await server.tell('/expire');
    assert.equal(await echo(), 'You said: on');
    assert.deepEqual([JSON.parse(await server.tell('/signed')), host.signedIn.length], [['authorization_code', 'refresh_token'], 1]);
  }));

  it('is asked for anew at a start, never in the middle of a run, where it cannot be renewed any more', () => signedIn(async ({ host, servers }, server, echo) => {
    await server.tell('/expire?all');
    await assert.rejects(echo, /notes wants you to sign in again\. Stop it and start it\./);
    assert.equal(host.signedIn.length, 1);
    await servers.named('notes')!.stop();
    await servers.named('notes')!.startAnew();
    assert.equal(await echo(), 'You said: on');
    assert.equal(host.signedIn.length, 2);
  }));
});

describe('a session with an MCP server over HTTP', () => {
  it('that the server forgot is begun anew, and the call is made in that one', () => httpServer((address, server) => onMachine({ '.mcp.json': { mcpServers: { notes: { url: address } } } }, async ({ servers }) => {
    const notes = await agreed(servers, 'notes');
    await servers.prepare(new AbortController().signal);
    const before = servers.tools();
    const echo = (): Promise<string> => before.find(({ name }) => name === 'mcp_notes_echo')!.bind({ words: 'on' }).run({ signal: new AbortController().signal, progress: () => undefined } as unknown as ToolContext).then(({ content }) => content);
    await server.tell('/forget');
    assert.deepEqual(await Promise.all([echo(), echo(), echo()]), ['You said: on', 'You said: on', 'You said: on']);
    assert.deepEqual([notes.state, servers.tools()], ['running', before]);
  })));
});
