import { strict as assert } from 'node:assert';
import { AgentTerminal } from '../../../src/adapters/terminal/agentTerminal';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import { partNotReadOnly } from '../../../src/core/shell/onlyReads';
import { call, plays, says } from '../../conformance/support/script';
import { temporaryFolder } from '../../contracts/terminal.contract';
import { git } from '../incidents/hostileRepository';
import { HostileWorld } from '../incidents/hostileWorld';

/** Commands used to read while planning a change. */
const looking = [
  'ls -la',
  'cat package.json',
  'head -n 20 src/a.ts | tail -5',
  'grep -rn "todo" src',
  'rg -n sum src',
  'rg --files | head',
  'find src -name "*.ts" -type f',
  'find . -name "*.ts" | xargs wc -l',
  'wc -l src/*.ts',
  'git status',
  'git status --short',
  'git log --oneline -10',
  'git log -p -2 -- src/a.ts',
  'git diff',
  'git diff --stat HEAD~1',
  'git show HEAD',
  'git blame src/a.ts',
  'git ls-files | head',
  'git branch -a',
  'git grep -n sum',
  'git rev-parse HEAD',
  'git -C src log -1',
  'cd src && ls',
  'pwd; date',
  'jq .scripts package.json',
  'sort names.txt | uniq -c',
  "sed -n '1,20p' src/a.ts",
  "awk '{print $1}' names.txt",
  'for f in src/a.ts src/b.ts; do wc -l "$f"; done',
  'LC_ALL=C sort names.txt',
  'test -f a.txt && echo yes',
  'diff a.txt b.txt',
  'node --version',
  'which node',
  'stat a.txt',
  'tree -L 2',
  'du -sh src',
  'timeout 5 cat a.txt',
  'echo "$(git rev-parse HEAD)"',
];

const more = [
  'npm test',
  'npm ls',
  'npm --version',
  'npx tsc',
  'pip list',
  'python3 -m pytest',
  'cargo metadata',
  'cargo --version',
  'go env',
  'go list ./...',
  'make -n',
  'make --version',
  'tsc --noEmit',
  'eslint .',
  'pytest',
  'jest',
  'ruff check',
  'node a.js',
  'node -p 1',
  './run.sh',
  'bash run.sh',
  'touch a',
  'echo x > a.txt',
  'git commit -m x',
  'git fetch',
  'git stash',
  'git help log',
  'git log --help',
  'git -c core.pager=cat log',
  'git --exec-path=. status',
  'git grep x *',
  'rg x *',
  'sort *',
  'find *',
  'ls | xargs rg x',
  'awk -f a.awk b.txt',
  'sed -f a.sed b.txt',
  'less a.txt',
  'man ls',
  'yq . a.yml',
  'env PYTHONPATH=. ls',
  'PYTHONPATH=. ls',
  'GIT_DIR=x git status',
  'X=1 ls',
  '$x',
  '"$(cat name)" a',
  'cd node_modules/x && git status',
  'git -C .venv/x log',
  'docker ps',
  'curl https://example.com',
  'command node a.js',
  'time make',
  'find . -exec node {} \\;',
  'ls & ',
  'alias ls=./x',
];

describe('commands in plan mode', () => {
  it('run if they only read', () => {
    for (const command of looking)
      assert.equal(partNotReadOnly(command, { workspace: '/home/person/project', folder: '.' }), undefined, command);
  });

  it('do not run if they start or load project code, call a package manager, or change anything', () => {
    for (const command of more)
      assert.notEqual(partNotReadOnly(command, { workspace: '/home/person/project', folder: '.' }), undefined, command);
  });
});

