import { strict as assert } from 'node:assert';
import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { trustFolders } from '../../../src/adapters/sessions/trustedFolders';
import { message, reply, toolCall, type Answering } from '../../support/modelServer';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';
import { cliFile, ensureBuilt, onMachine, type Machine } from '../support/commandLine';
import { sitDown } from '../support/sitDown';

const answers = (count: number): Answering[] => Array.from({ length: count }, () => reply('Done.'));

/** A user's machine with a downloaded repository that has not been worked in yet. */
const withNewFolder = (
  use: (machine: Machine, folder: TemporaryWorkspace) => Promise<void>,
  given = answers(8),
): Promise<void> =>
  onMachine(given, async (machine) => {
    const folder = temporaryWorkspace();
    try {
      folder.place('AGENTS.md', 'Use tabs.\n');
      folder.place('package.json', '{}\n');
      const git = (...words: string[]) => assert.equal(spawnSync('git', words, { cwd: folder.root }).status, 0);
      git('init', '-q');
      git('add', '.');
      git('-c', 'user.name=N', '-c', 'user.email=n@example.com', 'commit', '-qm', 'All.');
      await use(machine, folder);
    } finally {
      folder.stop();
    }
  });

/** Runs a line in a shell. The model server of the test answers meanwhile. */
const inShell = (line: string, options: { cwd: string; env: NodeJS.ProcessEnv }) =>
  new Promise<{ status: number; stderr: string }>((resolve) => {
    const child = execFile('/bin/bash', ['-c', line], options, (error, _stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), stderr }),
    );
    child.stdin?.end();
  });

