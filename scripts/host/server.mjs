// A separate real VS Code: with its own settings, extensions, home and port, removed completely when it is stopped.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { once } from './cache.mjs';
import { endGroup, must, spawnGroup } from './processes.mjs';
import { SETTINGS } from './settings.mjs';
import { ensureTools } from './tools.mjs';

/**
 * Starts code-server on a free loopback port. Options:
 * - `workspace`: absolute path of the folder to open; an empty one is made when absent
 * - `workspaceFile`: absolute path of a .code-workspace file to open in place of that folder, which is its first one
 * - `extensions`: .vsix files to install, and folders of extensions that need no installing
 * - `settings`, `env`: added to the throw-away user settings and to the environment, which the extension host inherits
 * - `trust`: leave workspace trust on, so that the folder opens in restricted mode
 * - `testDriver`: let a page run a test suite in the extension host; hides toasts and refuses modal dialogs
 * - `home`: the child's HOME; a throw-away one when absent
 * - `port`: one that is free; any when absent
 * - `leaveOut`: names of built-in extensions that it starts without
 * - `kept`: a folder for what servers take over from each other: installed extensions and compiled code. Without it
 *   those of this process share their extensions, and keep no code
 *
 * Answers { url, authority, folderUrl, workspace, userData, logFile, root, stop }.
 */
export async function startServer({
  workspace,
  workspaceFile,
  extensions = [],
  settings = {},
  env = {},
  trust = false,
  testDriver = false,
  home,
  port: wantedPort,
  leaveOut = [],
  kept,
} = {}) {
  const { node, codeServer } = await ensureTools();
  const root = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'wm-')); // short, because the paths of unix sockets are below it
  const discard = () => fs.rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  if (!process.env.WAYMARK_KEEP) process.once('exit', discard);

  const folder = (name) => {
    const made = path.join(root, name);
    fs.mkdirSync(made, { recursive: true });
    return made;
  };
  const [userData, temporary] = [folder('data'), folder('t')];
  const opened = workspace ?? folder('workspace');
  fs.writeFileSync(
    path.join(folder('data/User'), 'settings.json'),
    JSON.stringify({ ...SETTINGS, 'security.workspace.trust.enabled': trust, ...settings }, null, 2),
  );
  // VS Code takes settings of scope "machine", as most of Waymark's are, from where the extension runs.
  const machine = Object.fromEntries(Object.entries(settings).filter(([key]) => key.startsWith('waymark.')));
  fs.writeFileSync(path.join(folder('data/Machine'), 'settings.json'), JSON.stringify(machine, null, 2));
  fs.writeFileSync(path.join(root, 'config.yaml'), 'auth: none\n');

  const childEnv = {
    ...cleanEnvironment(),
    HOME: home ?? folder('home'),
    TMPDIR: temporary,
    EXTENSIONS_GALLERY: '{}',
    ...(kept && { NODE_COMPILE_CACHE: path.join(kept, 'compiled') }),
    ...env,
  };
  const extensionsFolder = extensions.length > 0 ? await installed(extensions, kept) : folder('extensions');

  const port = wantedPort ?? (await freePort());
  const logFile = path.join(root, 'server.log');
  const log = fs.openSync(logFile, 'w');
  const child = spawnGroup(
    node,
    [
      codeServer,
      ...placesOf(root, extensionsFolder),
      '--auth',
      'none',
      '--bind-addr',
      `127.0.0.1:${port}`,
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-getting-started-override',
      '--ignore-last-opened',
      '--reconnection-grace-time',
      '5',
      ...(leaveOut.length > 0 ? ['--builtin-extensions-dir', await builtInWithout(leaveOut, kept)] : []),
      ...(trust ? [] : ['--disable-workspace-trust']),
      // Server and page are on one machine, and compressing each message costs more than sending it.
      ...['--vscode-option', 'disable-websocket-compression'],
      ...(testDriver ? ['--vscode-option', 'enable-smoke-test-driver'] : []),
    ],
    { env: childEnv, cwd: opened, stdio: ['ignore', log, log] },
  );
  fs.closeSync(log);

  const url = `http://127.0.0.1:${port}`;
  await answers(`${url}/healthz`, child, logFile);

  let stopped;
  const stop = () =>
    (stopped ??= endGroup(child).then(() => {
      process.off('exit', discard);
      if (!process.env.WAYMARK_KEEP) discard();
    }));
  return {
    url,
    authority: `127.0.0.1:${port}`,
    folderUrl: `${url}/?${new URLSearchParams(workspaceFile ? { workspace: workspaceFile } : { folder: opened })}`,
    workspace: opened,
    userData,
    logFile,
    root,
    stop,
  };
}

