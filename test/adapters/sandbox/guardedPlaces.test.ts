import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { AgentTerminal } from '../../../src/adapters/terminal/agentTerminal';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import { GuardedTrees } from '../../../src/adapters/sandbox/guardedTrees';
import { GuardedTree, isObeyed } from '../../../src/adapters/sandbox/guardedTree';
import { protectedWrites, matchingRules } from '../../../src/core/risk/pathRules';
import type { CommandResult } from '../../../src/core/ports/terminal';
import { commandOptions, temporaryFolder } from '../../contracts/terminal.contract';

/** Creates files; a name that ends with "/" is a folder. */
function make(root: string, ...names: string[]): void {
  for (const name of names) {
    const place = path.join(root, name);
    fs.mkdirSync(name.endsWith('/') ? place : path.dirname(place), { recursive: true });
    if (!name.endsWith('/')) fs.writeFileSync(place, 'before\n');
  }
}

describe('guarded files below the top of a workspace', () => {
  it('match the table of protected files at any depth', () => {
    for (const { level, examples } of protectedWrites) {
      for (const example of examples.filter((each) => each !== 'any.code-workspace')) {
        const parts = `deep/down/${example}`.split('/');
        const ways = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
        const byTable = ways.some((way) =>
          [way, `${way}/`].some((each) => matchingRules(each, protectedWrites).some((rule) => rule.level === 'high')),
        );
        assert.equal(
          ways.some((way) => isObeyed(way)),
          byTable,
          example,
        );
        if (level === 'high') assert.ok(byTable, example);
      }
    }
    for (const spelled of ['deep/.NPMRC', 'deep/.npmrc.', 'deep/.Cargo/config.toml', 'deep/\u200b.envrc'])
      assert.ok(isObeyed(spelled), spelled);
    for (const plain of ['deep/index.ts', 'deep/package.json', 'deep/npmrc', 'deep/a b.txt'])
      assert.ok(!isObeyed(plain), plain);
  });

  const tree = async (root: string): Promise<GuardedTree> => {
    const made = new GuardedTree(root);
    await made.begin();
    return made;
  };

  it('are found except in packages, repositories and folders that Git ignores', async function () {
    const root = temporaryFolder();
    make(
      root,
      'packages/a/.npmrc',
      '.cargo/config.toml',
      '.yarn/releases/yarn.cjs',
      'skills/one/SKILL.md',
      'node_modules/a/.npmrc',
      'dist/copy/.npmrc',
      'packages/a/.vscode/settings.json',
      'x/y/.git/config',
      '.npmrc',
    );
    fs.writeFileSync(path.join(root, '.gitignore'), 'dist/\n.vscode/\n');
    try {
      execFileSync('git', ['init', '-q', root]);
    } catch {
      this.skip();
    } // Git is not installed
    assert.deepEqual((await tree(root)).places().sort(), [
      '.cargo/config.toml',
      '.yarn/releases',
      'packages/a/.npmrc',
      'packages/a/.vscode',
      'skills/one/SKILL.md',
    ]);
  });

  it('are reported when they are created, replaced or moved in with a folder', async () => {
    const root = temporaryFolder();
    make(root, 'packages/a/.npmrc', 'packages/b/index.ts', 'aside/.envrc');
    const looks = await tree(root);
    const since = Date.now();
    assert.deepEqual(looks.createdSince(since), []);
    make(root, 'packages/b/.npmrc', 'packages/new/deep/.cargo/config', 'packages/b/other.ts');
    assert.deepEqual(looks.createdSince(since).sort(), ['packages/b/.npmrc', 'packages/new/deep/.cargo/config']);
    assert.deepEqual(looks.createdSince(since), []);
    fs.renameSync(path.join(root, 'packages/a'), path.join(root, 'packages/moved'));
    make(root, 'packages/a/.npmrc');
    fs.renameSync(path.join(root, 'aside'), path.join(root, 'packages/b/aside'));
    assert.deepEqual(looks.createdSince(since).sort(), [
      'packages/a/.npmrc',
      'packages/b/aside/.envrc',
      'packages/moved/.npmrc',
    ]);
    fs.rmSync(path.join(root, 'packages'), { recursive: true });
    assert.deepEqual(looks.createdSince(since), []);
  });

  it('are reported in a folder that is moved to the place of another one', async () => {
    const root = temporaryFolder();
    make(root, 'sub/deep/down/AGENTS.md', 'other/deep/down/AGENTS.md', 'sub/plain/a.ts', 'other/plain/a.ts');
    const looks = await tree(root);
    // The check counts changes shortly before its beginning, too.
    await new Promise((resolve) => setTimeout(resolve, 200));
    const since = Date.now();
    fs.renameSync(path.join(root, 'sub'), path.join(root, 'away'));
    fs.renameSync(path.join(root, 'other'), path.join(root, 'sub'));
    assert.deepEqual(looks.createdSince(since).sort(), ['away/deep/down/AGENTS.md', 'sub/deep/down/AGENTS.md']);
    assert.deepEqual(looks.createdSince(Date.now()), []);
  });

  it('include the Git directory of a repository, even if it replaces the one of the workspace', async () => {
    const root = temporaryFolder();
    make(root, 'old/HEAD', 'old/objects/', 'old/refs/', 'plain/HEAD', '.git/HEAD', '.git/objects/', '.git/refs/');
    const looks = await tree(root);
    const since = Date.now();
    make(
      root,
      'old/config',
      'plain/config',
      'new/HEAD',
      'new/objects/',
      'new/refs/',
      'named/HEAD',
      'named/commondir',
      'HEAD',
      'objects/',
      'refs/',
    );
    assert.deepEqual(looks.createdSince(since).sort(), ['HEAD', 'named/HEAD', 'new/HEAD']);
    assert.deepEqual(looks.places(), []);
    make(root, 'plain/objects/', 'plain/refs/', 'HEAD', 'new/index');
    assert.deepEqual(looks.createdSince(Date.now() + 60_000), ['plain/HEAD']);
  });

  it('are not reported as new if they appeared before', async () => {
    const root = temporaryFolder();
    make(root, 'packages/a/');
    const looks = await tree(root);
    make(root, 'packages/a/.npmrc');
    const later = Date.now() + 60_000;
    assert.deepEqual(looks.createdSince(later), []);
    assert.deepEqual(looks.places(), ['packages/a/.npmrc']);
  });
});

