import assert from 'node:assert/strict';
import { limitedElsewhere } from '../../../src/adapters/mcp/requestsElsewhere';

const own = { url: 'https://mcp.example/mcp', headers: { 'X-Key': 'secret' } };

/** Requests of a server. `answers`: where an address redirects to. */
async function requested(
  url: string,
  init: RequestInit = {},
  server = own,
  answers: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const seen: string[] = [];
  const fetched = limitedElsewhere(server, async (at, given) => {
    seen.push(`${at.toString()} ${new Headers(given?.headers).get('x-key')}`);
    const location = answers[at.toString()];
    return new Response(null, location === undefined ? {} : { status: 302, headers: { location } });
  });
  const headers = { 'X-Key': 'secret', ...init.headers };
  await fetched(url, { ...init, headers }).catch((error: Error) => seen.push(error.message));
  return seen;
}

describe('requests that an MCP server causes', () => {
  it('carry its configured headers to its own host only', async () => {
    assert.deepEqual(await requested('https://mcp.example/mcp', { redirect: 'manual' }), [
      'https://mcp.example/mcp secret',
    ]);
    assert.deepEqual(await requested('https://sign-in.example/token', { method: 'POST' }), [
      'https://sign-in.example/token null',
    ]);
  });

  it('carry its configured headers only as encrypted as its address', async () => {
    const start = 'https://mcp.example/.well-known/oauth-protected-resource';
    const redirect = { [start]: 'http://mcp.example/metadata' };
    assert.deepEqual(await requested(start, {}, own, redirect), [
      `${start} secret`,
      'http://mcp.example/metadata null',
    ]);
  });

  it('do not lead from a public server into this machine or its network, also by a redirect', async () => {
    for (const url of [
      'http://127.0.0.1:9200/_all',
      'http://localhost:3000/',
      'http://[::ffff:10.0.0.1]/',
      'http://169.254.169.254/latest/meta-data',
      'http://0x7f.1/',
      'file:///etc/passwd',
    ]) {
      assert.match((await requested(url)).join(), /^It leads to .*, which is not requested\.$/, url);
      const start = 'https://mcp.example/.well-known/oauth-protected-resource';
      const [first, second] = await requested(start, {}, own, { [start]: url });
      assert.equal(first, `${start} secret`);
      assert.match(second!, /which is not requested/, url);
    }
  });

  it('of a server on this machine may lead to this machine, but not to what hands out its credentials', async () => {
    const local = { ...own, url: 'http://127.0.0.1:1/mcp' };
    assert.deepEqual(await requested('http://localhost:2/meta', {}, local), ['http://localhost:2/meta null']);
    assert.match((await requested('http://169.254.169.254/', {}, local)).join(), /which is not requested/);
  });

  it('follow a limited number of redirects, and only of what is read', async () => {
    const round = { 'https://a.example/': 'https://a.example/' };
    assert.match((await requested('https://a.example/', {}, own, round)).at(-1)!, /redirects where Waymark does not/);
    assert.equal((await requested('https://a.example/', { method: 'POST' }, own, round)).length, 2);
  });
});
