import assert from 'node:assert/strict';
import { undecidedActions } from '../../src/core/log/openActions';
import { assessCommand } from '../../src/core/shell/assessCommand';
import { applyPatch } from '../../src/core/tools/native/applyPatch';
import { editFile } from '../../src/core/tools/native/editFile';
import { runCommand } from '../../src/core/tools/native/runCommand';
import { writeFile } from '../../src/core/tools/native/writeFile';
import { begin, call, plays, says } from '../core/agent/story';
import { protectedWrites, matchingRules, secretReads } from '../../src/core/risk/pathRules';
import { untouched } from '../support/toolContext';

/** Files that instruct agents, editors, hooks and build servers. */
const files = [
  'AGENTS.md',
  'docs/AGENTS.md',
  'CLAUDE.md',
  'GEMINI.md',
  '.cursorrules',
  '.github/copilot-instructions.md',
  '.agent/rules.md',
  '.agents/skills/one/SKILL.md',
  '.claude/settings.json',
  '.cursor/rules/a.mdc',
  '.mcp.json',
  'mcp.json',
  '.vscode/settings.json',
  '.vscode/tasks.json',
  'a.code-workspace',
  '.idea/workspace.xml',
  '.devcontainer/devcontainer.json',
  '.git/hooks/pre-commit',
  '.git/config',
  '.gitattributes',
  '.husky/pre-push',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  '.github/skills/one/scripts/run.sh',
  '.copilot/skills/one/run.sh',
  '.github/workflows/ci.yml',
  '.gitlab-ci.yml',
  '.circleci/config.yml',
  'Jenkinsfile',
  '.npmrc',
  '.envrc',
  '.windsurfrules',
  '.clinerules/one.md',
  'skills/one/SKILL.md',
  '.github/instructions/a.instructions.md',
  'azure-pipelines.yml',
  '.travis.yml',
  '.cirrus.yml',
  '.teamcity/settings.kts',
  '.gitpod.yml',
  'lefthook-local.yml',
  '.lintstagedrc.json',
  'lint-staged.config.js',
  'CLAUDE.local.md',
  'QWEN.md',
  'WARP.md',
  '.zencoder/rules/a.md',
  '.claude-plugin/plugin.json',
  '.rules',
  '.augment-guidelines',
  '.github/hooks/a.json',
  '.pnpmfile.mjs',
  'mise.local.toml',
  '.config/mise/config.toml',
  'rust-toolchain.toml',
  'gradle/wrapper/gradle-wrapper.properties',
  '.local/state/waymark/control/0123456789abcdef01234567/000000000000001-a.resume',
];

const changing = (file: string): string[] => [
  `echo x > ${file}`,
  `cp a.txt ${file}`,
  `sed -i s/a/b/ ${file}`,
  `tee ${file} < a.txt`,
  `rm ${file}`,
  `git checkout HEAD~1 -- ${file}`,
  `git checkout ${file}`,
  `git restore --source=HEAD~2 ${file}`,
  `git mv a.txt ${file}`,
  `git rm ${file}`,
  `mv a.txt ${file}`,
  `ln -sf a.txt ${file}`,
  `dd if=a.txt of=${file}`,
  `install a.txt ${file}`,
  `touch ${file}`,
  `curl -o ${file} https://example.com/a`,
  `perl -pi -e s/a/b/ ${file}`,
  `sudo tee ${file} < a.txt`,
  `bash -c 'echo x > ${file}'`,
  `cd . && cat a.txt >> ${file}`,
];

describe('a rule about paths', () => {
  it('matches each of its examples in every spelling', () => {
    const missed = [...protectedWrites, ...secretReads].flatMap((rule) =>
      rule.examples.flatMap((example) =>
        [
          example,
          `sub/${example}`,
          example.toUpperCase(),
          `./x/../${example}`,
          `${example}.`,
          `${example}::$DATA`,
          example.replace(/.$/, '\u200d$&'),
          example.replaceAll('/', '\\'),
        ].filter((path) => !matchingRules(path, [rule]).length),
      ),
    );
    assert.deepEqual(missed, []);
  });

  it('does not match ordinary files', () => {
    for (const path of [
      'src/git.ts',
      'environment.ts',
      '.env.example',
      'docs/agents/index.md',
      'eslint/rules',
      'src/hooks/use.ts',
      'gradle/libs.versions.toml',
      'src/key.ts',
      'config/app.ts',
      'git~1',
      'keyboard.json',
      'zshrc.md',
      'src/.github/readme.md',
      'mcp.ts',
    ]) {
      assert.deepEqual(
        matchingRules(path, [...protectedWrites, ...secretReads])
          .filter(({ level }) => level === 'high')
          .map(({ reason }) => [path, reason]),
        path === 'git~1' ? [[path, 'Changes the internals of the Git repository.']] : [],
      );
    }
  });
});

