import assert from 'node:assert/strict';
import { readSkill } from '../../../src/core/skills/readSkill';
import type { SkillKind } from '../../../src/core/ports/skill';

/** Files as written for different products. `fields`: the complete front matter. */
interface Written {
  readonly path: string;
  readonly text: string;
  readonly kind: SkillKind;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly triggers?: readonly string[];
  readonly paths?: readonly string[];
  readonly tools?: readonly string[];
}

const skill = (
  name: string,
  front: string,
  fields: Readonly<Record<string, unknown>>,
  {
    folder = '.claude/skills',
    body = `# ${name}\n\nRead \`reference.md\` first.\n\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |\n`,
  }: { readonly folder?: string; readonly body?: string } = {},
): Written => ({ path: `${folder}/${name}/SKILL.md`, text: `---\n${front}\n---\n\n${body}`, kind: 'skill', fields });
const plain = (path: string, text: string): Written => ({ path, text, kind: 'always', fields: {} });

const files: readonly Written[] = [
  // Agent Skills, in the styles of their publishers.
  skill(
    'pdf',
    'name: pdf\ndescription: Comprehensive toolkit for filling, merging and splitting PDF files. Use when forms have to be filled in.\nlicense: Proprietary. LICENSE.txt has complete terms',
    {
      name: 'pdf',
      description:
        'Comprehensive toolkit for filling, merging and splitting PDF files. Use when forms have to be filled in.',
      license: 'Proprietary. LICENSE.txt has complete terms',
    },
  ),
  skill(
    'docx',
    'name: docx\ndescription: "Documents with tracked changes: (1) create, (2) edit, (3) comment"\nlicense: Apache-2.0',
    {
      name: 'docx',
      description: 'Documents with tracked changes: (1) create, (2) edit, (3) comment',
      license: 'Apache-2.0',
    },
  ),
  skill(
    'release-notes',
    'name: release-notes\ndescription: >-\n  Writes release notes\n  from merged pull requests.\nallowed-tools: Read, Grep, Bash(git log:*)',
    {
      name: 'release-notes',
      description: 'Writes release notes from merged pull requests.',
      'allowed-tools': 'Read, Grep, Bash(git log:*)',
    },
  ),
  skill(
    'review',
    'name: review\ndescription: |\n  Reviews a change.\n  Use before a merge.\nallowed-tools:\n  - Read\n  - Bash(git diff:*)\ndisable-model-invocation: true\nargument-hint: "[number]"',
    {
      name: 'review',
      description: 'Reviews a change.\nUse before a merge.\n',
      'allowed-tools': ['Read', 'Bash(git diff:*)'],
      'disable-model-invocation': true,
      'argument-hint': '[number]',
    },
  ),
  skill(
    'fix-issue',
    "name: fix-issue\ndescription: 'Fixes an issue of the tracker; it''s asked for by number.'\nargument-hint: [issue-number]\nuser-invocable: true\ncontext: fork\nagent: Explore\nmodel: sonnet",
    {
      name: 'fix-issue',
      description: "Fixes an issue of the tracker; it's asked for by number.",
      'argument-hint': ['issue-number'],
      'user-invocable': true,
      context: 'fork',
      agent: 'Explore',
      model: 'sonnet',
    },
  ),
  skill(
    'react-practices',
    'name: react-practices\ndescription: Performance of React and Next.js code.\nlicense: MIT\nmetadata:\n  author: somebody\n  version: "1.0.0"',
    {
      name: 'react-practices',
      description: 'Performance of React and Next.js code.',
      license: 'MIT',
      metadata: { author: 'somebody', version: '1.0.0' },
    },
    { folder: '.agents/skills' },
  ),
  skill(
    'imagegen',
    'name: "imagegen"\ndescription: "Makes pictures. Use when the person asks for an icon."\nmetadata:\n  short-description: Make pictures',
    {
      name: 'imagegen',
      description: 'Makes pictures. Use when the person asks for an icon.',
      metadata: { 'short-description': 'Make pictures' },
    },
    { folder: '.agents/skills' },
  ),
  skill(
    'k8s',
    'name: k8s\ndescription: Looks into clusters 🚢 (pods, logs, events).\ncompatibility: Needs kubectl and a kubeconfig\nversion: 2.1.0\ntags: [ops, kubernetes]',
    {
      name: 'k8s',
      description: 'Looks into clusters 🚢 (pods, logs, events).',
      compatibility: 'Needs kubectl and a kubeconfig',
      version: '2.1.0',
      tags: ['ops', 'kubernetes'],
    },
    { folder: '.agent/skills' },
  ),
  skill(
    'guarded',
    'name: guarded\ndescription: Changes data, carefully.\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./check.sh',
    {
      name: 'guarded',
      description: 'Changes data, carefully.',
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './check.sh' }] }] },
    },
  ),
  skill(
    'docker',
    'name: docker\ndescription: Containers.\ntriggers:\n- docker\n- container',
    { name: 'docker', description: 'Containers.', triggers: ['docker', 'container'] },
    { folder: '.openhands/skills' },
  ),
  skill(
    'notes',
    '# written by a program\nname: notes   # the folder\ndescription: Keeps notes # of meetings\nunknown: {a: [1, two, null], b: true}',
    { name: 'notes', description: 'Keeps notes', unknown: { a: [1, 'two', null], b: true } },
  ),
  skill(
    'slides',
    'name: slides\ndescription: Slides.',
    { name: 'slides', description: 'Slides.' },
    { folder: '.claude/skills', body: '```markdown\n---\nname: not this\n---\n```\n\nNo more.\n' },
  ),
  // OpenHands: microagents, skills and file agents.
  {
    path: '.openhands/microagents/repo.md',
    text: '---\nname: repo\ntype: repo\nagent: CodeActAgent\n---\n\nThis repository is a web server.\n\n## Setup\n\n`make build`\n',
    kind: 'always',
    fields: { name: 'repo', type: 'repo', agent: 'CodeActAgent' },
  },
  {
    path: '.openhands/microagents/npm.md',
    text: '---\nname: npm\ntype: knowledge\nversion: 1.0.0\nagent: CodeActAgent\ntriggers:\n- npm\n---\n\nPipe `yes` into npm install.\n',
    kind: 'keyword',
    fields: { name: 'npm', type: 'knowledge', version: '1.0.0', agent: 'CodeActAgent', triggers: ['npm'] },
    triggers: ['npm'],
  },
  {
    path: '.openhands/microagents/update_pr.md',
    text: '---\nname: update_pr\ntype: task\nversion: 1.0.0\nauthor: somebody\nagent: CodeActAgent\ntriggers:\n  - /update_pr\ninputs:\n  - name: PR_URL\n    description: "URL of the pull request"\n    type: string\n    validation:\n      pattern: "^https://.+$"\n  - name: BRANCH_NAME\n    description: "Branch"\n---\n\nCheck out ${BRANCH_NAME} of ${PR_URL}.\n',
    kind: 'command',
    fields: {
      name: 'update_pr',
      type: 'task',
      version: '1.0.0',
      author: 'somebody',
      agent: 'CodeActAgent',
      triggers: ['/update_pr'],
      inputs: [
        {
          name: 'PR_URL',
          description: 'URL of the pull request',
          type: 'string',
          validation: { pattern: '^https://.+$' },
        },
        { name: 'BRANCH_NAME', description: 'Branch' },
      ],
    },
  },
  { path: '.openhands/skills/setup.md', text: '# Setup\n\nRun `make`.\n', kind: 'always', fields: {} },
  {
    path: '.agents/agents/bash-runner.md',
    text: '---\nname: bash-runner\ndescription: >\n    Runs commands.\n    <example>Run the tests</example>\ntools:\n  - terminal\nmodel: inherit\ncolor: green\nmax_iteration_per_run: 20\npermission_mode: always_confirm\n---\n\nYou run commands and report.\n',
    kind: 'persona',
    fields: {
      name: 'bash-runner',
      description: 'Runs commands. <example>Run the tests</example>\n',
      tools: ['terminal'],
      model: 'inherit',
      color: 'green',
      max_iteration_per_run: 20,
      permission_mode: 'always_confirm',
    },
    tools: ['terminal'],
  },
  // GitHub Copilot and VS Code.
  {
    path: '.github/agents/planner.agent.md',
    text: "---\ndescription: Makes a plan and changes nothing.\nname: Planner\ntools: ['codebase', 'search', 'fetch', 'githubRepo/*']\nmodel: Claude Sonnet 4\nhandoffs:\n  - label: Implement\n    agent: agent\n    prompt: Carry out the plan above.\n    send: false\n---\n# Planning\n\nYou are in planning mode.\n",
    kind: 'persona',
    fields: {
      description: 'Makes a plan and changes nothing.',
      name: 'Planner',
      tools: ['codebase', 'search', 'fetch', 'githubRepo/*'],
      model: 'Claude Sonnet 4',
      handoffs: [{ label: 'Implement', agent: 'agent', prompt: 'Carry out the plan above.', send: false }],
    },
    tools: ['codebase', 'search', 'fetch', 'githubRepo/*'],
  },
  {
    path: '.github/agents/tests.agent.md',
    text: '---\nname: tests\ndescription: Writes tests\ntools: ["read", "edit", "search", "shell"]\ntarget: github-copilot\nmcp-servers:\n  custom:\n    type: local\n    command: some-command\n    args: ["--arg1"]\n---\nWrite tests only.\n',
    kind: 'persona',
    fields: {
      name: 'tests',
      description: 'Writes tests',
      tools: ['read', 'edit', 'search', 'shell'],
      target: 'github-copilot',
      'mcp-servers': { custom: { type: 'local', command: 'some-command', args: ['--arg1'] } },
    },
    tools: ['read', 'edit', 'search', 'shell'],
  },
  plain(
    '.github/copilot-instructions.md',
    '<!-- Use this file to give instructions. -->\n\n# Code style\n\n- Tabs, not spaces.\n',
  ),
  // Instruction files.
  plain(
    'AGENTS.md',
    '# AGENTS.md\n\n## Dev environment tips\n- Use `pnpm dlx turbo run where <name>`.\n\n---\n\n## PR instructions\n- Title: [<name>] <title>\n',
  ),
  { path: 'packages/web/AGENTS.md', text: 'Only CSS modules here.\n', kind: 'paths', fields: {} },
  plain('CLAUDE.md', '# CLAUDE.md\n\nSee @README.md and @docs/git.md.\n\n## Commands\n\n```bash\nnpm run build\n```\n'),
  plain('GEMINI.md', '# Project\n\n@./docs/style.md\n\n- Rust 2024.\n'),
  plain('.cursorrules', 'You are an expert in TypeScript.\n\nKey principles:\n- Write concise code.\n'),
  // Waymark's own files, and those of IDEs that use *.agent.
  {
    path: 'deploy.agent',
    text: '---\ntriggers: deploy\n---\nNever on Friday.\n',
    kind: 'keyword',
    fields: { triggers: 'deploy' },
    triggers: ['deploy'],
  },
  {
    path: 'src/style.agent.md',
    text: '---\npaths:\n  - "**/*.ts"\n  - "!**/*.d.ts"\n---\nNo default exports.\n',
    kind: 'paths',
    fields: { paths: ['**/*.ts', '!**/*.d.ts'] },
  },
  plain('house.agent', 'Be kind.\n'),
  plain('.agent/rules.md', '\uFEFF# Rules\r\n\r\nWindows wrote this.\r\n'),
  {
    path: '.agent/agents/reviewer.md',
    text: '---\r\nname: reviewer\r\ndescription: Reviews.\r\ntools: Read, Grep\r\nlimits:\r\n  steps: 10\r\n---\r\nYou review.\r\n',
    kind: 'persona',
    fields: { name: 'reviewer', description: 'Reviews.', tools: 'Read, Grep', limits: { steps: 10 } },
    tools: ['Read', 'Grep'],
  },
  {
    path: '.agent/agents/claude-style.md',
    text: '---\nname: claude-style\ndescription: Use this agent when code was written. Examples: <example>Context: x. user: "y" assistant: "z"</example>\nmodel: opus\ncolor: blue\n---\n\nYou are an expert.\n',
    kind: 'persona',
    fields: {
      name: 'claude-style',
      description:
        'Use this agent when code was written. Examples: <example>Context: x. user: "y" assistant: "z"</example>',
      model: 'opus',
      color: 'blue',
    },
  },
  // Rules of other editors, copied unchanged into the folder: unknown fields are kept.
  {
    path: '.agent/cursor.md',
    text: '---\ndescription: \nglobs: "**/*.{ts,tsx}", "src/**"\nalwaysApply: false\n---\n\nNo any.\n',
    kind: 'always',
    fields: { description: null, globs: '"**/*.{ts,tsx}", "src/**"', alwaysApply: false },
  },
  {
    path: '.agent/cursor-list.md',
    text: '---\nglobs: *.ts,*.tsx\nalwaysApply: true\n---\nNo any.\n',
    kind: 'always',
    fields: { globs: '*.ts,*.tsx', alwaysApply: true },
  },
  {
    path: '.agent/kiro.md',
    text: "---\ninclusion: fileMatch\nfileMatchPattern: ['**/*.tsx', '**/*.py']\n---\n\n# Names\n",
    kind: 'always',
    fields: { inclusion: 'fileMatch', fileMatchPattern: ['**/*.tsx', '**/*.py'] },
  },
  {
    path: '.agent/windsurf.md',
    text: '---\ntrigger: model_decision\ndescription: When something is built in Rust: crates, traits\nglobs: docs/**/*.md,docs/ITEMS.md\n---\nUse clippy.\n',
    kind: 'always',
    fields: {
      trigger: 'model_decision',
      description: 'When something is built in Rust: crates, traits',
      globs: 'docs/**/*.md,docs/ITEMS.md',
    },
  },
  {
    path: '.agent/cline.md',
    text: '---\npaths:\n  - src/**\n  - !src/generated/**\n---\nUse hooks.\n',
    kind: 'paths',
    fields: { paths: ['src/**', '!src/generated/**'] },
    paths: ['src/**', '!src/generated/**'],
  },
  {
    path: '.agent/roo.md',
    text: '---\nslug: docs\ngroups:\n  - read\n  - - edit\n    - fileRegex: \\.md$\n      description: Markdown only\n---\nWrite docs.\n',
    kind: 'always',
    fields: { slug: 'docs', groups: ['read', ['edit', { fileRegex: '\\.md$', description: 'Markdown only' }]] },
  },
  {
    path: '.agent/python.instructions.md',
    text: "---\napplyTo: '**/*.py'\ndescription: 'Python: how it is written'\nupdated: 2026-01-02\n---\nUse ruff.\n",
    kind: 'always',
    fields: { applyTo: '**/*.py', description: 'Python: how it is written', updated: '2026-01-02' },
  },
  {
    path: '.agent/fix.prompt.md',
    text: "---\nagent: 'agent'\nmodel: GPT-5 (copilot)\ntools:\n  [\n    'edit',\n    \"search\",\n    githubRepo/*\n  ]\nargument-hint: <number>\n---\nFix ${input:number:which one}.\n",
    kind: 'always',
    fields: {
      agent: 'agent',
      model: 'GPT-5 (copilot)',
      tools: ['edit', 'search', 'githubRepo/*'],
      'argument-hint': '<number>',
    },
  },
  skill(
    'openclaw',
    'name: openclaw\ndescription: Does it.\nhomepage: https://example.org/a#b\nmetadata: {"openclaw":{"emoji":"📄","requires":{"bins":["jq"]},"install":[{"id":"brew","kind":"brew"}]}}',
    {
      name: 'openclaw',
      description: 'Does it.',
      homepage: 'https://example.org/a#b',
      metadata: { openclaw: { emoji: '📄', requires: { bins: ['jq'] }, install: [{ id: 'brew', kind: 'brew' }] } },
    },
  ),
  skill(
    'plain-lines',
    'name: plain-lines\ndescription: Reads files.\n  Use when: a form is to be filled in.\nlicense: MIT',
    { name: 'plain-lines', description: 'Reads files. Use when: a form is to be filled in.', license: 'MIT' },
  ),
  skill('tabs', 'name:\ttabs\ndescription:\tTabs everywhere.\nmetadata:\n\tversion: "1.0"', {
    name: 'tabs',
    description: 'Tabs everywhere.',
    metadata: { version: '1.0' },
  }),
  {
    path: '.openhands/microagents/tools.md',
    text: '---\nname: tools\ntype: repo\nmcp_tools:\n  stdio_servers:\n    - name: fetch\n      command: uvx\n      args: ["mcp-server-fetch"]\n      env: {KEY: "v"}\n---\nFetch.\n',
    kind: 'always',
    fields: {
      name: 'tools',
      type: 'repo',
      mcp_tools: { stdio_servers: [{ name: 'fetch', command: 'uvx', args: ['mcp-server-fetch'], env: { KEY: 'v' } }] },
    },
  },
];

