import { execFile } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { childEnvironment } from '../terminal/childEnvironment';
import { makeTemporary, removeTemporary } from './madePlaces';
import { inRuntime } from './runtimeLine';

/** Says "ready" when the workspace can be written, and before that whatever should have been refused. */
const script = `cd work && echo in > file || exit 1
{ echo out > ../outside; } 2>/dev/null; [ -s ../outside ] && echo 'what lies outside the workspace can be written'
{ echo out > kept; } 2>/dev/null; [ -s kept ] && echo 'protected files can be written'
[ -n "$(cat ../secret 2>/dev/null)" ] && echo 'secrets can be read'
(exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && echo 'the network can be reached'
echo ready`;

/** Runs the runtime at `cli` in a folder of its own against what it must refuse; takes less than a second. What is wrong, in words for a person; undefined where nothing is. */
export async function runtimeProblem(cli: string, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const folder = makeTemporary('waymark-trial-');
  const server = net.createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
    const at = (name: string): string => path.join(folder, name);
    for (const name of ['work', 'private']) fs.mkdirSync(at(name));
    fs.writeFileSync(at('secret'), 'secret');
    fs.writeFileSync(at('work/kept'), '');
    const { port } = server.address() as net.AddressInfo;
    const line = inRuntime(cli, ['/bin/bash', '-c', script, 'bash', String(port)], {
      folder: at('private'),
      writable: [at('work')],
      readOnly: [at('work/kept')],
      secret: [at('secret')],
      allowed: [],
    });
    const said = await new Promise<string>((resolve) => {
      execFile(
        line.program,
        line.arguments,
        {
          cwd: folder,
          env: { ...childEnvironment(environment), ELECTRON_RUN_AS_NODE: '1' },
          timeout: 20_000,
          encoding: 'utf8',
        },
        (error, stdout, stderr) => {
          resolve(
            !error && stdout.endsWith('ready\n')
              ? stdout
              : stderr.trim().split('\n')[0] || error?.message || 'it printed something else than it should',
          );
        },
      );
    });
    return said === 'ready\n' ? undefined : said.replace(/\nready\n$/, '').replaceAll('\n', ', ');
  } finally {
    server.close();
    removeTemporary(folder);
  }
}
