import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { diskScripts } from '../../../src/adapters/scripts/diskScripts';
import { assessWithScripts } from '../../../src/core/security/scripts/assessWithScripts';
import { pinsAtStart } from '../../../src/core/security/scripts/pins';
import type { Event } from '../../../src/protocol/events/event';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

/** From Git's manual: settings that make Git start a program while it reads. Each comes with such a command. */
const settings: readonly (readonly [name: string, value: string, command: string])[] = [
  ['core.fsmonitor', './watch.sh', 'git status'],
  ['diff.external', './show.sh', 'git diff'],
  ['diff.image.textconv', 'exif', 'git log -p'],
  ['diff.image.command', './show.sh', 'git show HEAD'],
  ['filter.tidy.clean', './tidy.sh', 'git status'],
  ['filter.tidy.process', './tidy.sh', 'git diff'],
  ['core.pager', './page.sh', 'git log'],
  ['pager.diff', './page.sh', 'git diff'],
  ['man.mine.cmd', './man.sh', 'git help log'],
  ['trailer.sign.command', './sign.sh', 'git interpret-trailers --trailer sign README.md'],
  ['trailer.sign.cmd', './sign.sh', 'git interpret-trailers --trailer sign README.md'],
  ['gpg.program', './gpg.sh', 'git verify-commit HEAD'],
  ['merge.mine.driver', './merge.sh', 'git show --remerge-diff HEAD'],
];
const harmless: readonly (readonly [name: string, value: string])[] = [
  ['core.fsmonitor', 'true'],
  ['core.pager', 'cat'],
  ['filter.lfs.clean', 'git-lfs clean -- %f'],
  ['filter.lfs.process', 'git-lfs filter-process'],
  ['alias.st', 'status'],
  ['user.name', 'A'],
  ['diff.algorithm', 'histogram'],
];

describe('a read-only Git command', function () {
  this.timeout(60_000);
  let workspace: TemporaryWorkspace;
  const git = (...words: string[]): void => {
    execFileSync('git', words, {
      cwd: workspace.root,
      stdio: 'ignore',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    });
  };
  /** Risk level with the settings that existed when the session started. */
  async function levelOf(command: string): Promise<string> {
    const scripts = diskScripts(workspace.root);
    const began = { type: 'task_started', at: 0, pins: await pinsAtStart(scripts) } as unknown as Event;
    const assessment = await assessWithScripts(command, { workspace: workspace.root }, scripts, [began]);
    return assessment.level;
  }
  beforeEach(() => {
    workspace = temporaryWorkspace('app');
    workspace.place('README.md', 'App\n');
    git('init', '-b', 'main');
  });
  afterEach(() => workspace.stop());

  for (const [name, value, command] of settings) {
    it(`is medium risk if ${name} of the repository names a program: ${command}`, async () => {
      assert.equal(await levelOf(command), 'low', 'It is low in a repository without such a setting.');
      git('config', name, value);
      assert.equal(await levelOf(command), 'medium');
    });
  }
  for (const [name, value] of harmless) {
    it(`stays low risk with ${name}=${value}`, async () => {
      git('config', name, value);
      assert.equal(await levelOf('git diff'), 'low');
    });
  }
  it('stays low risk if the program belongs to other verbs', async () => {
    for (const name of ['tar.x.command', 'sendemail.toCmd', 'core.editor', 'credential.helper', 'difftool.x.cmd']) {
      git('config', name, './x.sh');
      assert.equal(await levelOf('git diff'), 'low', name);
    }
  });
  it('is medium risk if its configuration file has Windows line endings', async () => {
    git('config', 'core.fsmonitor', './watch.sh');
    const file = workspace.at('.git/config');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll('\n', '\r\n'));
    const asGitReads = execFileSync('git', ['config', 'core.fsmonitor'], { cwd: workspace.root, encoding: 'utf8' });
    assert.equal(asGitReads, './watch.sh\n');
    assert.equal(await levelOf('git status'), 'medium');
  });
  it('is medium risk if an included file names a program', async () => {
    workspace.place('shared.config', '[diff]\n\texternal = ./show.sh\n');
    git('config', 'include.path', '../shared.config');
    assert.equal(await levelOf('git diff'), 'medium');
  });
});

