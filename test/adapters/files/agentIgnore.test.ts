import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { diskScripts } from '../../../src/adapters/scripts/diskScripts';
import { assessWithScripts } from '../../../src/core/security/scripts/assessWithScripts';
import { diskFiles } from '../../../src/adapters/files/diskFiles';
import { agentIgnoring } from '../../../src/adapters/files/agentIgnore';
import { fileNames } from '../../../src/adapters/search/fileNames';
import { ripgrepSearch } from '../../../src/adapters/search/ripgrep';
import { findSkillFiles } from '../../../src/adapters/skills/findSkillFiles';
import { createWorkspacePaths } from '../../../src/adapters/files/workspacePaths';
import { isGuarded } from '../../../src/core/risk/pathRules';
import { FileProblem } from '../../../src/core/ports/files';

const rules = 'private/\n*.secret.md\n!open.secret.md\n/top.txt\n';
const files: Record<string, string> = {
  '.agentignore': rules,
  'top.txt': 'word',
  'a/top.txt': 'word',
  'private/a.txt': 'word',
  'private/deep/b.txt': 'word',
  'x.secret.md': 'word',
  'open.secret.md': 'word',
  'packages/p/.agentignore': 'data/\n',
  'packages/p/data/d.txt': 'word',
  'data/d.txt': 'word',
  'src/a.txt': 'word',
  'private/.agent/rule.md': 'Be bold.',
  '.agent/rule.md': 'Be kind.',
};
const leftOut = [
  'top.txt',
  'private/a.txt',
  'private/deep/b.txt',
  'x.secret.md',
  'packages/p/data/d.txt',
  'private/.agent/rule.md',
];

