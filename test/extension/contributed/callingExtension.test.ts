import { strict as assert } from 'node:assert';
import { callingExtension } from '../../../src/extension/contributed/callingExtension';

const installed = [
  { id: 'waymark.waymark', name: 'Waymark', folders: ['/x/waymark'] },
  { id: 'a.reviewer', name: 'Reviewer', folders: ['/x/reviewer', '/real/reviewer'] },
  { id: 'a.inner', name: 'Inner', folders: ['/x/reviewer/examples/inner'] },
  { id: 'b.windows', name: 'Windows', folders: ['c:\\Users\\Ann (home)\\exts\\windows'] },
];
const ours = '    at runTask (file:///x/waymark/dist/extension.js:10:5)';
const called = (...frames: string[]) =>
  callingExtension(['Error: Who calls?', ours, ...frames].join('\n'), installed, 'waymark.waymark')?.id;

describe('the calling extension', () => {
  it('is the first extension on the stack other than Waymark', () => {
    assert.equal(
      called('    at /x/reviewer/dist/main.js:3:4', '    at Inner.run (/x/reviewer/examples/inner/a.js:1:1)'),
      'a.reviewer',
    );
    assert.equal(called('    at async Object.activate (file:///real/reviewer/main.mjs:1:1)'), 'a.reviewer');
    assert.equal(
      called('    at new Promise (<anonymous>)', '    at Array.map (<anonymous>)', '    at run (/x/reviewer/a.js:1:1)'),
      'a.reviewer',
    );
  });

  it('is the innermost one if extension folders are nested', () => {
    assert.equal(called('    at go (/x/reviewer/examples/inner/a.js:1:1)'), 'a.inner');
  });

  it('is found by a path with spaces and brackets, in either spelling of Windows', () => {
    assert.equal(called('    at go (C:\\Users\\Ann (home)\\exts\\windows\\out\\a b.js:1:1)'), 'b.windows');
  });

  it('is not another one whose folder name starts the same', () => {
    assert.equal(called('    at go (/x/reviewer-two/a.js:1:1)'), undefined);
  });

  it('is unknown if VS Code is the first caller on the stack or the stack is empty', () => {
    assert.equal(
      called(
        '    at fire (/usr/share/code/resources/app/out/vs/workbench/api/node/extensionHostProcess.js:1:1)',
        '    at go (/x/reviewer/a.js:1:1)',
      ),
      undefined,
    );
    assert.equal(called(), undefined);
    assert.equal(callingExtension('', installed, 'waymark.waymark'), undefined);
  });
});
