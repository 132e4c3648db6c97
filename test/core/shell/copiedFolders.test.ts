import { strict as assert } from 'node:assert';
import { assessCommand } from '../../../src/core/shell/assessCommand';

describe('a copy of a folder with protected files', () => {
  const protectedFiles = ['packages/a/.vscode', 'fixtures/b/.gitattributes', 'packages/repo/.git', 'tpl/.vscode'];
  const existing = ['.', 'packages', 'packages/a', 'packages/old', 'packages/repo', 'fixtures', 'fixtures/b', 'tpl'];
  const levelOf = (command: string) =>
    assessCommand(command, {
      inGit: (path) => (existing.includes(path) ? 'tracked' : 'nothing'),
      protectedBelow: (path) => ({
        found: protectedFiles.filter((file) => path === '.' || file.startsWith(`${path}/`)),
        isComplete: true,
      }),
    }).level;

  for (const command of [
    'cp -r packages/a packages/c',
    'cp -a packages/a packages/old',
    'cp -r packages/a/. packages/c',
    'cp -R fixtures/b fixtures/c',
    'cp -r packages/a .',
  ])
    it(`needs no approval if it becomes a new folder: ${command}`, () => assert.equal(levelOf(command), 'medium'));

  for (const command of [
    'cp -r packages/a/. packages/old',
    'cp -r packages/a/. .',
    'cp -r tpl/.vscode .',
    'cp -r tpl .vscode',
    'cp -r . packages/c',
    'cp -r packages/repo packages/c',
    'cp -r packages fixtures',
    'ln -s .. x; cp -r packages/a x',
    'ln -s . x; cp -r packages/a/. x',
    'cd packages; cp -r a c',
    'cp -r tpl packages/a .',
    'cp -rt packages/old packages/a',
    'mv packages/a packages/c',
  ])
    it(`needs approval otherwise: ${command}`, () => assert.equal(levelOf(command), 'high'));
});