describe('.agentignore', () => {
  let root: string;
  before(() => {
    root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-ignore-')));
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      fs.writeFileSync(path.join(root, name), text);
    }
  });
  after(() => fs.rmSync(root, { recursive: true, force: true }));
  const disk = () => diskFiles({ folders: [root] });
  const isRefused = (thrown: unknown): boolean =>
    thrown instanceof FileProblem && thrown.code === 'left_out' && thrown.message.includes('.agentignore');

  for (const name of Object.keys(files)) {
    const out = leftOut.includes(name);
    it(`${out ? 'keeps' : 'does not keep'} ${name} from being read and changed`, async () => {
      if (!out) return void (await disk().read(name));
      await assert.rejects(disk().read(name), isRefused);
      await assert.rejects(disk().write([{ path: name, text: 'mine', expected: null }]), isRefused);
      assert.equal(fs.readFileSync(path.join(root, name), 'utf8'), files[name]);
    });
  }

  it('prevents the creation of a file that it would exclude', async () => {
    await assert.rejects(disk().write([{ path: 'private/new.txt', text: 'x', expected: null }]), isRefused);
    assert.equal(fs.existsSync(path.join(root, 'private/new.txt')), false);
  });

  it('cannot be bypassed through a link', async function () {
    try {
      fs.symlinkSync(path.join(root, 'private/a.txt'), path.join(root, 'link.txt'));
    } catch {
      return this.skip();
    }
    await assert.rejects(disk().read('link.txt'), isRefused);
    fs.rmSync(path.join(root, 'link.txt'));
  });

  const kept = Object.keys(files)
    .filter((name) => !leftOut.includes(name))
    .sort();

  it('hides excluded names in lists and refuses to list an excluded folder', async () => {
    const { entries } = await disk().list('.', { depth: 9, limit: 999 });
    assert.deepEqual(
      entries
        .filter(({ kind }) => kind === 'file')
        .map((entry) => entry.path)
        .sort(),
      kept,
    );
    assert.ok(!entries.some((entry) => entry.path === 'private'));
    await assert.rejects(disk().list('private', { depth: 1, limit: 9 }), isRefused);
  });

  it('hides matches in searches, also in a subfolder', async () => {
    const search = ripgrepSearch({ folders: [root] });
    const find = async (more: object = {}): Promise<string[]> =>
      (
        await search.search(
          { pattern: 'word', literal: true, caseSensitive: true, maxMatches: 99, ...more },
          new AbortController().signal,
        )
      ).matches
        .map((match) => match.path)
        .sort();
    assert.deepEqual(
      await find(),
      kept.filter((name) => files[name] === 'word'),
    );
    assert.deepEqual(await find({ path: 'packages' }), []);
    await assert.rejects(find({ path: 'private' }), isRefused);
  });

  it('excludes files from mention suggestions and skills', async () => {
    assert.deepEqual((await fileNames(createWorkspacePaths([root]), { folders: [root] })).sort(), kept);
    const home = path.join(root, 'nobody');
    assert.deepEqual((await findSkillFiles({ folders: [root], home })).files.map((file) => file.path).sort(), [
      '.agent/rule.md',
    ]);
  });

  const levels: Readonly<Record<string, readonly string[]>> = {
    high: [
      'cat private/a.txt',
      'cat priv*/a.txt',
      'cat < private/a.txt',
      'cd private && head a.txt',
      'cat ./src/../private/deep/b.txt',
      'cat *.secret.md',
      'cat {src,private}/a.txt',
      'grep -rn word .',
      'grep -n word -r packages',
      'rg word',
      'grep -r word',
      'grep -rl word . | xargs cat',
      'cat ./**/a.txt',
      'git grep word',
      'cd packages && rg word',
      'cp private/a.txt b.txt',
      'cp -r packages elsewhere',
      'sed -n 1p packages/p/data/d.txt',
      'echo x > private/new.txt',
      'rm private/a.txt',
      'ls private',
      'find . -name "*.txt" -exec cat {} +',
      'cat private/a.txt | wc -l',
      'echo "$(cat top.txt)"',
      'tail -n 1 ROOT/private/a.txt',
    ],
    low: [
      'cat src/a.txt',
      'ls',
      'ls packages/p',
      'grep -rn word src',
      'rg word data',
      'cat open.secret.md',
      'cat .agentignore',
      'cat src/*.txt',
      'git status',
      'cd src && rg word',
      'cat src/a.txt/none',
    ],
  };
  for (const [level, commands] of Object.entries(levels))
    for (const command of commands)
      it(`makes a command ${level === 'high' ? 'wait' : 'wait no more than before'}: ${command}`, async () => {
        const found = await assessWithScripts(
          command.replace('ROOT', root),
          { workspace: root, folder: '.' },
          diskScripts(root),
          [],
        );
        assert.equal(found.level, level, found.reasons.join(' '));
        if (level === 'high') assert.match(found.reasons.join(' '), /\.agentignore excludes/);
      });

  it('makes a command that reads through a link wait for approval', async function () {
    try {
      fs.symlinkSync('../private/a.txt', path.join(root, 'src/link.txt'));
    } catch {
      return this.skip();
    }
    const { reasons } = await assessWithScripts(
      'cat src/link.txt',
      { workspace: root, folder: '.' },
      diskScripts(root),
      [],
    );
    fs.rmSync(path.join(root, 'src/link.txt'));
    assert.match(reasons.join(' '), /private\/a\.txt, which \.agentignore excludes/);
  });

  it('excludes everything in its folder if it cannot be read', async () => {
    fs.mkdirSync(path.join(root, 'data/.agentignore'));
    await assert.rejects(disk().read('data/d.txt'), isRefused);
    fs.rmdirSync(path.join(root, 'data/.agentignore'));
    await disk().read('data/d.txt');
  });

  const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
  for (const [what, bytes] of [
    ['UTF-16', utf16('d.txt\r\n')],
    ['UTF-16 of the other order', utf16('d.txt\r\n').swap16()],
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFd.txt\n')],
  ] as const) {
    it(`is read in ${what} and excludes exactly what it names`, async () => {
      fs.writeFileSync(path.join(root, 'src/.agentignore'), bytes);
      fs.writeFileSync(path.join(root, 'src/d.txt'), 'word');
      try {
        await assert.rejects(disk().read('src/d.txt'), isRefused);
        await disk().read('src/a.txt');
      } finally {
        for (const name of ['src/.agentignore', 'src/d.txt']) fs.rmSync(path.join(root, name));
      }
    });
  }
  for (const [what, bytes] of [
    ['UTF-16 that does not say so', Buffer.from('other\n', 'utf16le')],
    ['Latin-1', Buffer.from('\xfcber\n', 'latin1')],
    ['a half of UTF-16', utf16('x').subarray(0, 3)],
    ['one rule without an end', Buffer.from('x'.repeat(70_000))],
  ] as const) {
    it(`excludes everything in its folder if it is ${what}`, async () => {
      fs.writeFileSync(path.join(root, 'src/.agentignore'), bytes);
      try {
        await assert.rejects(disk().read('src/a.txt'), isRefused);
      } finally {
        fs.rmSync(path.join(root, 'src/.agentignore'));
      }
    });
  }

  it('is evaluated quickly despite many wildcards', async () => {
    const deep = `src/${'a/'.repeat(60)}`;
    fs.mkdirSync(path.join(root, deep), { recursive: true });
    for (const name of ['b', 'c']) fs.writeFileSync(path.join(root, deep, name), 'word');
    fs.writeFileSync(path.join(root, 'src/.agentignore'), `a/${'**/a/'.repeat(20)}b\n*a*a*a*a*a*a*a*a*a*ab\n`);
    try {
      await assert.rejects(disk().read(`${deep}b`), isRefused);
      await disk().read(`${deep}c`);
    } finally {
      for (const name of ['src/.agentignore', 'src/a']) fs.rmSync(path.join(root, name), { recursive: true });
    }
  });

  it('is evaluated quickly for paths with many folders, with and without rules', async () => {
    const leavesOut = agentIgnoring();
    const absolute = path.join(root, 'nowhere', 'a/'.repeat(100_000), 'b');
    assert.equal(leavesOut({ folder: path.join(root, 'nowhere'), absolute }), false);
    fs.writeFileSync(path.join(root, 'src/.agentignore'), 'c\n');
    try {
      const below = path.join(root, 'src', 'a/'.repeat(100_000), 'b');
      assert.equal(leavesOut({ folder: root, absolute: below }), true, 'nobody can tell, so it is left out');
    } finally {
      fs.rmSync(path.join(root, 'src/.agentignore'));
    }
  });

  it('is itself a guarded file', () => assert.ok(isGuarded('.agentignore') && isGuarded('packages/p/.agentignore')));
});