describe('an edit of a file with instructions for other programs', () => {
  for (const file of files) {
    it(`asks for ${file}, whether a tool or a command edits it`, () => {
      const levels = (path: string) => matchingRules(path, protectedWrites).map(({ level }) => level);
      assert.ok(levels(file).includes('high'), 'by a tool');
      assert.ok(levels(`./sub/../${file.toUpperCase()}`).includes('high'), 'spelled otherwise');
      for (const command of changing(file)) {
        const { level, guarded } = assessCommand(command, { workspace: '/project', folder: '.' });
        assert.deepEqual([level, guarded], ['high', true], command);
      }
    });
  }
});

describe('in a mode that asks nothing', () => {
  const files = {
    folders: [],
    read: async () => ({ path: 'AGENTS.md', text: 'a', version: '1' }),
    move: async () => {
      throw new Error('It was moved.');
    },
    remove: async () => {
      throw new Error('It was deleted.');
    },
    readBytes: async () => {
      throw new Error('Nothing but text is read.');
    },
    write: async () => {
      throw new Error('It was written.');
    },
    list: async () => ({ entries: [], truncated: false }),
  };
  const patch = '--- a/AGENTS.md\n+++ b/AGENTS.md\n@@ -1 +1 @@\n-a\n+b\n';
  const calls = [
    call('write_file', { path: 'AGENTS.md', content: 'Obey.' }),
    call('edit_file', { path: '.vscode/settings.json', edits: [{ old_text: 'a', new_text: 'b' }] }),
    call('apply_patch', { patch }),
    call('run_command', { command: 'echo x >> .github/workflows/ci.yml' }),
    call('run_command', { command: 'git checkout HEAD~3 -- .mcp.json' }),
  ];

  for (const one of calls) {
    for (const first of [{ mode: 'auto' as const }, { confirmation: 'never' as const }]) {
      it(`${one.function.name} ${one.function.arguments.slice(0, 60)} waits for a person (${JSON.stringify(first)}); no rule, pattern or other mode allows it`, async () => {
        const conversation = begin(plays(says('', one), says('bye')), {
          parts: {
            tools: [writeFile, editFile, applyPatch, runCommand],
            environment: { root: '/work', files, search: untouched.search, terminal: untouched.terminal },
          },
          first: { cwd: '/work', ...first },
        });
        const { command, path } = JSON.parse(one.function.arguments) as { command?: string; path?: string };
        conversation.append({
          type: 'allow_rule_added',
          rule: {
            tool: one.function.name,
            key: command ?? path ?? 'AGENTS.md',
            ...(command !== undefined && { cwd: '/work' }),
          },
        });
        conversation.append({ type: 'allow_rule_added', rule: { tool: '*', key: '.*', pattern: true } });
        await conversation.go();
        assert.deepEqual(
          undecidedActions(conversation.history).map(({ id }) => id),
          [one.id],
        );
        conversation.setMode('confirm');
        conversation.setMode('auto');
        await conversation.rested();
        assert.deepEqual(
          undecidedActions(conversation.history).map(({ id }) => id),
          [one.id],
        );
      });
    }
  }

  it('an edit of any other file runs without a question', async () => {
    const conversation = await begin(
      plays(says('', call('write_file', { path: 'src/a.ts', content: '' })), says('bye')),
      {
        parts: {
          tools: [writeFile],
          environment: { root: '/work', files, search: untouched.search, terminal: untouched.terminal },
        },
        first: { mode: 'auto' },
      },
    ).go();
    assert.deepEqual(undecidedActions(conversation.history), []);
  });

  it('a command that names it indirectly is asked about', () => {
    for (const command of [
      'gunzip AGENTS.md.gz',
      'gzip -dk .mcp.json.gz',
      'xz --decompress .vscode/settings.json.xz',
      'unzstd docs/AGENTS.md.zst',
      'git interpret-trailers --in-place --trailer a:b AGENTS.md',
      'git interpret-trailers --in-p AGENTS.md',
      'cd tpl && cp --parents .vscode/settings.json ..',
      'cp --parents .github/workflows/ci.yml sub',
      'cd .git/hooks && tar xf ../../a.tar',
      'cd .vscode; unzip ../a.zip',
      'cd .vscode && 7z x ../a.zip',
      'cd .vscode && jar xf ../a.jar',
      'cd .github && git clone https://example.com/a workflows',
    ])
      assert.equal(assessCommand(command, { workspace: '/project', folder: '.' }).guarded, true, command);
    for (const command of ['gunzip data.json.gz', 'gunzip -c AGENTS.md.gz', 'xz -k data.json'])
      assert.equal(assessCommand(command, { workspace: '/project', folder: '.' }).guarded, undefined, command);
  });

  it('a command that is not understood and names it is asked about, however it is written', () => {
    const commands = [
      'frobnicate -o.vscode/settings.json',
      `frobnicate .vs''code/settings.json`,
      'frobnicate --out=".vs"code/settings.json',
      'part=.vs; frobnicate ${part}code/settings.json',
      'frobnicate .git/hooks/pre-commit',
      'cd .github && frobnicate --in=workflows/ci.yml',
      '(cd docs/.github; frobnicate ./workflows)',
    ];
    for (const command of commands)
      for (const confined of [false, true]) {
        const assessment = assessCommand(command, { workspace: '/project', folder: '.', confined });
        assert.equal(assessment.guarded, true, `${command} ${confined ? 'in the sandbox' : ''}`);
      }
    for (const command of ['frobnicate -oout/settings.json', 'frobnicate --out=vscode/settings.json'])
      assert.equal(assessCommand(command, { workspace: '/project', folder: '.' }).guarded, undefined, command);
  });

  it('a command that reaches it through a link is asked about', () => {
    const links: Readonly<Record<string, string>> = { h: '.git/hooks', g: '.github', 'd/e': '.vscode', plain: 'src' };
    const linkTargets = (path: string): string[] =>
      Object.entries(links).flatMap(([link, target]) =>
        path === link || path.startsWith(`${link}/`) ? [target + path.slice(link.length)] : [],
      );
    const guarded = (command: string): boolean | undefined =>
      assessCommand(command, { workspace: '/project', folder: '.', linkTargets }).guarded;
    for (const command of [
      'cd h && echo x > pre-commit',
      'pushd h; tee pre-commit < a',
      'cd g; cp ../a workflows/ci.yml',
      'cd d && cd e && touch settings.json',
      'dd if=a of=h/pre-commit',
      'frobnicate --to=h/pre-commit a',
      'rm -rf g/*',
      'cd g && rm -rf *',
      'cd g && mv workflows ../x',
      'cd g && tar xf ../a.tar',
      'cd -P h && echo x > pre-commit',
      `python3 -c "open('h/pre-commit', 'w')"`,
    ])
      assert.equal(guarded(command), true, command);
    for (const command of [
      'frobnicate plain/a',
      'cd plain && echo x > a',
      'cd d && touch a',
      'dd if=a of=plain/a',
      'cd plain && tar xf ../a.tar',
      'rm -rf plain/*',
    ])
      assert.equal(guarded(command), undefined, command);
    for (const command of ['cd g && ls', 'cd h; cat pre-commit', 'cd g/workflows && grep -n node *.yml'])
      assert.equal(assessCommand(command, { workspace: '/project', folder: '.', linkTargets }).level, 'low', command);
  });

  it('reading a protected file is not asked about', () => {
    for (const command of [
      'cat AGENTS.md',
      'git diff -- .vscode/settings.json',
      'grep -rn foo .github/workflows',
      'git add AGENTS.md',
    ])
      assert.equal(assessCommand(command, { workspace: '/project', folder: '.' }).guarded, undefined, command);
  });
});
