import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { diskScripts, temporaryFile } from '../../../src/adapters/scripts/diskScripts';
import { textVersion } from '../../../src/adapters/files/textVersion';
import { assessWithScripts } from '../../../src/core/security/scripts/assessWithScripts';
import type { Assessment, Event } from '../../../src/protocol/events/event';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

describe('a deletion', () => {
  let workspace: TemporaryWorkspace;
  let history: Event[] = [];
  const put = (name: string, text = 'x\n'): void => {
    fs.mkdirSync(path.dirname(workspace.at(name)), { recursive: true });
    fs.writeFileSync(workspace.at(name), text);
  };
  const git = (...words: string[]): void => {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], {
      cwd: workspace.root,
      stdio: 'ignore',
    });
  };
  const judge = (command: string): Promise<Assessment> =>
    assessWithScripts(command, { workspace: workspace.root, folder: '.' }, diskScripts(workspace.root), history);
  const repository = (): void => {
    git('init', '-q');
    put('.gitignore', 'dist/\nbuild/\nnode_modules/\n*.sqlite\n');
    for (const name of ['lib/help.js', 'lib/other.js', 'out/kept.js', 'package.json']) put(name);
    git('add', '-A');
    git('commit', '-qm', 'one');
    for (const name of [
      'dist/a.js',
      'dist/sub/b.js',
      'build/x/c.js',
      'node_modules/a/index.js',
      'data.sqlite',
      'notes.md',
      'old.log',
    ])
      put(name);
  };

  beforeEach(() => {
    workspace = temporaryWorkspace();
    history = [];
  });
  afterEach(() => workspace.stop());

  it('of ignored build output needs no approval', async () => {
    repository();
    for (const command of [
      'rm -rf dist',
      'rm -rf dist build node_modules',
      'rm -rf ./dist/*',
      'rm -rf dist/sub',
      'rm -f old.log',
      'rm -rf dist && mkdir dist',
      `rm -rf ${workspace.at('dist')}`,
    ]) {
      assert.equal((await judge(command)).level, 'medium', command);
    }
  });

  it('of files Git tracks or has no copy of needs approval, and the reason names them', async () => {
    repository();
    fs.appendFileSync(workspace.at('lib/other.js'), 'more\n');
    const expected: Record<string, RegExp> = {
      'rm lib/help.js': /lib\/help\.js, which has a copy in Git/,
      'rm lib/other.js': /changes in lib\/other\.js that were never committed/,
      'rm -rf lib': /changes in lib that were never committed/,
      'rm -rf out': /out, which has a copy in Git/,
      'rm notes.md': /notes\.md, which has no copy in Git/,
      'rm data.sqlite': /data\.sqlite, which Git ignores and has no copy of/,
      'rm -rf dist lib/help.js': /lib\/help\.js, which has a copy in Git/,
      'find lib -name "*.js" -delete': /never committed/,
    };
    for (const [command, reason] of Object.entries(expected)) {
      const { level, reasons } = await judge(command);
      assert.equal(level, 'high', command);
      assert.match(reasons.join(' '), reason, command);
    }
  });

  it('of a folder needs approval if it contains a secret or another repository, or is not ignored', async () => {
    repository();
    put('dist/.env', 'A=1\n');
    assert.match((await judge('rm -rf dist')).reasons.join(' '), /may be secret/);
    put('build/x/.git/HEAD', 'ref: refs/heads/main\n');
    assert.match((await judge('rm -rf build')).reasons.join(' '), /its own Git repository/);
    put('target/a.txt');
    assert.match((await judge('rm -rf target')).reasons.join(' '), /no copy in Git/);
  });

  it('without a repository needs no approval only for node_modules', async () => {
    for (const name of ['node_modules/a.js', 'build/a.js', 'a.txt']) put(name);
    assert.equal((await judge('rm -rf node_modules')).level, 'medium');
    for (const command of ['rm -rf build', 'rm a.txt'])
      assert.match((await judge(command)).reasons.join(' '), /no copy in any Git repository/, command);
  });

  it('of a file this session created needs no approval until somebody changes it', async () => {
    repository();
    put('scratch.js', 'one\n');
    const change = {
      path: 'scratch.js',
      kind: 'created',
      added: 1,
      removed: 0,
      hunks: [],
      version: textVersion('one\n'),
    };
    history = [
      {
        type: 'observation',
        seq: 0,
        at: 0,
        actionId: 'a',
        details: { kind: 'edit', changes: [change] },
      } as unknown as Event,
    ];
    const { level, reasons } = await judge('rm scratch.js');
    assert.deepEqual([level, reasons], ['medium', ['Deletes a file that this session created.']]);
    put('scratch.js', 'one\nby a person\n');
    assert.equal((await judge('rm scratch.js')).level, 'high');
  });

  it('is assessed without running programs configured in the repository', async () => {
    repository();
    put('lib/filtered.js');
    const ran = workspace.at('ran');
    git('config', 'core.fsmonitor', `touch ${ran}`);
    git('config', 'filter.x.clean', `touch ${ran}`);
    put('.gitattributes', '*.js filter=x\n');
    fs.appendFileSync(workspace.at('lib/help.js'), 'more\n');
    assert.equal((await judge('rm -rf lib')).level, 'high');
    assert.equal(fs.existsSync(ran), false);
  });
});

