import { strict as assert } from 'node:assert';
import { loadPowerShell } from '../../../src/adapters/scripts/powerShellParser';
import { assessCommand } from '../../../src/core/shell/assessCommand';

/** Each deletes src, and would delete the build output in dist if its last assignment counted. */
const deletesOther = [
  'x=src; false && x=dist; rm -rf $x',
  'x=src; true || x=dist; rm -rf $x',
  'x=src; [ -f nope ] && x=dist; rm -rf $x',
  'x=src; true && { false && x=dist; }; rm -rf $x',
  'x=src; if false; then x=dist; fi; rm -rf $x',
  'x=src; if false; then x=dist; else rm -rf $x; fi',
  'if true; then x=src; else x=dist; fi; rm -rf $x',
  'if true; then x=src; elif true; then x=a; else x=dist; fi; rm -rf $x',
  'case a in a) x=src;; b) x=dist;; esac; rm -rf $x',
  'x=src; while false; do x=dist; done; rm -rf $x',
  'x=src; until true; do x=dist; done; rm -rf $x',
  'x=src; for i in $(true); do x=dist; done; rm -rf $x',
  'x=dist; while true; do rm -rf $x; x=src; done',
  'x=dist; for i in *; do rm -rf $x; x=src; done',
  'for x in src dist; do break; done; rm -rf $x',
  'x=src; x=dist | cat; rm -rf $x',
  'x=src; { x=dist; } | cat; rm -rf $x',
  'x=src; ls | while read a; do x=dist; done; rm -rf $x',
  'x=src; x=dist & rm -rf $x',
  'x=src; { x=dist; } & rm -rf $x',
  'x=src; f() { local x=dist; }; f; rm -rf $x',
  'f() { export x=src; }; x=dist; f; rm -rf $x',
  'x=dist; export x=src; rm -rf $x',
  'x=dist; export y=1 x=src; rm -rf $x',
  'readonly x=src\nx=dist\nrm -rf $x',
  'x=src; readonly x\nx=dist\nrm -rf $x',
  'declare -r x=src\nexport x=dist\nrm -rf $x',
  'cd src; false && cd ../dist; rm -rf *',
  'cd dist; rm -rf *',
  'cd src; cd ../dist | cat; rm -rf *',
  'cd src; cd ../dist & rm -rf *',
  'x=dist; command export x=src; rm -rf $x',
  'x=dist; builtin read x < f; rm -rf $x',
  'command cd src; rm -rf *',
  'mv src dist; rm -rf dist',
  'mv src dist/ && rm -rf dist',
  'git mv src dist && rm -rf dist',
  'mv src dist/x; rm -rf ./dist/',
  'mv src dist && find dist -delete',
  'mv src/a.ts dist && find dist -type f -delete',
  'mv src/a.ts a.log; rm -f a.log',
  'mv -t dist src/a.ts; rm dist/a.ts',
];
const deletesOutput = [
  'mv dist build && rm -rf build',
  'mv dist build && find build -delete',
  'sort src/a.ts > a.log && mv a.log src/a.ts; rm -f a.log',
  'mv src/a.ts b.ts; rm -rf dist',
  'x=dist; rm -rf $x',
  'x=src; x=dist; rm -rf $x',
  'x=dist && rm -rf $x',
  'test -d dist && x=dist && rm -rf $x',
  'x=dist; false && y=src; rm -rf $x',
  'x=dist; if true; then x=dist; fi; rm -rf $x',
  'x=dist; for i in 1 2; do rm -rf $x; done',
  'x=dist; echo $x | cat; rm -rf $x',
  'for x in dist build; do rm -rf $x; done',
  'export x=dist; rm -rf $x',
  'readonly x=dist; rm -rf $x',
  'cd dist && rm -rf *',
  'i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done; rm -rf dist',
];

describe('a variable or a folder with several possible values', () => {
  for (const command of deletesOther)
    it(`needs approval: ${JSON.stringify(command)}`, () =>
      assert.equal(assessCommand(command).level, 'high', assessCommand(command).reasons.join(' ')));
  for (const command of deletesOutput)
    it(`needs none if they are the same: ${JSON.stringify(command)}`, () =>
      assert.equal(assessCommand(command).level, 'medium', assessCommand(command).reasons.join(' ')));

  it('needs approval in other shells, too', async () => {
    const powershell = await loadPowerShell();
    for (const [shell, command] of [
      ['pwsh', 'cd dist; ri -r *'],
      ['pwsh', 'mv src dist; rm -r dist'],
      ['pwsh', 'Move-Item src dist; Remove-Item dist -Recurse'],
      ['cmd', 'cd dist & del /s /q *'],
      ['cmd', 'move src dist & rd /s /q dist'],
      ['zsh', 'x=dist/src; rm -rf $x:t'],
      ['zsh', 'x=dist/src; rm -rf "$x:t"'],
    ] as const)
      assert.equal(assessCommand(command, { shell, powershell }).level, 'high', command);
    for (const [shell, command] of [
      ['pwsh', 'cd dist && ri -r *'],
      ['pwsh', 'ri -r dist'],
      ['cmd', 'cd dist && del /s /q *'],
      ['cmd', 'rd /s /q dist'],
      ['zsh', 'x=dist; rm -rf $x'],
      ['zsh', 'x=dist; echo "$x: done"'],
    ] as const)
      assert.equal(assessCommand(command, { shell, powershell }).level, 'medium', command);
  });
});