describe('remembered workspace folders', () => {
  const begun = async (root: string): Promise<(change: () => void) => string[]> => {
    const trees = new GuardedTrees([root]);
    await trees.begin();
    // Cached results are only used if they are older than one tick of the clock.
    await old(root);
    trees.watch(new Set(), false)();
    return (change) => {
      const came = trees.watch(new Set(), false);
      change();
      return came()
        .map((place) => path.relative(root, place))
        .sort();
    };
  };
  /** Waits until the clock tick of the folder's last change is over. */
  const old = async (root: string): Promise<void> => {
    const changes = [
      root,
      ...fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => path.join(root, name)),
    ].map((place) => fs.lstatSync(place).ctimeMs);
    while (Date.now() - Math.max(...changes) < 200) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  it('report guarded files created at the top, in subfolders, in packages and in ignored folders', async () => {
    const root = temporaryFolder();
    make(root, 'src/a.ts', 'node_modules/x/', 'dist/', '.gitignore');
    fs.writeFileSync(path.join(root, '.gitignore'), 'dist/\n');
    const after = await begun(root);
    assert.deepEqual(
      after(() => undefined),
      [],
    );
    assert.deepEqual(
      after(() => make(root, '.npmrc', '.cargo/config.toml', 'AGENTS.md', 'plain.txt')),
      ['.cargo/config.toml', '.npmrc', 'AGENTS.md'],
    );
    assert.deepEqual(
      after(() =>
        make(
          root,
          'src/.git/HEAD',
          'node_modules/.git/HEAD',
          'dist/.git/HEAD',
          'src/deep/er/.git/HEAD',
          'fresh/.git/HEAD',
        ),
      ),
      ['dist/.git', 'fresh/.git', 'node_modules/.git', 'src/.git', 'src/deep/er/.git'],
    );
    assert.deepEqual(
      after(() => undefined),
      [],
    );
    assert.deepEqual(
      after(() => fs.renameSync(path.join(root, 'src'), path.join(root, 'moved'))),
      ['moved/.git', 'moved/deep/er/.git'],
    );
  });

  it('are scanned again even if a program resets a folder’s modification time', async () => {
    const root = temporaryFolder();
    make(root, 'src/a.ts');
    const after = await begun(root);
    const found = after(() => {
      for (const folder of [root, path.join(root, 'src')]) {
        const { atimeMs, mtimeMs } = fs.statSync(folder);
        make(folder, '.envrc');
        fs.utimesSync(folder, atimeMs / 1000, mtimeMs / 1000);
        assert.equal(Math.round(fs.statSync(folder).mtimeMs), Math.round(mtimeMs));
      }
    });
    assert.deepEqual(found, ['.envrc', 'src/.envrc']);
  });

  it('are scanned again within one clock tick, in which a folder can change twice', async () => {
    const root = temporaryFolder();
    make(root, 'src/a.ts');
    const trees = new GuardedTrees([root]);
    await trees.begin();
    for (let count = 0; count < 300; count++) {
      const name = `.yarnrc-${count}`;
      fs.writeFileSync(path.join(root, `plain-${count}`), '');
      fs.writeFileSync(path.join(root, `src/plain-${count}`), '');
      const came = trees.watch(new Set(), false);
      make(root, name, `src/${name}`);
      const found = came();
      for (const place of [name, `src/${name}`]) assert.ok(found.includes(path.join(root, place)), place);
    }
  });

  it('are scanned again if a link or another folder replaced them', async () => {
    const root = temporaryFolder();
    const elsewhere = temporaryFolder();
    make(root, 'src/a.ts', 'lib/b.ts', 'aside/.git/HEAD');
    make(elsewhere, '.git/HEAD');
    const after = await begun(root);
    const found = after(() => {
      fs.rmSync(path.join(root, 'src'), { recursive: true });
      fs.symlinkSync(elsewhere, path.join(root, 'src'));
      fs.renameSync(path.join(root, 'lib'), path.join(root, 'was-lib'));
      fs.renameSync(path.join(root, 'aside'), path.join(root, 'lib'));
    });
    assert.deepEqual(found, ['lib/.git', 'src/.git']);
  });

  it('are scanned again if something was mounted on them', async function () {
    const root = temporaryFolder();
    make(root, 'src/a.ts');
    const after = await begun(root);
    const place = path.join(root, 'src');
    try {
      execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', place], { stdio: 'ignore' });
    } catch {
      this.skip();
    } // only some accounts may mount
    try {
      assert.deepEqual(
        after(() => make(root, 'src/.npmrc')),
        ['src/.npmrc'],
      );
    } finally {
      execFileSync('umount', ['-l', place]);
    }
  });
});

