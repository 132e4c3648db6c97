import { execFile } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { childEnvironment } from '../processes/childEnvironment';
import { makeTemporary, removeTemporary } from './madePlaces';
import { inRuntime } from './runtimeLine';
import { isExhausted, saidBy, type TrialRun } from './trialRun';

/** Says "ready" when the workspace can be written, and before that whatever should have been refused. */
const script = `cd work && echo in > file || exit 1
{ echo out > ../outside; } 2>/dev/null; [ -s ../outside ] && echo 'what lies outside the workspace can be written'
{ echo out > kept; } 2>/dev/null; [ -s kept ] && echo 'protected files can be written'
[ -n "$(cat ../secret 2>/dev/null)" ] && echo 'secrets can be read'
(exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && echo 'the network can be reached'
echo ready`;

/** `why` in words for a person. */
export interface RuntimeProblem {
  readonly why: string;
  /** It could be started, had the system something left. */
  readonly exhausted?: true;
}

/**
 * Runs the runtime at `cli` in a folder of its own against what it must refuse; takes less than a
 * second. Undefined where nothing is wrong.
 */
export async function runtimeProblem(cli: string, environment: NodeJS.ProcessEnv): Promise<RuntimeProblem | undefined> {
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
    return problemIn(await runTrial(line, folder, environment));
  } finally {
    server.close();
    removeTemporary(folder);
  }
}

function runTrial(
  line: ReturnType<typeof inRuntime>,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<TrialRun> {
  const options = {
    cwd: folder,
    env: { ...childEnvironment(environment), ELECTRON_RUN_AS_NODE: '1' },
    timeout: 20_000,
    encoding: 'utf8',
  } as const;
  return new Promise((resolve) => {
    execFile(line.program, line.arguments, options, (failed, stdout, stderr) => resolve({ failed, stdout, stderr }));
  });
}

function problemIn(run: TrialRun): RuntimeProblem | undefined {
  const { failed, stdout } = run;
  if (!failed && stdout === 'ready\n') return undefined;
  if (!failed && stdout.endsWith('ready\n')) return { why: stdout.replace(/\nready\n$/, '').replaceAll('\n', ', ') };
  return { why: saidBy(run), ...(isExhausted(run) && { exhausted: true }) };
}
