import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { npmProgram } from '../../scripts/host/npm.mjs';
import { ensureBuilt } from '../cli/support/commandLine';

const root = process.env.REPOSITORY!;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-package-'));
const home = path.join(folder, 'home');
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_lifecycle|WAYMARK)/.test(name))),
  // The run inherits nothing from the shell that started the tests.
  XDG_STATE_HOME: path.join(home, 'state'),
};

const npm = (cwd: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } =>
  spawnSync(process.execPath, [npmProgram(), ...args, '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd,
    encoding: 'utf8',
  });

const unreachable = /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|network|ENOTCACHED/i;

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

describe('the npm package', function () {
  this.timeout(300_000);
  let packed: Packed;
  let installed: string;

  before(() => {
    ensureBuilt();
    const notice = spawnSync(process.execPath, [path.join(root, 'scripts/package/notice.mjs')], { encoding: 'utf8' });
    assert.equal(notice.status, 0, notice.stderr);
    const { status, stdout, stderr } = npm(root, 'pack', '--json', '--pack-destination', folder);
    assert.equal(status, 0, stderr);
    [packed] = JSON.parse(stdout) as [Packed];
  });

  after(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  it('contains what the command line needs and the types of the API, and no window code, sources or tests', () => {
    const { types } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { types: string };
    const files = packed.files.map((file) => file.path);
    const shipped =
      /^(dist\/(cli|pdfWorker|queue)\.js|dist\/package\.json|dist\/(cli|pdf|wasm)\/[\w.-]+|examples\/first-run\/.*|api\/waymark\.d\.ts|[\w.]+)$/;
    assert.deepEqual(
      files.filter((file) => !shipped.test(file)),
      [],
    );
    assert.deepEqual(
      files.filter((file) => /\.(map|ts|tsx)$/.test(file) && `./${file}` !== types),
      [],
    );
    for (const needed of [
      path.posix.normalize(types),
      'dist/cli.js',
      'dist/queue.js',
      'LICENSE',
      'NOTICE',
      'README.md',
      'package.json',
    ])
      assert.ok(files.includes(needed), needed);
  });

  it('lists the bundled packages with their licenses', () => {
    const notice = fs.readFileSync(path.join(root, 'NOTICE'), 'utf8');
    for (const name of ['zod', 'commander', 'node-pty', '@modelcontextprotocol/client'])
      assert.match(notice, new RegExp(`^${name} \\d.* \\(.+\\)$`, 'm'));
    assert.doesNotMatch(notice, /^(mocha|typescript|playwright-core) \d/m);
  });

  it('installs into an empty folder', function () {
    const app = path.join(folder, 'app');
    fs.mkdirSync(app);
    fs.writeFileSync(path.join(app, 'package.json'), '{"private":true}');
    const { status, stderr } = npm(app, 'install', '--prefer-offline', path.join(folder, packed.filename));
    // The native dependencies, a terminal and ripgrep, come from the registry.
    if (status !== 0 && unreachable.test(stderr)) this.skip();
    assert.equal(status, 0, stderr);
    installed = path.join(app, 'node_modules/waymark');
    const names = fs.readdirSync(path.join(app, 'node_modules')).filter((name) => !name.startsWith('.'));
    assert.deepEqual(names.sort(), ['@vscode', 'node-addon-api', 'node-pty', 'waymark']);
  });

  it('prints its version and plays the tutorial to its end', function () {
    if (installed === undefined) this.skip(); // the registry is unreachable
    const cli = path.join(installed, 'dist/cli.js');
    const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
    assert.equal(spawnSync(process.execPath, [cli, '--version'], { encoding: 'utf8' }).stdout.trim(), version);
    const lesson = path.join(installed, 'examples/first-run');
    const work = path.join(folder, 'work');
    fs.cpSync(lesson, work, { recursive: true });
    const script = path.join(lesson, 'script.jsonl');
    const { status, stdout, stderr } = runs(cli, script, work, environment);
    assert.equal(status, 0, `${stdout}\n${stderr}`);
    assert.match(stdout, /The 12:30 pm boat is shown again/);
  });

  it('searches with its bundled ripgrep', function () {
    if (installed === undefined) this.skip(); // the registry is unreachable
    const work = path.join(folder, 'searched');
    fs.mkdirSync(work);
    fs.writeFileSync(path.join(work, 'harbour.txt'), 'the lighthouse\n');
    const script = path.join(folder, 'search.jsonl');
    const replies = [
      { say: 'Searching.', call: { tool: 'search_text', input: { pattern: 'lighthouse' } } },
      { say: 'Done.', call: { tool: 'finish', input: { summary: 'Searched.' } } },
    ];
    fs.writeFileSync(script, replies.map((each) => `${JSON.stringify(each)}\n`).join(''));
    // This run starts no shell, so it does not need the other programs of the folders left out of the PATH.
    const withoutRipgrep = { ...environment, PATH: pathWithoutRipgrep() };
    const { status, stdout, stderr } = runs(path.join(installed, 'dist/cli.js'), script, work, withoutRipgrep);
    assert.equal(status, 0, `${stdout}\n${stderr}`);
    assert.match(stdout, /Search "lighthouse" +1 file/);
  });

  const runs = (
    cli: string,
    script: string,
    work: string,
    env: NodeJS.ProcessEnv,
  ): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(
      process.execPath,
      [
        cli,
        'run',
        'Mend it.',
        '--script',
        script,
        '--cwd',
        work,
        '--mode',
        'auto',
        '--trust-folder',
        '--log',
        `${work}.jsonl`,
      ],
      { encoding: 'utf8', env, cwd: folder },
    );
});

/** Returns the PATH without the folders that contain ripgrep. */
const pathWithoutRipgrep = (): string =>
  (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((place) => !fs.existsSync(path.join(place, 'rg')))
    .join(path.delimiter);