describe('a repository below the folder', function () {
  this.timeout(60_000);
  let workspace: TemporaryWorkspace;
  const judge = (command: string, history: readonly Event[] = []) =>
    assessWithScripts(command, { workspace: workspace.root }, diskScripts(workspace.root), [...history] as Event[]);
  /** A folder with what Git looks for. Commits can contain it. */
  const openRepository = (config: string, more: Readonly<Record<string, string>> = {}): void => {
    const files = { HEAD: 'ref: refs/heads/main\n', 'objects/x': '', 'refs/x': '', config, ...more };
    for (const [name, text] of Object.entries(files)) workspace.place(`sub/${name}`, text);
  };
  const core = '[core]\n\tbare = false\n\tworktree = ..\n';

  beforeEach(() => {
    workspace = temporaryWorkspace('app');
    execFileSync('git', ['init', '-q'], { cwd: workspace.root });
    workspace.place('sub/deep/a.txt', 'a\n');
  });
  afterEach(() => workspace.stop());

  for (const [what, config, more] of [
    ['names a program', `${core}\tfsmonitor = ./x.sh\n`, {}],
    ['includes other settings', `${core}[include]\n\tpath = ../x.txt\n`, {}],
    ['has another folder of hooks', `${core}\thooksPath = ../x\n`, {}],
    ['has hooks', core, { 'hooks/post-index-change': '#!/bin/sh\n' }],
    ['has its settings in another folder', core, { commondir: '../other\n' }],
  ] as const)
    it(`asks if its Git folder is an ordinary one and ${what}`, async () => {
      if ('commondir' in more)
        for (const name of ['config', 'objects/x', 'refs/x'])
          workspace.place(`other/${name}`, '[diff]\n\texternal = ./x.sh\n');
      assert.equal((await judge('git -C sub diff')).level, 'low');
      openRepository(config, more);
      for (const command of [
        'git -C sub diff',
        'cd sub && git diff',
        'cd sub/deep; git diff',
        'git -C sub/deep -C .. diff',
        `git -C ${workspace.at('sub')} diff`,
      ]) {
        const { level, reasons } = await judge(command);
        assert.equal(level, 'high', command);
        assert.match(reasons[0]!, /Uses the repository in sub/, command);
      }
      assert.equal((await judge('git diff')).level, 'low');
      assert.equal((await judge('git -C sub rev-parse HEAD')).level, 'low');
    });

  const names: Readonly<Record<string, () => void>> = {
    'in a folder whose name has several lines': () => {
      workspace.place('sub/.git', 'gitdir: ../two\nlines\n');
      workspace.place('two/config', '[core]\n');
      fs.renameSync(workspace.at('elsewhere'), workspace.at('two\nlines'));
    },
    'in a folder named by a file with a zero byte': () => workspace.place('sub/.git', 'gitdir: ../elsewhere\0'),
    'in a folder named by a long file': () =>
      workspace.place('sub/.git', `gitdir: ../elsewhere${'\n'.repeat(100_000)}`),
    'beside a damaged one': () => {
      workspace.place('sub/.git/config', '[core]\n');
      for (const name of fs.readdirSync(workspace.at('elsewhere')))
        fs.renameSync(workspace.at(`elsewhere/${name}`), workspace.at(`sub/${name}`));
    },
  };
  for (const [where, move] of Object.entries(names))
    it(`asks if its Git folder is ${where}`, async () => {
      execFileSync('git', ['init', '-q', '--bare', 'elsewhere'], { cwd: workspace.root });
      fs.appendFileSync(workspace.at('elsewhere/config'), '\tbare = false\n\tfsmonitor = ./x.sh\n\tworktree = .\n');
      move();
      const asGitReads = execFileSync('git', ['-C', 'sub', 'config', 'core.fsmonitor'], { cwd: workspace.root });
      assert.equal(asGitReads.toString(), './x.sh\n');
      assert.equal((await judge('git -C sub status')).level, 'high');
    });

  const program = '[core]\n\tfsmonitor = ./x.sh\n';
  const include = '[include]\n\tpath = more\n';
  /** Ways to write a setting: the end of the configuration file, and the text of the files "more" and "most" beside it. */
  const writings: Readonly<Record<string, readonly [config: string, more?: string, most?: string]>> = {
    'behind a comment with a zero byte': [`# \0\n${program}`],
    'at the end of a file of more than a megabyte': [`${'#'.repeat(1_200_000)}\n${program}`],
    'behind two headings in a line': ['[user][core]fsmonitor = ./x.sh\n'],
    'behind carriage returns': ['[user]\r[core]\rfsmonitor = ./x.sh\n'],
    'behind a value that looks like a heading': ['[core]\n\tx = a\\\n[user]\n\tfsmonitor = ./x.sh\n'],
    'behind a value that looks like a branch': [
      '[core]\n\tx = a\\\n[branch "b"]\n\ty = 1\n\tmerge = a\\\n[user]\n\tfsmonitor = ./x.sh\n',
    ],
    'in an included file with a zero byte': [include, `# \0\n${program}`],
    'in an included file of more than a megabyte': [include, `${'#'.repeat(1_200_000)}\n${program}`],
    'in a file that an included file includes': [include, '[include]\n\tpath = most\n', program],
    'in a file that is included in a line with its heading': ['[include] path = more\n', program],
    'in a file whose name is followed by a comment': ['[include]\n\tpath = more # a\n', program],
    'in a file whose name contains quotes': ['[include]\n\tpath = mo"re"\n', program],
    'in a file whose name has two lines': ['[include]\n\tpath = mo\\\nre\n', program],
    'in a file below the home folder': ['[include]\n\tpath = ~/HOME\n', program],
  };
  for (const [where, [config, more, most]] of Object.entries(writings))
    it(`asks if it names a program ${where}`, async () => {
      execFileSync('git', ['init', '-q'], { cwd: workspace.at('sub') });
      assert.equal((await judge('git -C sub status')).level, 'low');
      const own = workspace.at('sub/.git');
      fs.appendFileSync(path.join(own, 'config'), config.replace('HOME', path.relative(os.homedir(), `${own}/more`)));
      if (more !== undefined) workspace.place('sub/.git/more', more);
      if (most !== undefined) workspace.place('sub/.git/most', most);
      const asGitReads = execFileSync('git', ['-C', 'sub', 'config', 'core.fsmonitor'], { cwd: workspace.root });
      assert.equal(asGitReads.toString(), './x.sh\n');
      assert.equal((await judge('git -C sub status')).level, 'high');
    });
  for (const [what, character] of Object.entries({ 'a line separator': '\u2028', 'a carriage return': '\r' }))
    it(`asks if the name of a driver contains ${what}`, async () => {
      execFileSync('git', ['init', '-q'], { cwd: workspace.at('sub') });
      fs.appendFileSync(workspace.at('sub/.git/config'), `[diff "a${character}b"]\n\ttextconv = ./x.sh\n`);
      assert.equal((await judge('git -C sub diff')).level, 'high');
    });

  it('asks nothing if it starts nothing', async () => {
    openRepository(core, { 'hooks/pre-commit.sample': '#!/bin/sh\n' });
    for (const command of ['git -C sub diff', 'cd sub && git status'])
      assert.equal((await judge(command)).level, 'low', command);
  });

  it('asks if the settings in its own .git name a program, but not because of its hooks', async () => {
    execFileSync('git', ['init', '-q', 'sub'], { cwd: workspace.root });
    workspace.place('sub/.git/hooks/pre-commit', '#!/bin/sh\n');
    assert.equal((await judge('git -C sub status')).level, 'low');
    workspace.place('sub/.git/config', '[core]\n\tfsmonitor = ./x.sh\n');
    assert.equal((await judge('git -C sub status')).level, 'high');
  });

  it('asks in a loop over folders, and in a folder that is only known when it runs', async () => {
    execFileSync('git', ['init', '-q', 'sub'], { cwd: workspace.root });
    workspace.place('other/a.txt', 'a\n');
    const commands = [
      'for d in */; do git -C $d status; done',
      'for d in */; do (cd $d && git status); done',
      'for d in */; do cd "$d"; git status; cd ..; done',
      'for d in other sub; do git -C "$d" status; done',
      'ls | while read -r d; do (cd "$d"; git status); done',
    ];
    const levels = await Promise.all(commands.map(async (command) => (await judge(command)).level));
    workspace.place('sub/.git/config', '[core]\n\tfsmonitor = ./x.sh\n');
    for (const [index, command] of commands.entries()) {
      const { level, reasons } = await judge(command);
      assert.equal(level, 'high', command);
      if (levels[index] !== 'high') assert.match(reasons.join(' '), /Uses the repository in sub/, command);
    }
    assert.equal((await judge('for d in o*/; do git -C $d status; done')).level, 'low');
    assert.equal(levels[0], 'low', levels.join());
  });

  it('asks if Git visits it as a submodule', async () => {
    const git = (...words: string[]): void => void execFileSync('git', words, { cwd: workspace.root, stdio: 'pipe' });
    for (const folder of ['sub', 'sub/inner']) {
      git('init', '-q', folder);
      git('-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'one');
    }
    git('-C', 'sub/inner', 'config', 'core.fsmonitor', './x.sh');
    assert.equal((await judge('git status')).level, 'low', 'It is only a folder.');
    git('-C', 'sub', 'add', 'inner');
    git('add', 'sub');
    for (const command of ['git status', 'git diff --stat', 'git -C sub status', 'cd sub && git diff']) {
      const { level, reasons } = await judge(command);
      assert.equal(level, 'high', command);
      assert.match(reasons[0]!, /Uses the repository in sub\/inner/, command);
    }
    git('update-index', '--split-index');
    assert.equal((await judge('git status')).level, 'high', 'The submodule is in the other file of the index.');
    git('-C', 'sub/inner', 'config', '--unset', 'core.fsmonitor');
    assert.equal((await judge('git status')).level, 'low');
  });

  it('starts Git only to list submodules, not because a file is called like a part of the index', async () => {
    const path0 = process.env['PATH']!;
    const programs = temporaryWorkspace('programs');
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    programs.place('bin/git', `#!/bin/sh\necho started >> '${programs.at('log')}'\nexec ${real} "$@"\n`);
    fs.chmodSync(programs.at('bin/git'), 0o755);
    for (const name of ['link', 'src/links.ts', 'src/symlink', 'links/a.ts', `${'x'.repeat(60)}link`])
      workspace.place(name, 'text\n');
    execFileSync('git', ['add', '-A'], { cwd: workspace.root });
    try {
      process.env['PATH'] = `${programs.at('bin')}:${path0}`;
      await judge('git status');
      assert.equal(fs.existsSync(programs.at('log')), false);
      execFileSync('git', ['update-index', '--split-index'], { cwd: workspace.root });
      fs.rmSync(programs.at('log'));
      await judge('git status');
      assert.equal(fs.existsSync(programs.at('log')), true);
    } finally {
      process.env['PATH'] = path0;
      programs.stop();
    }
  });

  it('has the risk of the folder itself if it is a linked worktree of its repository', async () => {
    const git = (...words: string[]): void => void execFileSync('git', words, { cwd: workspace.root, stdio: 'pipe' });
    git('config', 'core.pager', 'delta');
    git('config', 'extensions.worktreeConfig', 'true');
    git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'one');
    git('worktree', 'add', '-q', 'trees/x');
    assert.equal((await judge('git -C trees/x status')).level, 'medium');
    git('-C', 'trees/x', 'config', '--worktree', 'core.fsmonitor', './x.sh');
    assert.equal((await judge('git -C trees/x status')).level, 'high');
  });

  it('counts as changed settings if it is the folder itself', async () => {
    fs.rmSync(workspace.at('.git'), { recursive: true });
    const began = { type: 'task_started', at: 0, pins: await pinsAtStart(diskScripts(workspace.root)) };
    const history = [began as unknown as Event];
    assert.equal((await judge('git status', history)).level, 'low');
    openRepository(`${core}\tfsmonitor = ./x.sh\n`);
    for (const name of ['HEAD', 'objects', 'refs', 'config'])
      fs.renameSync(workspace.at(`sub/${name}`), workspace.at(name));
    assert.equal((await judge('git status', history)).level, 'high');
  });
});

describe('a search whose files come from a glob', () => {
  it('is medium risk if a file name may be parsed as an option', async () => {
    const workspace = temporaryWorkspace('app');
    workspace.place('--pre=sh', 'echo ran\n');
    const levelOf = async (command: string): Promise<string> =>
      (await assessWithScripts(command, { workspace: workspace.root }, diskScripts(workspace.root), [])).level;
    assert.equal(await levelOf('rg word *'), 'medium');
    assert.equal(await levelOf('rg word -- *'), 'low');
    assert.equal(await levelOf('rg word ./*'), 'low');
    workspace.stop();
  });
});