for (const wanted of ['off', 'on'] as const) {
  describe(`a plan in a real shell, the sandbox ${wanted}`, function () {
    this.timeout(60_000);
    before(async function () {
      if (wanted === 'on' && 'none' in (await findSandbox([temporaryFolder()]))) this.skip(); // this machine does not support a sandbox
    });
    let world: HostileWorld;
    beforeEach(() => {
      world = new HostileWorld();
    });
    afterEach(() => world.end());

    const place = (files: Readonly<Record<string, string>>) => {
      const made = world.repository(files);
      const { root } = made.workspace;
      const terminal = new AgentTerminal({
        cwd: root,
        folders: [root],
        wanted,
        outputFolder: temporaryFolder(),
        shell: '/bin/bash',
      });
      world.after(() => terminal.dispose());
      return { ...made, environment: { ...made.environment, terminal } };
    };
    const results = async (commands: readonly string[], at: ReturnType<typeof place>): Promise<string[]> => {
      const model = plays(...commands.map((command) => says('', call('run_command', { command }))), says('A plan.'));
      const run = await world.begin({ profile: 'waymark', model, place: at, mode: 'plan', confirmation: 'never' });
      await run.go();
      return run.conversation.history.flatMap((event) => (event.type === 'observation' ? [event.content] : []));
    };

    it('sees Git output, even if the repository configures programs for it', async () => {
      const at = place({ 'src/a.txt': 'one\n' });
      const { root } = at.workspace;
      git(root, 'init', '-q');
      git(root, 'add', '.');
      git(root, 'commit', '-q', '-m', 'the first');
      at.workspace.place('src/a.txt', 'two\n');
      for (const [name, value] of [
        ['diff.external', 'false'],
        ['diff.words.textconv', 'false'],
        ['filter.words.clean', 'false'],
        ['filter.words.required', 'true'],
        ['core.fsmonitor', 'false'],
      ] as const)
        git(root, 'config', name, value);
      const [log, status, difference, folder, there] = await results(
        ['git log --oneline', 'git status --short', 'git diff', 'cd src && pwd', 'git diff --stat; ls'],
        at,
      );
      assert.match(log!, /the first/);
      assert.match(status!, /M src\/a\.txt/);
      assert.match(difference!, /-one\n\+two/);
      assert.match(folder!, new RegExp(`${root}/src`));
      assert.match(there!, /a\.txt/, 'the folder stays');
    });

    it('gets advice for a refused command of the project', async () => {
      const [refused] = await results(['npm test'], place({ 'package.json': '{"scripts":{"test":"true"}}' }));
      assert.match(
        refused!,
        /Plan mode runs no project code.*"npm test" is not one of them.*Read the files.*Add it to the plan.*leaves plan mode/s,
      );
    });

    it('keeps the folder of the shell, also after plan mode ends', async () => {
      const at = place({ 'src/deep/a.txt': '' });
      const model = plays(
        says('', call('run_command', { command: 'cd src' })),
        says('', call('run_command', { command: 'pwd; cd deep' })),
        says('A plan.'),
        says('', call('run_command', { command: 'pwd' })),
        says('Done.'),
      );
      const run = await world.begin({
        profile: 'waymark',
        model,
        place: at,
        mode: 'confirm',
        listener: {
          onEvent: (event) => {
            if (event.type === 'observation' && !event.content.includes('/')) run.conversation.setMode('plan');
          },
        },
      });
      await run.go();
      run.conversation.setMode('confirm');
      run.conversation.say('Do it.');
      await run.conversation.rested();
      const told = run.conversation.history.flatMap((event) => (event.type === 'observation' ? [event.content] : []));
      assert.match(told[1]!, new RegExp(`^${at.workspace.at('src')}\n`));
      assert.match(told[2]!, new RegExp(`^${at.workspace.at('src/deep')}\n`));
    });

    if (wanted === 'on') {
      it('cannot write to the workspace, even with a command that was not filtered out', async () => {
        const {
          workspace,
          environment: { terminal },
        } = place({ 'a.txt': 'one\n' });
        const { exitCode, output } = await terminal.readOnly.run('echo two > a.txt', {
          timeoutMs: 30_000,
          tty: false,
          signal: new AbortController().signal,
        });
        assert.notEqual(exitCode, 0);
        assert.match(output, /Read-only file system/);
        assert.equal(workspace.bytes('a.txt')!.toString(), 'one\n');
      });
    }
  });
}
