import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { ripgrepSearch } from '../../../src/adapters/search/ripgrep';
import { findRipgrep, listsFiles, listWith } from '../../../src/adapters/search/ripgrepProgram';
import { secrets } from '../../../src/core/secrets/secrets';
import { refused } from '../../contracts/files.contract';
import { withSlashes } from '../../../src/adapters/storage/diskPaths';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

const platform = `${process.platform}-${process.arch}`;

describe('ripgrep', () => {
  let place: TemporaryWorkspace;
  let searchPath: string | undefined;
  beforeEach(() => {
    place = temporaryWorkspace();
    searchPath = process.env.PATH;
  });
  afterEach(() => {
    process.env.PATH = searchPath;
    place.stop();
  });
  const program = (name: string): string => {
    place.place(name, '#!/bin/sh\n');
    fs.chmodSync(place.at(name), 0o755);
    return place.at(name);
  };

  it('is looked up beside the bundle, then in the packages, on the PATH and in the editor', function () {
    if (process.platform === 'win32') this.skip();
    process.env.PATH = place.at('usr/bin');
    const find = () =>
      findRipgrep({ folders: [place.at('repo')], editorRoot: place.at('code') }, place.at('app/dist/chunks'));
    assert.equal(find(), undefined);
    for (const name of [
      `code/node_modules/@vscode/ripgrep/bin/rg`,
      'usr/bin/rg',
      `app/node_modules/@vscode/ripgrep-universal/bin/${platform}/rg`,
      `app/dist/bin/${platform}/rg`,
    ])
      assert.equal(program(name), find());
  });

  it('is never taken from the workspace, even if the PATH points there', function () {
    if (process.platform === 'win32') this.skip();
    program('repo/bin/rg');
    fs.symlinkSync(place.at('repo/bin'), place.at('tools'));
    process.env.PATH = [place.at('repo/bin'), place.at('tools'), 'bin', ''].join(path.delimiter);
    assert.equal(findRipgrep({ folders: [place.at('repo')] }, place.at('elsewhere/a/b/c/d')), undefined);
  });

  it('shows the part of a long line that matches, without cut-off words', async () => {
    const words = Array.from({ length: 4000 }, (_, at) => `word${at}`);
    place.place('min.js', `short\n${words.join(' ')}\n${'é'.repeat(400)} needle\n`);
    place.place('wide.txt', Buffer.from(`\ufeff${'x'.repeat(400)} needle\n`, 'utf16le'));
    const search = async (pattern: string): Promise<string[]> => {
      const found = ripgrepSearch({ folders: [place.root] });
      const query = { pattern, literal: false, caseSensitive: true, maxMatches: 9 };
      return (await found.search(query, new AbortController().signal)).matches.map(({ text }) => text);
    };
    const [middle] = await search('word2000|word3000');
    assert.match(middle!, /^\[…\] (word\d{4} )+word2000( word\d{4})+ \[…\]$/);
    assert.ok(middle!.length < 350, middle);
    assert.match((await search('word3 '))[0]!, /^word0 word1 .* \[…\]$/);
    const [end, wide] = await search('needle');
    assert.match(end!, /^\[…\] é* ?needle$/);
    assert.match(wide!, /^ ?\[…\]$/);
  });

  it('shows the match in a line without spaces', async () => {
    place.place('a.txt', `${'a'.repeat(3000)}needle${'b'.repeat(3000)}\n`);
    place.place('b.txt', `begins,with,needle${'b'.repeat(3000)}\n`);
    place.place('c.txt', `${'😀'.repeat(500)}needle${'😀'.repeat(500)}\n`);
    place.place('d.txt', `${'a'.repeat(9000)}needle${'b'.repeat(9000)}\n`);
    const query = { pattern: 'needle', literal: true, caseSensitive: true, maxMatches: 9 };
    const { matches } = await ripgrepSearch({ folders: [place.root] }).search(query, new AbortController().signal);
    assert.deepEqual(
      matches.map(({ text }) => text),
      [
        `[…] ${'a'.repeat(100)}needle${'b'.repeat(194)} […]`,
        `begins,with,needle${'b'.repeat(194)} […]`,
        `[…] ${'😀'.repeat(100)}needle${'😀'.repeat(194)} […]`,
        '[…] (within a word of more than 4,000 characters) […]',
      ],
    );
  });

  it('shows no part of a secret where it cuts a long line', async () => {
    const secret = 'pa:Ss9{Qz}wX;7bLm,40RtKv(22)Gh';
    secrets.learn(secret);
    const words = 'w '.repeat(300);
    place.place('beginning.txt', `needle ${'w '.repeat(140)}${secret} ${words}\n`);
    place.place('beginning2.txt', `needle ${'w '.repeat(140)}ghp_${'a1B2'.repeat(9)} ${words}\n`);
    for (const length of [170, 174, 178, 182])
      place.place(`end${length}.txt`, `${words}needle ${'x'.repeat(length)} ${secret} ${words}\n`);
    for (const length of [60, 70, 80, 90])
      place.place(`start${length}.txt`, `${words}${secret} ${'x'.repeat(length)} needle ${words}\n`);
    const query = { pattern: 'needle', literal: false, caseSensitive: true, maxMatches: 20 };
    const { matches } = await ripgrepSearch({ folders: [place.root] }).search(query, new AbortController().signal);
    assert.equal(matches.length, 10);
    for (const { text } of matches) assert.doesNotMatch(secrets.mask(text), /Ss9|Qz|7bLm|40Rt|22|Gh|ghp/, text);
  });

  it('shows nothing of a file that a link led to while it searched', async function () {
    if (process.platform !== 'linux') this.skip();
    place.place('out/key', 'the secret line\n');
    place.place('repo/file', 'a line\n');
    place.place('repo/folder/key', 'a line\n');
    const query = { pattern: 'line', literal: false, caseSensitive: true, maxMatches: 9 };
    const search = async (named: string, script: string): Promise<string[]> => {
      place.place('rg', `#!/bin/sh\ncd ${place.at('repo')}\n${script}\n`);
      fs.chmodSync(place.at('rg'), 0o755);
      const found = ripgrepSearch({ folders: [place.at('repo')], binary: place.at('rg') });
      return (await found.search({ ...query, path: named }, new AbortController().signal)).matches.map(
        ({ text }) => text,
      );
    };
    const real = `${findRipgrep({ folders: [] })} "$@"`;
    assert.deepEqual(await search('file', real), ['a line']);
    assert.deepEqual(await search('file', `mv file kept; ln -s ../out/key file; ${real}; mv kept file`), []);
    assert.deepEqual(await search('file', `mv file kept; ln -s ../out/key file; ${real}`), []);
    assert.deepEqual(
      await search('folder', `mv folder kept2; ln -s ../out folder; ${real}; rm folder; mv kept2 folder`),
      [],
    );
    assert.deepEqual(await search('folder', `mv folder kept2; ln -s ../out folder; ${real}`), []);
  });

  it('finds lines in every encoding', async () => {
    place.place('a.txt', Buffer.from('x\nneedle \xfc\r\n', 'latin1'));
    place.place('b.txt', Buffer.from('\ufeffneedle\n', 'utf8'));
    place.place('c.txt', Buffer.from('\ufeffx\nneedle\n', 'utf16le'));
    place.place('d.txt', Buffer.from('\ufeffx\nneedle\n', 'utf16le').swap16());
    const query = { pattern: 'needle', literal: false, caseSensitive: true, maxMatches: 9 };
    const { matches } = await ripgrepSearch({ folders: [place.root] }).search(query, new AbortController().signal);
    assert.deepEqual(
      matches.map((match) => match.path),
      ['a.txt', 'b.txt', 'c.txt', 'd.txt'],
    );
  });

  it('shows and finds lines of Latin-1 files as they are read', async () => {
    const latin1 = (name: string, text: string): void => {
      place.place(name, '');
      fs.writeFileSync(place.at(name), Buffer.from(text, 'latin1'));
    };
    latin1('latin1.txt', 'plain\nGr\xfc\xdfe an M\xfcller, 5 \x80\n');
    latin1('long.txt', `${'caf\xe9 '.repeat(80)}M\xfcller ${'caf\xe9 '.repeat(80)}\n`);
    latin1('cyrillic.txt', 'M\xcf\xf0\xe8\xe2\xe5\xf2\xec\xe8\xf0\xdf\xff ller\n');
    place.place('utf8.txt', 'Müller, MÃ¼ller\n');
    const find = async (pattern: string): Promise<string[]> => {
      const query = { pattern, literal: true, caseSensitive: false, maxMatches: 20 };
      const { matches } = await ripgrepSearch({ folders: [place.root] }).search(query, new AbortController().signal);
      return matches.map(({ path: file, line, text }) => `${file}:${line} ${text}`);
    };
    const [cyrillic, ...lines] = await find('ller');
    assert.match(cyrillic!, /^cyrillic\.txt:1 M\ufffd+ ller$/);
    assert.equal(lines[0], 'latin1.txt:2 Grüße an Müller, 5 €');
    assert.match(lines[1]!, /^long\.txt:1 \[…\] café .*café Müller café .*café \[…\]$/);
    assert.equal(lines[2], 'utf8.txt:1 Müller, MÃ¼ller');
    const named = await find('MÜLLER');
    assert.deepEqual([named[0], named[2]], [lines[0], lines[2]]);
    assert.match(named[1]!, /^long\.txt:1 /);
    assert.equal(named.length, 3);
  });

  it('reports that it ended before it had searched everything', async function () {
    if (process.platform === 'win32') this.skip();
    const query = { pattern: 'x', literal: false, caseSensitive: true, maxMatches: 1 };
    const search = (script: string) => {
      place.place('rg', `#!/bin/sh\n${script}\n`);
      fs.chmodSync(place.at('rg'), 0o755);
      const found = ripgrepSearch({ folders: [place.root], binary: place.at('rg') });
      return found.search(query, new AbortController().signal);
    };
    await assert.rejects(search('exit 53'), /was ended with exit code 53 before it had searched everything\. Search/);
    await assert.rejects(search('kill -9 $$'), /was ended by SIGKILL before/);
    await assert.rejects(search('echo no such library >&2; exit 127'), /exit code 127 .*everything: no such library\./);
    assert.deepEqual(await search('exit 1'), { matches: [], truncated: false });
  });

  it('knows whether a listing is complete', async function () {
    if (process.platform === 'win32') this.skip();
    const isComplete = async (script: string): Promise<boolean> => {
      place.place('rg', `#!/bin/sh\n${script}\n`);
      fs.chmodSync(place.at('rg'), 0o755);
      return (await listWith(place.at('rg'), listsFiles)).isComplete;
    };
    assert.equal(await isComplete('exit 0'), true);
    assert.equal(await isComplete('exit 1'), true);
    assert.equal(await isComplete('exit 2'), true);
    assert.equal(await isComplete('exit 53'), false);
    assert.equal(await isComplete('kill -9 $$'), false);
    assert.equal((await listWith(place.at('no-such-program'), listsFiles)).isComplete, false);
  });

  it('reports that it could not be started', async () => {
    const query = { pattern: 'x', literal: false, caseSensitive: true, maxMatches: 1 };
    await assert.rejects(
      ripgrepSearch({ folders: [place.root], binary: place.at('no-such-program') }).search(
        query,
        new AbortController().signal,
      ),
      /could not be started/,
    );
  });

  it('ignores the configuration files of the user and the folder', async () => {
    place.place('rc', '--invert-match\n');
    place.place('repo/.ripgreprc', '--invert-match\n');
    place.place('repo/a.txt', 'x1\nother\n');
    process.env.RIPGREP_CONFIG_PATH = place.at('rc');
    try {
      const { matches } = await ripgrepSearch({ folders: [place.at('repo')] }).search(
        { pattern: 'x1', literal: false, caseSensitive: true, maxMatches: 9 },
        new AbortController().signal,
      );
      assert.deepEqual(
        matches.map(({ text }) => text),
        ['x1'],
      );
    } finally {
      delete process.env.RIPGREP_CONFIG_PATH;
    }
  });

  it('searches every workspace folder, and a readable folder when it is named', async () => {
    for (const name of ['repo/a', 'lib/b', 'outputs/c']) place.place(name, 'x1\n');
    const search = ripgrepSearch({
      folders: [place.at('repo'), place.at('lib')],
      readableFolders: [place.at('outputs')],
    });
    const find = async (folder?: string) =>
      (
        await search.search(
          {
            pattern: 'x1',
            literal: true,
            caseSensitive: true,
            maxMatches: 9,
            ...(folder !== undefined && { path: folder }),
          },
          new AbortController().signal,
        )
      ).matches.map((match) => match.path);
    assert.deepEqual(await find(), ['a', 'lib/b']);
    assert.deepEqual(await find('lib'), ['lib/b']);
    assert.deepEqual(await find(place.at('outputs')), [withSlashes(place.at('outputs/c'))]);
  });

  it('follows no link out of the workspace and does not hang on a pipe', async function () {
    if (process.platform === 'win32') this.skip();
    place.place('outside/secret', 'x1\n');
    place.place('repo/a', 'x1\n');
    fs.symlinkSync(place.at('outside'), place.at('repo/out'));
    fs.symlinkSync('..', place.at('repo/up'));
    (await import('node:child_process')).execFileSync('mkfifo', [place.at('repo/pipe')]);
    const search = ripgrepSearch({ folders: [place.at('repo')] });
    const query = { pattern: 'x1', literal: true, caseSensitive: true, maxMatches: 9 };
    const signal = new AbortController().signal;
    assert.deepEqual(
      (await search.search(query, signal)).matches.map((match) => match.path),
      ['a'],
    );
    await refused(search.search({ ...query, path: 'pipe' }, signal), 'special');
    await refused(search.search({ ...query, path: 'out' }, signal), 'outside');
  });

  it('ends a listing that waits for a pipe in the place of an ignore file', async function () {
    if (process.platform === 'win32') this.skip();
    place.place('repo/a', 'x1\n');
    (await import('node:child_process')).execFileSync('mkfifo', [place.at('repo/.gitignore')]);
    const ripgrep = findRipgrep({ folders: [] })!;
    const listed = await listWith(ripgrep, [...listsFiles, place.at('repo')], { maxSilence: 300 });
    assert.equal(listed.isComplete, false);
  });

  it('ends a search that waits for a pipe in the place of an ignore file, and says so', async function () {
    if (process.platform !== 'linux') this.skip();
    this.timeout(60_000);
    place.place('repo/a', 'x1\n');
    (await import('node:child_process')).execFileSync('mkfifo', [place.at('repo/.ignore')]);
    const search = ripgrepSearch({ folders: [place.at('repo')] });
    const query = { pattern: 'x1', literal: true, caseSensitive: true, maxMatches: 9 };
    await assert.rejects(search.search(query, new AbortController().signal), /waited for a pipe in the place of/);
  });
});