describe('a command in the sandbox', function () {
  this.timeout(60_000);
  before(async function () {
    if ('none' in (await findSandbox([temporaryFolder()]))) this.skip();
  }); // this machine does not support a sandbox
  let terminal: AgentTerminal | undefined;
  afterEach(async () => {
    await terminal?.dispose();
  });
  const open = (cwd: string): AgentTerminal =>
    (terminal = new AgentTerminal({
      cwd,
      folders: [cwd],
      wanted: 'on',
      outputFolder: temporaryFolder(),
      shell: '/bin/bash',
    }));

  it('cannot change existing guarded files anywhere, and can build beside them', async () => {
    const cwd = temporaryFolder();
    const guarded = [
      '.cargo/config.toml',
      '.bundle/config',
      '.yarn/releases/yarn.cjs',
      'skills/one/SKILL.md',
      '.agent/personas/a.md',
      'packages/a/.npmrc',
      'packages/a/.github/workflows/ci.yml',
      'deep/er/still/.envrc',
    ];
    make(cwd, ...guarded, 'packages/a/index.js', '.yarn/cache/');
    const { run } = open(cwd);
    for (const place of guarded) {
      for (const change of [`echo evil >> ${place}`, `rm -f ${place}`, `echo evil > new && mv -f new ${place}`]) {
        const { exitCode } = await run.call(terminal, change, commandOptions());
        assert.notEqual(exitCode, 0, change);
      }
      assert.equal(fs.readFileSync(path.join(cwd, place), 'utf8'), 'before\n', place);
    }
    const { exitCode, output } = await terminal!.run('mv .cargo other', commandOptions());
    assert.notEqual(exitCode, 0, output);
    const build = await terminal!.run(
      'echo x > packages/a/index.js && mkdir -p packages/a/dist && mv packages/a/index.js packages/a/dist/ && echo x > .yarn/cache/x && rm -r packages/a/dist',
      commandOptions(),
    );
    assert.equal(build.exitCode, 0, build.output);
    assert.equal(build.note, undefined);
  });

  it('cannot change the settings of a repository whose .git points elsewhere, and can commit there', async function () {
    for (const points of [
      'git init -q --separate-git-dir=store .',
      'git init -q . && mv .git store && ln -s store .git',
    ]) {
      const root = temporaryFolder();
      const git = (line: string): string => execFileSync('bash', ['-c', line], { cwd: root, encoding: 'utf8' });
      try {
        git(`${points} && git config user.email a@b.invalid && git config user.name A`);
      } catch {
        this.skip();
      } // Git is not installed
      const before = fs.readdirSync(path.join(root, 'store')).sort();
      const held = open(root);
      const own = (command: string): Promise<CommandResult> => held.run(command, commandOptions());
      for (const place of ['config', 'commondir', 'hooks/post-checkout', 'info/attributes', 'modules/x']) {
        assert.match((await own(`echo evil >> store/${place}`)).output, /Read-only file system/, place);
      }
      assert.match((await own('mv store aside')).output, /busy/);
      const committed = await own('echo text > file && git add file && git commit -qm one');
      assert.equal(committed.exitCode, 0, committed.output);
      await held.dispose();
      assert.deepEqual(
        before.filter((name) => !fs.existsSync(path.join(root, 'store', name))),
        [],
      );
      assert.equal(fs.existsSync(path.join(root, 'store/commondir')), false);
    }
  });

  it('cannot change hooks and settings in folders that a repository’s settings name', async function () {
    const root = temporaryFolder();
    make(root, 'tools/hooks/pre-commit', 'team.gitconfig', 'worktree/index.js', 'deep/repository/more/hook');
    const config =
      '[core]\n\tHooksPath = "tools/hooks"\n[include]\n\tpath = ../team.gitconfig\n[submodule "a"]\n\tpath = worktree\n';
    try {
      execFileSync('git', ['init', '-q', root]);
      execFileSync('git', ['init', '-q', path.join(root, 'deep/repository')]);
    } catch {
      this.skip();
    } // Git is not installed
    fs.appendFileSync(path.join(root, '.git/config'), config);
    fs.appendFileSync(path.join(root, 'deep/repository/.git/config'), '[core] hooksPath = more\n');
    make(root, 'settings/deeper.gitconfig', 'own/hooks/pre-push');
    fs.writeFileSync(path.join(root, 'team.gitconfig'), '[include] path = settings/deeper.gitconfig\n');
    const around = '[include] path = ../team.gitconfig\n[core] hooksPath = own/hooks\n';
    fs.writeFileSync(path.join(root, 'settings/deeper.gitconfig'), around);
    const held = open(root);
    for (const place of [
      'tools/hooks/pre-commit',
      'tools/hooks/post-checkout',
      'team.gitconfig',
      'settings/deeper.gitconfig',
      'own/hooks/pre-push',
      'deep/repository/more/hook',
    ]) {
      const { output } = await held.run(`echo evil >> ${place}`, commandOptions());
      assert.match(output, /Read-only file system/, place);
    }
    for (const move of ['mv tools aside', 'mv deep aside', 'mv deep/repository aside'])
      assert.match((await held.run(move, commandOptions())).output, /busy/, move);
    assert.equal((await held.run('echo x > worktree/index.js && echo x > tools/other', commandOptions())).exitCode, 0);
  });

  it('is followed by a note on a repository that it could not create, even if it succeeded or hid the reason', async () => {
    const root = temporaryFolder();
    const held = open(root);
    const run = (command: string): Promise<CommandResult> => held.run(command, commandOptions());
    const listed = await run('ls -a');
    assert.match(listed.note ?? '', /\.git, \S+\.vscode: these are empty folders of the sandbox/);
    assert.equal((await run('ls -a')).note, undefined);
    for (const command of ['git init; ls', 'git init', 'echo x > .git/HEAD; ls']) {
      const { denied, note } = await run(command);
      assert.equal(denied, 'files', command);
      assert.match(note ?? '', /\/\.git was not created: other programs obey/, command);
    }
    const hidden = await run('git init > /dev/null 2>&1; ls');
    assert.equal(hidden.denied, undefined);
    assert.match(hidden.note ?? '', /\/\.git was not created: .*first run only that command/);
    for (const wrapped of ['bash -c "git init" 2>&-; ls', 'git -c init.defaultBranch=a init > /dev/null 2>&1 || true'])
      assert.match((await run(wrapped)).note ?? '', /\/\.git was not created/, wrapped);
    for (const other of ['echo "; git init ;"; true', 'mkdir -p sub; cd sub && git init -q; cd ..'])
      assert.doesNotMatch((await run(other)).note ?? '', /not created/, other);
    assert.match((await run('echo {} > .vscode/tasks.json; ls')).note ?? '', /\.vscode was not created/);
    for (const plain of ['echo Read-only file system', 'echo .gitignore: Read-only file system', 'git init -q sub']) {
      const { denied, note } = await run(plain);
      assert.equal(denied, undefined, plain);
      assert.doesNotMatch(note ?? '', /not created/, plain);
    }
  });

  it('is followed by a note on a guarded file that it could not change, even if it succeeded', async () => {
    const root = temporaryFolder();
    make(root, '.npmrc');
    const held = open(root);
    const { denied, note } = await held.run('echo evil > .npmrc; rm -f .npmrc; ls', commandOptions());
    assert.equal(denied, 'files');
    assert.match(note ?? '', /The sandbox keeps \S+\/\.npmrc read-only/);
  });

  it('is followed by a note if it missed a temporary file of this machine', async () => {
    const [root, other] = [temporaryFolder(), temporaryFolder()];
    make(other, 'error.log');
    const held = open(root);
    const note = async (command: string): Promise<string> => (await held.run(command, commandOptions())).note ?? '';
    const log = path.join(other, 'error.log');
    const words = await note(`cat ${log}; true`);
    assert.ok(words.includes(`do not see ${log}. To use that, ask the user to copy it into the workspace.`), words);
    assert.equal(await note(`cat ${log}.1; cat ${root}/nothing; echo ${log}`), '');
  });

  it('that is in a guarded folder is followed by a note, too', async () => {
    const root = temporaryFolder();
    execFileSync('git', ['init', '-q', root]);
    const held = open(root);
    await held.run('cd .git/hooks', commandOptions());
    for (const command of ['touch y; ls', `touch ${root}/.git/hooks/y; ls`])
      assert.match((await held.run(command, commandOptions())).note ?? '', /The sandbox keeps \S+hooks read-only/);
  });

  it('can commit to a repository that was created outside the sandbox in the meantime', async () => {
    const root = temporaryFolder();
    const held = open(root);
    const run = (command: string): Promise<CommandResult> => held.run(command, commandOptions());
    await run('mkdir sub && cd sub && export KEPT=yes');
    execFileSync('git', ['init', '-q', root]);
    const committed = await run(
      'touch a && git add a && git -c user.name=A -c user.email=a@b.invalid commit -qm one && echo $KEPT && pwd',
    );
    assert.equal(committed.exitCode, 0, committed.output);
    assert.equal(committed.output, `yes\n${path.join(root, 'sub')}\n`);
    assert.match(committed.note ?? '', /A new shell replaces the old one/);
    assert.equal((await run('git log --oneline')).note, undefined);
    assert.match((await run('echo evil > ../.git/hooks/post-commit')).output, /Read-only file system/);
  });

  it('is followed by a note on new guarded files that it changed, not on those the user changed', async () => {
    const root = temporaryFolder();
    make(root, 'packages/');
    const held = open(root);
    const note = async (command: string): Promise<string> => (await held.run(command, commandOptions())).note ?? '';
    const both = /packages\/\.envrc.*CLAUDE\.md|CLAUDE\.md.*packages\/\.envrc/;
    assert.match(await note('echo harmless | tee packages/.envrc > CLAUDE.md'), both);
    assert.equal(await note('true'), '');
    assert.match(await note('echo evil | tee packages/.envrc > CLAUDE.md'), both);
    fs.writeFileSync(path.join(root, 'CLAUDE.md'), 'reviewed\n');
    assert.equal(await note('true'), '');
    assert.equal(await note('rm packages/.envrc CLAUDE.md'), '');
    assert.match(await note('mkdir -p new/.git/hooks && touch new/.git/config'), /new\/\.git/);
    assert.equal(await note('touch new/.git/index'), '');
    assert.match(await note('touch new/.git/hooks/pre-commit'), /new\/\.git/);
  });

  it('is followed by a note on guarded files that it created, even later in the background', async () => {
    const cwd = temporaryFolder();
    make(cwd, 'packages/a/', 'packages/b/');
    open(cwd);
    const planted = await terminal!.run(
      'mkdir -p .cargo skills/x && touch .cargo/config.toml skills/x/SKILL.md packages/a/.npmrc',
      commandOptions(),
    );
    for (const place of ['.cargo/config.toml', 'skills/x/SKILL.md', 'packages/a/.npmrc'])
      assert.ok(planted.note?.includes(path.join(cwd, place)), place);
    await terminal!.run(
      '(while [ ! -e go ]; do sleep 0.05; done; touch packages/b/.envrc; touch gone; sleep 60) & true',
      commandOptions(),
    );
    fs.writeFileSync(path.join(cwd, 'go'), '');
    while (!fs.existsSync(path.join(cwd, 'gone'))) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.match(
      (await terminal!.run('true', commandOptions())).note ?? '',
      /Since the previous command, .* created or changed: \S*packages\/b\/\.envrc\./,
    );
    assert.equal((await terminal!.run('true', commandOptions())).note, undefined);
  });
});
