import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

/** Returns whether Redis is installed. Tests that need it are skipped otherwise. */
export const hasRedis = (): boolean => spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;

/** A Redis server of a test. It writes to disk before it answers, so it can be killed. */
export interface RedisServer {
  readonly url: string;
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** PEM files of a Redis server with TLS. */
export interface RedisTls {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  /** Requires clients to have a certificate of the same CA. */
  readonly asksClients?: boolean;
}

export async function startRedis(password = 'a password', tls?: RedisTls): Promise<RedisServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-test-redis-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const ports = tls ? ['--port', '0', '--tls-port', String(port), ...tlsSettings(tls)] : ['--port', String(port)];
    const settings = [...ports, '--bind', '127.0.0.1', '--requirepass', password, '--dir', folder];
    const kept = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '', '--maxmemory-policy', 'noeviction'];
    child = spawn('redis-server', [...settings, ...kept], { stdio: 'ignore' });
    await answers(port);
  };
  const kill = async (): Promise<void> => {
    const isAlive = child?.exitCode === null && child.signalCode === null;
    const gone = isAlive ? new Promise((resolve) => child!.once('exit', resolve)) : undefined;
    child?.kill('SIGKILL');
    await gone;
  };
  await start();
  return {
    url: `${tls ? 'rediss' : 'redis'}://:${encodeURIComponent(password)}@127.0.0.1:${port}`,
    kill,
    start,
    async stop() {
      await kill();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

const tlsSettings = ({ ca, cert, key, asksClients = false }: RedisTls): string[] => [
  ...['--tls-ca-cert-file', ca, '--tls-cert-file', cert, '--tls-key-file', key],
  ...['--tls-auth-clients', asksClients ? 'yes' : 'no'],
];

/** Returns a port of this machine on which nothing listens at the moment. */
export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until something is listening on the port. */
async function answers(port: number): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = net.connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isThere) return;
    if (Date.now() > deadline) throw new Error('Redis did not start.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
