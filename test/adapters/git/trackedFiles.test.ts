import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { checkedOut, headCommit } from '../../../src/adapters/git/headCommit';
import { trackedFiles } from '../../../src/adapters/git/trackedFiles';
import { freshForEach, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

/** The judge is `git ls-files`. */
describe('files that Git tracks', () => {
  let place: TemporaryWorkspace;
  freshForEach((fresh) => (place = fresh));

  function git(...args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: place.root, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout;
  }

  for (const format of ['sha1', 'sha256'])
    for (const version of ['2', '3', '4'])
      it(`are read from an index of version ${version} with ${format}`, async () => {
        git('init', '-q', `--object-format=${format}`);
        const long = `${'folder/'.repeat(30)}${'n'.repeat(200)}`;
        const names = ['a', 'ab', 'bin/ä ö.txt', 'bin/b', 'zz/node_modules/p/index.js', long];
        for (let nth = 0; nth < 40; nth++) names.push(`many/${'x'.repeat(nth)}${nth}`);
        for (const name of names) place.place(name, name);
        git('add', '-A');
        if (version === '3') {
          place.place('later', '');
          git('add', '-N', 'later');
        }
        git('update-index', '--index-version', version);
        const expected = git('ls-files', '-z').split('\0').filter(Boolean);
        assert.deepEqual(await trackedFiles(place.at('.git', 'index'), /^/), expected);
        assert.deepEqual(await trackedFiles(place.at('.git', 'index'), /(?:^|\/)node_modules\//), [
          'zz/node_modules/p/index.js',
        ]);
      });

  it('are unknown if the index is missing, cut off or something else', async () => {
    assert.equal(await trackedFiles(place.at('none'), /^/), undefined);
    place.place('other', 'DIRC\0\0\0\u0002\0\0\0\u0002short');
    assert.equal(await trackedFiles(place.at('other'), /^/), undefined);
    place.place('text', 'a text that is no index at all');
    assert.equal(await trackedFiles(place.at('text'), /^/), undefined);
  });

  it('and the commit of a folder are unknown, without waiting, if a pipe is in the place of a file of Git', async () => {
    git('init', '-q');
    const pipes = ['HEAD', 'index', 'commondir', 'packed-refs'].map((name) => place.at('.git', name));
    for (const pipe of pipes) {
      fs.rmSync(pipe, { force: true });
      assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
    }
    const found = Promise.all([
      trackedFiles(place.at('.git', 'index'), /^/),
      headCommit(place.root),
      checkedOut(place.root),
    ]);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, 1500, 'it waits')));
    const result = await Promise.race([found, late]);
    clearTimeout(timer);
    // A reader that waits goes on.
    for (const pipe of pipes) fs.closeSync(fs.openSync(pipe, fs.constants.O_RDWR | fs.constants.O_NONBLOCK));
    assert.deepEqual(result, [undefined, undefined, undefined]);
  });
});