describe('a temporary file', () => {
  let folder: string;
  before(function () {
    if (process.platform === 'win32' || !fs.existsSync('/tmp')) this.skip();
  });
  beforeEach(() => {
    folder = fs.mkdtempSync('/tmp/waymark-test-');
  });
  afterEach(() => {
    if (folder) fs.rmSync(folder, { recursive: true, force: true });
  });

  it('is ours if created since the session began, none if missing, and otherwise others’', async () => {
    const earlier = fs.statSync(folder).birthtimeMs - 1;
    const later = earlier + 3_600_000;
    fs.writeFileSync(path.join(folder, 'a'), '');
    fs.symlinkSync(os.homedir(), path.join(folder, 'link'));
    assert.equal(await temporaryFile(path.join(folder, 'a'), earlier), 'ours');
    assert.equal(await temporaryFile(path.join(folder, 'b', 'c'), earlier), 'none');
    assert.equal(await temporaryFile(path.join(folder, 'a'), later), 'others');
    assert.equal(await temporaryFile(path.join(folder, 'b'), later), 'others');
    for (const name of ['link', 'link/.ssh', '*'])
      assert.equal(await temporaryFile(path.join(folder, name), earlier), 'others', name);
    for (const name of ['/tmp', '/tmp/', '/etc/passwd'])
      assert.equal(await temporaryFile(name, earlier), 'others', name);
  });

  it('is written, read and deleted without approval only if it is ours or missing', async () => {
    const workspace = temporaryWorkspace();
    const begun = (at: number): Event[] => [{ type: 'task_started', seq: 0, at } as unknown as Event];
    const earlier = fs.statSync(folder).birthtimeMs - 1;
    const judge = async (command: string, at: number): Promise<string> =>
      (
        await assessWithScripts(
          command,
          { workspace: workspace.root, folder: '.' },
          diskScripts(workspace.root),
          begun(at),
        )
      ).level;
    fs.writeFileSync(path.join(folder, 'a'), '');
    try {
      for (const command of [
        `npm test > ${folder}/a 2>&1`,
        `tail ${folder}/a`,
        `rm ${folder}/a`,
        `rm -rf ${folder}`,
        `echo x > ${folder}/new`,
      ]) {
        assert.notEqual(await judge(command, earlier), 'high', command);
        assert.equal(await judge(command, earlier + 3_600_000), 'high', command);
      }
      for (const command of [
        `bash ${folder}/a`,
        `. ${folder}/a`,
        `ln -s ~ ${folder}/l`,
        `rm -rf /tmp`,
        `rm -rf ${folder}/*`,
        `cp .env ${folder}/b`,
        `mv * ${folder}/`,
        `mv package.json ${folder}/x`,
      ])
        assert.equal(await judge(command, earlier), 'high', command);
    } finally {
      workspace.stop();
    }
  });
});