describe('a run without a terminal in an untrusted folder', function () {
  this.timeout(120_000);
  before(ensureBuilt);

  it('does not start: exit code 3, no request, no log, and a message that lists the files of the folder', () =>
    withNewFolder(async ({ start, args, server, log, environment }, folder) => {
      folder.place('.agent/hooks.json', '{"hooks":{}}');
      folder.place('.vscode/mcp.json', '{"servers":{}}');
      for (const more of [[], ['--worktree'], ['--best-of', '2'], ['--confirm', 'always'], ['--json']]) {
        const words = args('Try.', '--cwd', folder.root, ...more);
        const own = more.includes('--best-of') ? words.filter((word) => word !== '--log' && word !== log) : words;
        const { code, stdout, stderr } = await start(own).ended;
        assert.deepEqual([code, stdout], [3, ''], `${more.join(' ')}\n${stderr}`);
        assert.match(stderr, /The run did not start: the folder \S+ is not trusted/);
        assert.ok(stderr.includes(folder.root));
        assert.match(stderr, /programs to start: AGENTS\.md, \.agent\/hooks\.json, \.vscode\/mcp\.json\./);
        assert.match(stderr, /for this run: --trust-folder$/m);
      }
      assert.equal(server.requests.length, 0);
      assert.equal(fs.existsSync(log), false);
      assert.equal(fs.existsSync(`${environment['XDG_STATE_HOME']}/waymark-worktrees`), false);
    }));

  it('does not start even if the folder has no instructions, because its scripts can run code', () =>
    withNewFolder(async ({ run, server }, folder) => {
      folder.remove('AGENTS.md');
      const { code, stderr } = await run('Try.', '--cwd', folder.root);
      assert.equal(code, 3);
      assert.match(stderr, /contains no instructions, but its scripts and tests can run code/);
      assert.equal(server.requests.length, 0);
    }));

  it('is reported in the --junit file, like every run that cannot start', () =>
    withNewFolder(async ({ run, environment }, folder) => {
      const report = `${environment['HOME']}/reports/waymark.xml`;
      assert.equal((await run('Try.', '--cwd', folder.root, '--junit', report)).code, 3);
      const untrusted = fs.readFileSync(report, 'utf8');
      assert.match(untrusted, /<testsuite name="waymark run" tests="1" failures="1" errors="0"/);
      assert.match(
        untrusted,
        /name="Try\."[^]*<failure message="The run did not start: the folder [^"]* is not trusted[^"]*" type="consent">/,
      );
      assert.match(untrusted, /this run: --trust-folder\n/);
      assert.equal((await run('Try.', '--cwd', folder.at('missing'), '--junit', report)).code, 1);
      assert.match(fs.readFileSync(report, 'utf8'), /<failure message="[^"]*is not a folder\. [^"]*" type="failed">/);
    }));

  it('starts with the lines for CI of docs/use/batch.md', () =>
    withNewFolder(
      async ({ server, environment }, folder) => {
        const page = fs.readFileSync(path.join(process.env['REPOSITORY']!, 'docs/use/batch.md'), 'utf8');
        const [, line, variables] = /^ {4}- run: (waymark run .*)\n {6}env:\n((?: {8}.*\n)+)/m.exec(page)!;
        const named = [...variables!.matchAll(/^ +(\w+): (.*)$/gm)].map(([, name, value]) => [name, value]);
        const { status, stderr } = await inShell(`waymark() { '${process.execPath}' '${cliFile}' "$@"; }; ${line}`, {
          cwd: folder.root,
          env: { ...environment, ...Object.fromEntries(named), WAYMARK_BASE_URL: server.baseUrl },
        });
        assert.equal(status, 0, stderr);
        const report = fs.readFileSync(folder.at('reports/waymark.xml'), 'utf8');
        assert.match(report, /tests="1" failures="0"/);
        assert.equal(server.requests[0]!.body.model, 'claude-sonnet-5');
      },
      [message('Done.')],
    ));

  it('exits with the same code if that report cannot be written, and says so', () =>
    withNewFolder(async ({ run, environment }, folder) => {
      fs.writeFileSync(`${environment['HOME']}/file`, '');
      const { code, stderr } = await run('Try.', '--cwd', folder.root, '--junit', `${environment['HOME']}/file/a.xml`);
      assert.equal(code, 3);
      assert.match(stderr, /The report .*a\.xml could not be written\./);
      assert.match(stderr, /To trust it for this run: --trust-folder/);
    }));

  it('does not start with an existing empty log, as created by mktemp', () =>
    withNewFolder(async ({ run, server, log }, folder) => {
      fs.writeFileSync(log, '');
      const { code, stderr } = await run('Try.', '--cwd', folder.root);
      assert.equal(code, 3, stderr);
      assert.equal(server.requests.length, 0);
    }));

  it('starts with --trust-folder, with consent to what the folder brings or without questions, for this run only', () =>
    withNewFolder(async ({ run, log, start, args }, folder) => {
      for (const flags of [
        ['--trust-folder'],
        ['--agree', 'skills'],
        ['--agree', 'all', '--mcp', 'all'],
        ['--confirm', 'never'],
        ['--yolo'],
      ]) {
        const { code, stderr } = await run('Try.', '--cwd', folder.root, ...flags);
        assert.equal(code, 0, stderr);
        fs.rmSync(log);
        assert.equal((await run('Try.', '--cwd', folder.root)).code, 3);
      }
      assert.equal((await run('Try.', '--cwd', folder.root, '--agree', 'hooks')).code, 3);
      const first = await start(args('Try.', '--cwd', folder.root, '--trust-folder')).ended;
      assert.equal(first.code, 0, first.stderr);
      const again = await run('Go on.', '--cwd', folder.root);
      assert.equal(again.code, 3, 'a session that goes on there needs it, too');
    }));

  it('needs trust again when it continues in a worktree of a run with --trust-folder', () =>
    withNewFolder(
      async ({ run, start, args, server, workspace }, folder) => {
        const goOn = (...more: string[]) =>
          start(args('Go on.', ...more).filter((word) => word !== '--cwd' && word !== workspace.root)).ended;
        const first = await run('Try.', '--cwd', folder.root, '--worktree', '--trust-folder');
        assert.equal(first.code, 0, first.stderr);
        const asked = server.requests.length;
        const again = await goOn();
        assert.equal(again.code, 3, again.stderr);
        assert.ok(again.stderr.includes(`the folder ${fs.realpathSync(folder.root)} is not trusted,`), again.stderr);
        assert.equal(server.requests.length, asked);
        assert.equal((await goOn('--trust-folder')).code, 0);
      },
      [toolCall('write_file', { path: 'made.txt', content: 'one\n' }), ...answers(4)],
    ));

  it('works in plan mode, in which the agent only reads', () =>
    withNewFolder(async ({ run, server, log }, folder) => {
      const hook = { command: `touch ${folder.at('ran.txt')}` };
      folder.place('.agent/hooks.json', JSON.stringify({ hooks: { SessionStart: [{ hooks: [hook] }] } }));
      folder.place(
        '.mcp.json',
        JSON.stringify({ servers: { one: { command: 'touch', args: [folder.at('ran.txt')] } } }),
      );
      const plan = ['--cwd', folder.root, '--mode', 'plan'];
      const { code, stderr } = await run('Look.', ...plan);
      assert.equal(code, 0, stderr);
      assert.match(stderr, /hooks\.json defines 1 hook, which does not run/);
      assert.match(JSON.stringify(server.requests[0]!.body.messages), /Use tabs\./, 'its instructions are read');
      fs.rmSync(log);
      assert.equal((await run('Look.', ...plan, '--mcp', 'all')).code, 3);
      assert.equal(folder.bytes('ran.txt'), undefined, 'nothing from the folder ran');
    }));

  it('starts after someone ran a task there at a terminal, also in subfolders of the repository', () =>
    withNewFolder(async (machine, folder) => {
      const person = sitDown(machine, 'Look.', '--cwd', folder.root, '--log', `${machine.log}.first`);
      assert.equal(await person.leaves(), 0, person.seen());
      const works = async (place: string) => (await machine.run('Try.', '--cwd', place)).code;
      fs.mkdirSync(folder.at('packages/one'), { recursive: true });
      fs.mkdirSync(folder.at('cloned/.git'), { recursive: true });
      assert.equal(await works(folder.at('cloned')), 3, 'another repository is from elsewhere');
      assert.equal(await works(folder.at('packages/one')), 0);
    }));
});

describe('the list of trusted folders', () => {
  it('is private and contains each folder once, even if several processes write at the same time', () => {
    const places = temporaryWorkspace();
    try {
      const folders = ['a', 'b', 'c'].map((name) => places.at(name));
      for (const folder of folders) fs.mkdirSync(folder);
      for (const folder of [...folders, ...folders]) trustFolders([folder]);
      const file = `${process.env['XDG_STATE_HOME']}/waymark/trusted-folders.json`;
      const kept = JSON.parse(fs.readFileSync(file, 'utf8')) as string[];
      assert.deepEqual(
        kept.filter((each) => folders.includes(each)),
        folders,
      );
      assert.equal(fs.statSync(file).mode & 0o077, 0);
    } finally {
      places.stop();
    }
  });
});
