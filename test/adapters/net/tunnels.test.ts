// Certificates of servers that are reached by address through a tunnel of a proxy.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { proxiesOf } from '../../../src/adapters/net/proxies';
import { startProxy } from '../../support/proxyServer';

/**
 * Sends a request through a proxy to a server whose certificate is valid for `names`, such as "DNS:model.test". Resolves
 * to its answer, rejects with the error of the connection. Undefined without openssl.
 */
async function askThroughTunnel(host: string, names: string): Promise<string | undefined> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-tunnel-'));
  try {
    const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
    const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=test'];
    const subject = ['-addext', `subjectAltName=${names}`, '-keyout', key, '-out', cert];
    if (spawnSync('openssl', ['req', ...kind, ...subject]).status !== 0) return undefined;
    const ca = fs.readFileSync(cert);
    const server = https.createServer({ key: fs.readFileSync(key), cert: ca }, (_request, response) => {
      response.end('answered');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = await startProxy(() => (server.address() as AddressInfo).port);
    try {
      const url = new URL(`https://${host}/`);
      const agent = await proxiesOf({ HTTPS_PROXY: `http://${proxy.host}` })(url)!.agent();
      return await new Promise<string>((resolve, reject) => {
        https
          .get(url, { agent, ca, headers: { connection: 'close' } }, (response) => {
            response
              .setEncoding('utf8')
              .toArray()
              .then((parts) => resolve(parts.join('')), reject);
          })
          .on('error', reject);
      });
    } finally {
      await proxy.stop();
      server.closeAllConnections();
      server.close();
    }
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

describe('a server behind the tunnel of a proxy', function () {
  this.timeout(20_000);

  for (const [host, names] of [
    ['192.0.2.7', 'IP:192.0.2.7'],
    ['[2001:db8::7]', 'IP:2001:db8::7'],
    ['model.test', 'DNS:model.test'],
  ] as const)
    it(`is reached at ${host} with a certificate for ${names}`, async function () {
      const answer = await askThroughTunnel(host, names);
      if (answer === undefined) return this.skip();
      assert.equal(answer, 'answered');
    });

  for (const [host, names] of [
    ['192.0.2.7', 'DNS:localhost'],
    ['192.0.2.7', 'IP:192.0.2.8'],
    ['[2001:db8::7]', 'DNS:localhost'],
    ['model.test', 'DNS:localhost'],
  ] as const)
    it(`is refused at ${host} with a certificate for ${names}`, async function () {
      const end = await askThroughTunnel(host, names).catch((error: NodeJS.ErrnoException) => error.code);
      if (end === undefined) return this.skip();
      assert.equal(end, 'ERR_TLS_CERT_ALTNAME_INVALID');
    });
});
