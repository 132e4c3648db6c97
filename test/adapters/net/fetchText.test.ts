import { strict as assert } from 'node:assert';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LookupFunction } from 'node:net';
import { fetchText } from '../../../src/adapters/net/fetchText';

describe('text fetched from a URL', () => {
  let server: http.Server;
  let base: string;
  const seen: http.IncomingHttpHeaders[] = [];
  before(async () => {
    server = http.createServer((request, response) => {
      seen.push(request.headers);
      const to = (location: string): void => {
        response.writeHead(302, { location });
        response.end();
      };
      switch (request.url) {
        case '/page':
          response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
          return response.end('<p>Hello <b>there</b></p><script>no()</script>');
        case '/data':
          response.writeHead(200, { 'content-type': 'application/json' });
          return response.end('{"a":1}');
        case '/picture':
          response.writeHead(200, { 'content-type': 'image/png' });
          return response.end('x');
        case '/moved':
          return to('/page');
        case '/inward':
          return to('http://169.254.1.1/latest');
        case '/named-inward':
          return to('http://looks-public.test/');
        case '/round':
          return to('/round');
        default:
          response.writeHead(404);
          return response.end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => new Promise((resolve) => server.close(resolve)));

  it('is the readable text of a page', async () =>
    assert.deepEqual(await fetchText(`${base}/page`), { address: `${base}/page`, text: 'Hello there' }));
  it('is the unchanged data', async () => assert.equal((await fetchText(`${base}/data`)).text, '{"a":1}'));
  it('comes from the redirect target', async () =>
    assert.equal((await fetchText(`${base}/moved`)).address, `${base}/page`));
  it('is requested without cookies or credentials', () =>
    assert.ok(
      seen.every(
        (headers) =>
          headers.cookie === undefined && headers.authorization === undefined && headers['user-agent'] === 'Waymark',
      ),
    ));

  const refused: [what: string, path: string, words: RegExp][] = [
    ['is none where the server has none', '/none', /answered 404/],
    ['is none of a picture', '/picture', /not text \(image\/png\)/],
    ['is not followed into a network that nobody named', '/inward', /redirects to 169\.254\.1\.1/],
    ['is not followed in circles', '/round', /more than 5 times/],
  ];
  for (const [what, path, words] of refused) it(what, () => assert.rejects(fetchText(base + path), words));
  it('is not followed from a public address to a name with an address of this machine', async () => {
    const { port } = new URL(base);
    const [own, open] = [
      { address: '127.0.0.1', family: 4 },
      { address: '93.184.216.34', family: 4 },
    ];
    const find: LookupFunction = (name, _options, callback) =>
      callback(null, name === 'public.test' ? [own, open] : [own]);
    await assert.rejects(
      fetchText(`http://public.test:${port}/named-inward`, undefined, find),
      /public\.test:\d+ leads to looks-public\.test, which is an address of this machine or its network/,
    );
    assert.equal((await fetchText(`http://own.test:${port}/moved`, undefined, find)).text, 'Hello there');
  });
  it('is not followed to a name that has another address by then', async () => {
    const { port } = new URL(base);
    const own = { address: '127.0.0.1', family: 4 };
    const answers = [[own, { address: '93.184.216.34', family: 4 }], [own]];
    const find: LookupFunction = (_name, _options, callback) => callback(null, answers.shift() ?? [own]);
    await assert.rejects(fetchText(`http://public.test:${port}/moved`, undefined, find), /leads to public\.test/);
  });
  it('is not requested if the URL has a password or is no web address', async () => {
    for (const address of ['http://ada:pw@127.0.0.1/', 'file:///etc/passwd', 'nothing'])
      await assert.rejects(fetchText(address), /cannot be fetched/);
  });
});
