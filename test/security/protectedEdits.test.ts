import assert from 'node:assert/strict';
import { assessCommand } from '../../src/core/security/command/assessCommand';
import { protectedWrites, rulesFor } from '../../src/core/security/pathRules';

/** Files that tell agents, editors, hooks and build servers what to do. */
const files = [
  'AGENTS.md', 'docs/AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.cursorrules', '.github/copilot-instructions.md', '.agent/rules.md', '.agents/skills/one/SKILL.md', '.claude/settings.json', '.cursor/rules/a.mdc', '.mcp.json', 'mcp.json',
  '.vscode/settings.json', '.vscode/tasks.json', 'a.code-workspace', '.idea/workspace.xml', '.devcontainer/devcontainer.json', '.git/hooks/pre-commit', '.git/config', '.gitattributes', '.husky/pre-push', '.pre-commit-config.yaml', 'lefthook.yml',
  '.github/workflows/ci.yml', '.gitlab-ci.yml', '.circleci/config.yml', 'Jenkinsfile', '.npmrc', '.envrc', '.windsurfrules', '.clinerules/one.md', 'skills/one/SKILL.md', '.github/instructions/a.instructions.md', 'azure-pipelines.yml', '.travis.yml',
];

describe('an edit of a file that tells others what to do', () => {
  for (const file of files) {
    it(`asks for ${file}, whether a tool or a command makes it`, () => {
      const levels = (path: string) => rulesFor(path, protectedWrites).map(({ level }) => level);
      assert.ok(levels(file).includes('high'), 'by a tool');
      assert.ok(levels(`./sub/../${file.toUpperCase()}`).includes('high'), 'spelled otherwise');
      for (const command of [`echo x > ${file}`, `cp a.txt ${file}`, `sed -i s/a/b/ ${file}`, `tee ${file} < a.txt`, `rm ${file}`]) {
        assert.equal(assessCommand(command, { workspace: '/work', folder: '.' }).level, 'high', command);
      }
    });
  }
});