/** Returns the text after the front matter, regardless of line endings. */
const bodyOf = (text: string): string =>
  text
    .replace(/^\uFEFF/, '')
    .replace(/^---\r?\n[^]*?\n---\r?\n/, '')
    .trim();

describe('a file such as CHANGELOG.md or LICENSE.md', () => {
  const isRead = (path: string): boolean => readSkill({ path, text: 'Text.', hash: '' }) !== undefined;
  it('is read in folders of commands and rules', () => {
    for (const path of [
      '.claude/commands/changelog.md',
      '.claude/commands/license.md',
      '.agent/changelog.md',
      '.cursor/rules/license.mdc',
      '.agents/skills/changelog.md',
    ])
      assert.ok(isRead(path), path);
  });
  it('is ignored beside a skill, as is README.md', () => {
    for (const path of [
      '.agent/README.md',
      '.claude/skills/pdf/LICENSE.md',
      '.agents/skills/pdf/CHANGELOG.md',
      '.openhands/skills/pdf/license.md',
      '.agent/skills/pdf/changelog.md',
      '.openhands/skills/README.md',
    ])
      assert.ok(!isRead(path), path);
  });
});

describe('files written for different products', () => {
  it(`are at least 30`, () => assert.ok(files.length >= 30, String(files.length)));

  for (const { path, text, kind, fields, triggers, paths, tools } of files) {
    it(`are read completely: ${path}`, () => {
      const read = readSkill({ path, text, hash: 'h' });
      assert.ok(read, 'it is none by its path');
      assert.deepEqual(
        read.problems.filter(({ severity }) => severity === 'error'),
        [],
      );
      assert.deepEqual([read.kind, read.body, read.source, { ...read.fields }], [kind, bodyOf(text), text, fields]);
      if (triggers) assert.deepEqual(read.triggers, triggers);
      if (paths) assert.deepEqual(read.paths, paths);
      if (tools) assert.deepEqual(read.persona?.tools, tools);
    });
  }
});