/** Options of code-server for a throw-away folder. */
const placesOf = (root, extensionsFolder) => [
  '--config',
  path.join(root, 'config.yaml'),
  '--user-data-dir',
  path.join(root, 'data'),
  '--extensions-dir',
  extensionsFolder,
];

/** Installed extensions that the servers of this process share. */
let keptHere;

/**
 * Returns the extensions folder of a VS Code that has these. Installing a .vsix file takes VS Code half as long as
 * opening a window, so all servers with the same extensions share the folder. The files also keep their paths, so Node
 * finds their code cache again.
 */
async function installed(extensions, kept = (keptHere ??= temporaryFolder())) {
  const name = createHash('sha256').update(extensions.join('\n')).digest('hex').slice(0, 12);
  const folder = path.join(kept, `extensions-${name}`);
  return once(folder, (building) => install(extensions, building, folder));
}

/** Returns a folder with links to VS Code's built-in extensions except these, whose contributions cost every window time. */
async function builtInWithout(names, kept = (keptHere ??= temporaryFolder())) {
  const { vscode } = await ensureTools();
  const all = path.join(vscode, 'extensions');
  const key = createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 12);
  return once(path.join(kept, `built-in-${key}`), (building) => {
    for (const entry of fs.readdirSync(all, { withFileTypes: true })) {
      if (!entry.isDirectory() || names.includes(entry.name)) continue;
      fs.symlinkSync(path.join(all, entry.name), path.join(building, entry.name), 'junction');
    }
  });
}

/** Installs into `building`, which becomes `folder`. */
async function install(extensions, building, folder) {
  const { node, codeServer } = await ensureTools();
  const root = temporaryFolder();
  fs.writeFileSync(path.join(root, 'config.yaml'), 'auth: none\n');
  const env = { ...cleanEnvironment(), HOME: root, TMPDIR: root, EXTENSIONS_GALLERY: '{}' };
  for (const extension of extensions) {
    if (fs.statSync(extension).isDirectory())
      fs.cpSync(extension, path.join(building, path.basename(extension)), { recursive: true });
    else
      await must(node, [codeServer, ...placesOf(root, building), '--install-extension', extension], {
        env,
        timeoutMs: 60_000,
      });
  }
  const list = path.join(building, 'extensions.json');
  // It contains absolute paths, too. Without a .vsix file it does not exist yet.
  if (fs.existsSync(list)) fs.writeFileSync(list, fs.readFileSync(list, 'utf8').replaceAll(building, folder));
}

function temporaryFolder() {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'wm-')); // short, because the paths of unix sockets are below it
  if (!process.env.WAYMARK_KEEP)
    process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/**
 * A run must not depend on the caller's shell: npm's variables, the surrounding VS Code, code-server's own settings.
 */
function cleanEnvironment() {
  const theirs =
    /^(npm_|VSCODE_|XDG_|ELECTRON_|CODE_SERVER_|NODE_OPTIONS$|NODE_TEST_CONTEXT$|PORT$|PASSWORD$|HASHED_PASSWORD$|CI$)/;
  const entries = Object.entries(process.env).filter(([name]) => !theirs.test(name));
  const environment = Object.fromEntries(entries);
  // `npm run` also puts the node_modules/.bin of every parent folder first.
  environment.PATH = (environment.PATH ?? '')
    .split(path.delimiter)
    .filter((entry) => !/node_modules[\\/](\.bin|npm)|node-gyp-bin/.test(entry))
    .join(path.delimiter);
  return environment;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net
      .createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = probe.address();
        probe.close(() => resolve(port));
      });
  });
}

/**
 * Returns ports that stay free while nobody listens on them: they are below the system's ephemeral range, and every
 * process starts its search at a different one.
 */
export async function steadyPorts(count) {
  const ports = [];
  for (let port = 20_000 + (process.pid % 10_000); ports.length < count; port++) {
    if (port === 32_000) throw new Error(`There are not ${count} free ports below 32000.`);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

const isFree = (port) =>
  new Promise((resolve) => {
    const probe = net
      .createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

async function answers(url, child, logFile) {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) break;
    if (
      await fetch(url).then(
        (response) => response.ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await endGroup(child, 0);
  throw new Error(
    `VS Code's server did not start. Its log ends with:\n${fs.readFileSync(logFile, 'utf8').slice(-3000)}`,
  );
}
