import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { withSlashes } from '../../../src/adapters/storage/diskPaths';
import { createWorkspacePaths, plainSpelling, windowsNameProblem } from '../../../src/adapters/files/workspacePaths';
import { FileProblem, type FileProblemCode } from '../../../src/core/ports/files';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

describe('a workspace path', () => {
  let place: TemporaryWorkspace;
  let repository: string;
  beforeEach(() => {
    place = temporaryWorkspace();
    repository = place.at('repo');
    for (const name of ['repo/src/a.ts', 'repo-evil/secret.txt', 'outputs/command.txt', 'lib/b.ts', 'outside.txt'])
      place.place(name, 'x');
  });
  afterEach(() => place.stop());

  const paths = () => createWorkspacePaths([repository], [place.at('outputs')]);
  const shown = (spelled: string, use: 'read' | 'write' = 'read') => paths().resolve(spelled, use).display;
  const refuses = (spelled: string, code: FileProblemCode, use: 'read' | 'write' = 'read', says?: RegExp) =>
    assert.throws(
      () => paths().resolve(spelled, use),
      (thrown) => {
        assert.ok(thrown instanceof FileProblem, String(thrown));
        assert.equal(thrown.code, code, thrown.message);
        if (says) assert.match(thrown.message, says);
        return true;
      },
    );

  it('means the same file however it is spelled', () => {
    for (const spelled of [
      'src/a.ts',
      './src/../src/a.ts',
      path.join(repository, 'src/a.ts'),
      `file://${repository}/src/a.ts`,
      `${repository}/../repo//src/a.ts`,
    ])
      assert.equal(shown(spelled), 'src/a.ts');
  });

  it('may name a file that does not exist yet', () =>
    assert.equal(shown('new/deep/file.ts', 'write'), 'new/deep/file.ts'));
  it('is "." for the folder itself', () => assert.equal(shown('.'), '.'));

  it('is refused outside the folder, including in a sibling whose name begins the same', () => {
    for (const spelled of [
      '..',
      '../outside.txt',
      '../repo-evil/secret.txt',
      `${repository}-evil/secret.txt`,
      '/etc/passwd',
      'src/../../outside.txt',
      `file://${place.at('outside.txt')}`,
      '~/.ssh/id_rsa',
      '~',
    ]) {
      refuses(spelled, 'outside');
      refuses(spelled, 'outside', 'write');
    }
    refuses('file://other-machine/share/a', 'outside');
    refuses('src/a.ts\0.png', 'outside');
    refuses('', 'missing');
  });

  it('that starts at the root of the disk is refused with the probably intended path', () =>
    refuses('/src/a.ts', 'outside', 'read', /Did you mean "src\/a\.ts"\?/));

  it('follows links inside the folder and is refused through links that lead out', () => {
    fs.symlinkSync(place.at('repo/src'), place.at('repo/inner'));
    fs.symlinkSync(place.root, place.at('repo/out'));
    fs.symlinkSync(place.at('outside.txt'), place.at('repo/link.txt'));
    fs.symlinkSync('/nowhere/at/all', place.at('repo/dangling'));
    fs.symlinkSync('loop', place.at('repo/loop'));
    assert.equal(shown('inner/a.ts'), 'src/a.ts');
    assert.equal(shown('inner/new.ts', 'write'), 'src/new.ts');
    refuses('out/outside.txt', 'outside');
    refuses('out/new/file.txt', 'outside', 'write', /through a link/);
    refuses('link.txt', 'outside', 'write');
    refuses('dangling', 'missing', 'write');
    refuses('dangling/x', 'missing', 'write');
    refuses('loop', 'not_permitted', 'read', /link that points back/);
  });

  it('to a guarded file is refused if a link hides its name', () => {
    place.place('repo/.env', 'KEY=1');
    place.place('repo/.git/config', '');
    fs.symlinkSync('.env', place.at('repo/notes.txt'));
    fs.symlinkSync('.git', place.at('repo/plain'));
    refuses('notes.txt', 'outside', 'read', /notes\.txt leads to \.env/);
    refuses('plain/config', 'outside', 'write');
    refuses(`file://${repository}/%2eenv`, 'outside', 'read', /leads to \.env/);
    assert.equal(shown('.env'), '.env');
    assert.equal(shown('plain/config'), '.git/config');
  });

  it('works if the workspace folder itself is spelled through a link', () => {
    fs.symlinkSync(repository, place.at('shortcut'));
    const linked = createWorkspacePaths([place.at('shortcut')]);
    for (const spelled of ['src/a.ts', place.at('shortcut/src/a.ts'), path.join(repository, 'src/a.ts')])
      assert.equal(linked.resolve(spelled, 'write').display, 'src/a.ts');
  });

  it('in a readable folder can be read but not written', () => {
    const output = place.at('outputs/command.txt');
    assert.equal(shown(output), withSlashes(output));
    refuses(output, 'outside', 'write', /can be read but not changed/);
    refuses(place.at('outside.txt'), 'outside');
  });

  it('starts with the folder name in another workspace folder', () => {
    const several = createWorkspacePaths([repository, place.at('lib')]);
    assert.equal(several.resolve('lib/b.ts', 'write').absolute, place.at('lib/b.ts'));
    assert.equal(several.resolve(place.at('lib/b.ts'), 'read').display, 'lib/b.ts');
    assert.equal(several.resolve('src/a.ts', 'read').display, 'src/a.ts');
    assert.equal(several.resolve('lib', 'read').display, 'lib');
    assert.throws(() => several.resolve('lib/../../outside.txt', 'read'), FileProblem);
    assert.equal(several.resolve('repo/src/a.ts', 'read').display, 'src/a.ts', 'as VS Code shows it');
    assert.equal(several.resolve('repo/new.ts', 'write').absolute, place.at('repo/repo/new.ts'), 'a new folder');
  });

  it('means the other folder if both folders have that name', () => {
    place.place('deep/repo/src/a.ts', 'x');
    const several = createWorkspacePaths([repository, place.at('deep/repo')]);
    const { absolute, display } = several.resolve(place.at('deep/repo/src/a.ts'), 'read');
    assert.equal(several.resolve(display, 'read').absolute, absolute);
  });

  it('means the first folder if both contain that name', () => {
    place.place('repo/lib/mine.ts', 'x');
    const several = createWorkspacePaths([repository, place.at('lib')]);
    assert.equal(several.resolve('lib/mine.ts', 'read').absolute, place.at('repo/lib/mine.ts'));
    assert.equal(several.resolve(place.at('lib/b.ts'), 'read').display, place.at('lib/b.ts'));
  });

  it('finds a name stored in another Unicode form', () => {
    place.place('repo/Cafe\u0301.ts', 'x');
    assert.equal(paths().resolve('Caf\u00e9.ts', 'read').absolute, place.at('repo/Cafe\u0301.ts'));
    assert.equal(paths().resolve('other\u00e9.ts', 'write').absolute, place.at('repo/other\u00e9.ts'));
  });

  it('keeps unusual names', () => {
    for (const name of ['new\nline', 'quo"te\'s', '😀.ts', '-rf', 'dot.', 'space ', '%20', 'n'.repeat(255)]) {
      place.place(`repo/${name}`, 'x');
      assert.equal(shown(name), name);
    }
    refuses('n'.repeat(256), 'not_permitted', 'read', /longer than the file system allows/);
    refuses('d/'.repeat(3000), 'not_permitted');
  });

  it('may start with ~ if the home folder is the workspace', () => {
    const home = createWorkspacePaths([os.homedir()]);
    assert.equal(home.resolve('~/some-file-of-mine', 'write').display, 'some-file-of-mine');
  });
});

