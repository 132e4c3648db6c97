import assert from 'node:assert/strict';
import { proxiesOf, UnusableProxy } from '../../../src/adapters/net/proxies';

/** The proxy for an address, given some environment variables. */
const proxyOf = (address: string, environment: NodeJS.ProcessEnv): string | undefined =>
  proxiesOf(environment)(new URL(address))?.host;

describe('the proxy for an address', () => {
  const both = { https_proxy: 'http://secure.test:3128', HTTP_PROXY: 'http://plain.test:3128' };

  it('is that of its scheme, otherwise that of ALL_PROXY', () => {
    assert.equal(proxyOf('https://model.test/v1', both), 'secure.test:3128');
    assert.equal(proxyOf('http://model.test/v1', both), 'plain.test:3128');
    assert.equal(proxyOf('https://model.test/v1', { ALL_PROXY: 'http://every.test:1' }), 'every.test:1');
    assert.equal(proxyOf('https://model.test/v1', { HTTP_PROXY: 'http://plain.test:3128' }), undefined);
    assert.equal(proxyOf('https://model.test/v1', {}), undefined);
  });

  it('may be written without a scheme', () => {
    assert.equal(proxyOf('https://model.test/v1', { HTTPS_PROXY: 'secure.test:3128' }), 'secure.test:3128');
    assert.equal(proxyOf('https://model.test/v1', { HTTPS_PROXY: 'user:word@secure.test:3128' }), 'secure.test:3128');
  });

  // As curl 7.88 decides, which knows no ranges and spellings of IPv6 addresses and no ports in NO_PROXY.
  for (const [noProxy, address, isDirect] of [
    ['model.test', 'https://model.test/v1', true],
    ['model.test', 'https://eu.model.test/v1', true],
    ['model.test', 'https://other-model.test/v1', false],
    ['.model.test', 'https://eu.model.test/v1', true],
    ['.model.test', 'https://model.test/v1', true],
    ['MODEL.test', 'https://Model.TEST/v1', true],
    ['other.test, model.test', 'https://model.test/v1', true],
    ['other.test model.test', 'https://model.test/v1', true],
    ['*', 'https://model.test/v1', true],
    ['192.0.2.1', 'https://192.0.2.1/v1', true],
    ['192.0.2.0/24', 'https://192.0.2.77/v1', true],
    ['192.0.2.0/24', 'https://192.0.3.77/v1', false],
    ['2001:db8::/32', 'https://[2001:db8::7]/v1', true],
    ['2001:db8::7', 'https://[2001:db8::7]/v1', true],
    ['2001:db8::7', 'https://[2001:db8::8]/v1', false],
    ['2001:DB8:0:0::7', 'https://[2001:db8::7]/v1', true],
    ['2001:db8::192.0.2.1', 'https://[2001:db8::c000:201]/v1', true],
    ['model.test.', 'https://model.test/v1', true],
    ['model.test', 'https://model.test./v1', true],
    ['.model.test.', 'https://eu.model.test/v1', true],
    ['192.0.2.0/99', 'https://192.0.2.1/v1', false],
    ['', 'https://model.test/v1', false],
  ] as const)
    it(`is ${isDirect ? 'not used' : 'used'} for ${address} with NO_PROXY=${JSON.stringify(noProxy)}`, () => {
      const expected = isDirect ? undefined : 'secure.test:3128';
      assert.equal(proxyOf(address, { ...both, NO_PROXY: noProxy }), expected);
    });

  it('is not used for the port that NO_PROXY names', () => {
    assert.equal(proxyOf('https://model.test/v1', { ...both, NO_PROXY: 'model.test:443' }), undefined);
    assert.equal(proxyOf('https://model.test/v1', { ...both, NO_PROXY: 'model.test:8443' }), 'secure.test:3128');
    assert.equal(proxyOf('https://[2001:db8::7]:8443/v1', { ...both, NO_PROXY: '[2001:db8::7]:8443' }), undefined);
  });

  it('is never used for this machine', () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.9.9.9', 'ollama.localhost'])
      assert.equal(proxyOf(`http://${host}:11434/v1`, both), undefined, host);
  });

  it('is refused if Waymark does not support it, without showing its password', async () => {
    const agentOf = (value: string) => proxiesOf({ ALL_PROXY: value })(new URL('https://model.test/v1'))!.agent();
    const isRefusal = (words: RegExp) => (error: Error) =>
      error instanceof UnusableProxy && words.test(error.message) && !error.message.includes('word');
    await assert.rejects(agentOf('socks5://user:word@secure.test:1080'), isRefusal(/^ALL_PROXY names .* kind socks5/));
    await assert.rejects(agentOf('http://user:word@:port'), isRefusal(/^ALL_PROXY is not the address of a proxy\.$/));
  });

  it('may have a password with percent signs, but none that looks like a part of the address', async () => {
    const proxyOf = (value: string) => proxiesOf({ ALL_PROXY: value })(new URL('https://model.test/v1'))!;
    await proxyOf('http://user:100%@proxy.test:1').agent();
    await proxyOf('http://user:a%2Fb%zz@proxy.test:1').agent();
    for (const value of ['http://user:20/24@proxy.test:1', 'user:20#x@proxy.test:1', 'http://user:%ff@proxy.test:1']) {
      const { host, agent } = proxyOf(value);
      assert.equal(host, 'ALL_PROXY', value);
      await assert.rejects(agent(), /^Error: ALL_PROXY is not the address of a proxy\.$/);
    }
  });

  it('has one agent for all requests to hosts of the same scheme', async () => {
    const proxyFor = proxiesOf(both);
    const agents = ['https://model.test/v1', 'https://other.test/v1', 'http://model.test/v1'].map((address) =>
      proxyFor(new URL(address))!.agent(),
    );
    const [one, other, plain] = await Promise.all(agents);
    assert.deepEqual([one === other, one === plain], [true, false]);
  });
});
