// Node 24 and code-server from the npm registry: no compiler, no root, no other download.
import fs from 'node:fs';
import path from 'node:path';
import { cacheFolder, once } from './cache.mjs';
import { npm, npmInstall, npmProgram, environmentForNpm } from './npm.mjs';
import { run } from './processes.mjs';
import { report, seconds } from './report.mjs';
import { CODE_SERVER, NODE } from './versions.mjs';

export const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

const nodeHomeIn = (folder) => path.join(folder, 'node_modules', nodePackage);

/** Returns the binary of the Node that npm installed there. */
export const nodeIn = (folder) =>
  path.join(nodeHomeIn(folder), process.platform === 'win32' ? 'bin/node.exe' : 'bin/node');

function toolsIn(folder) {
  const server = path.join(folder, 'node_modules/code-server');
  return {
    nodeHome: nodeHomeIn(folder),
    /** The Node 24 binary. */
    node: nodeIn(folder),
    /** The script that this Node runs to start a VS Code server. */
    codeServer: path.join(server, 'out/node/entry.js'),
    vscode: path.join(server, 'lib/vscode'),
  };
}

/** Returns { node, nodeHome, codeServer, vscode }, all absolute paths; downloads them if they are not in the cache. */
export async function ensureTools() {
  const folder = path.join(cacheFolder(), `n${NODE}-cs${CODE_SERVER}-${process.platform}-${process.arch}`);
  await once(folder, fetchTools);
  return toolsIn(folder);
}

async function fetchTools(folder) {
  const started = Date.now();
  const tools = toolsIn(folder);
  // code-server's install script would compile ten native modules; the packages that it needs include their binaries.
  await npmInstall(folder, [`${nodePackage}@${NODE}`, `code-server@${CODE_SERVER}`]);
  report(`Node ${NODE} and code-server ${CODE_SERVER} fetched, ${seconds(started)}`);
  // `npm ci` fails there: the shrinkwrap that code-server ships does not match its package.json.
  for (const cwd of [tools.vscode, path.join(tools.vscode, 'extensions')])
    await npm(['install', '--omit=dev'], { cwd, node: tools.node });
  report(`VS Code's own packages fetched, ${seconds(started)}`);
  await buildQuietLogs(tools);
}

/**
 * Two small native modules. VS Code runs without them but fills its log with stack
 * traces, so a machine with a compiler gets them.
 */
async function buildQuietLogs({ node, nodeHome, vscode }) {
  const compiler = path.join(path.dirname(npmProgram()), '../node_modules/node-gyp/bin/node-gyp.js');
  if (!fs.existsSync(compiler)) return;
  for (const name of ['spdlog', 'native-watchdog']) {
    const { code } = await run(node, [compiler, 'rebuild', `--nodedir=${nodeHome}`, '--jobs=max', '--loglevel=error'], {
      cwd: path.join(vscode, 'node_modules/@vscode', name),
      env: environmentForNpm(),
      timeoutMs: 180_000,
    });
    if (code !== 0) report(`@vscode/${name} was not built (no compiler?). VS Code works without it.`);
  }
}