describe('a file name on Windows', () => {
  it('is refused if Windows would resolve it to another file', () => {
    for (const name of [
      '\\\\?\\C:\\a',
      '\\\\.\\pipe\\a',
      '\\\\server\\share\\a',
      '//server/share',
      'C:a.ts',
      'a.ts:hidden',
      'src/a.ts::$DATA',
      'a.ts.',
      'src /a.ts',
      'CON',
      'src/nul.txt',
      'COM1',
      'lpt¹.log',
      'aux.',
      'conin$',
      'GIT~1/config',
      'src/CREDEN~1.JSO',
      'nul .txt',
      'src/Aux  .tar.gz',
    ]) {
      assert.ok(windowsNameProblem(name), name);
    }
  });
  it('in a file: URL is checked after decoding', () => {
    for (const address of [
      'file:///C:/repo/src/%63on',
      'file:///C:/repo/a.ts:hidden',
      'file:///C:/repo/a.ts%2e',
      'file://server/share/a',
      'FILE:///C:/repo/nul.txt',
      'file:///C:/repo/GIT~1/config',
    ])
      assert.throws(() => plainSpelling(address, true), FileProblem, address);
    assert.equal(plainSpelling('file:///C:/repo/src/a%20b.ts', true), 'C:\\repo\\src\\a b.ts');
  });
  it('is accepted otherwise', () => {
    for (const name of [
      'src/a.ts',
      '.\\src\\..\\a.ts',
      'C:\\repo\\a.ts',
      'console.ts',
      'com10.txt',
      '.git',
      'common',
      'a~b.ts',
      'backup~',
    ])
      assert.equal(windowsNameProblem(name), undefined, name);
  });
});
