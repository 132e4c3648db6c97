import assert from 'node:assert/strict';
import picomatch from 'picomatch';
import { globMatcher, globProblem } from '../../../src/core/text/glob';

describe('a glob', () => {
  const rows: [glob: string, fits: string[], fitsNot: string[]][] = [
    ['*.ts', ['a.ts', '.ts'], ['a.js', 'b/a.ts']],
    ['**/*.ts', ['a.ts', 'b/c/a.ts', '.x/a.ts'], ['a.tsx', '../a.ts']],
    ['src/**', ['src', 'src/a', 'src/b/.c'], ['srca', 'a/src/b']],
    ['*/**', ['a/b', 'a/b/c'], ['a']],
    ['**/**', ['a', 'a/b'], []],
    ['a/**/b/**/c', ['a/b/c', 'a/x/y/b/z/c'], ['a/c', 'a/xb/c']],
    ['./src/?.c', ['src/a.c'], ['src/ab.c', 'src//.c']],
    ['src/**/*.{ts,tsx}', ['src/a.ts', 'src/b/a.tsx'], ['src/a.t', 'src/a.{ts,tsx}']],
    ['{src,test/*}/**', ['src/a', 'test/b/c'], ['test', 'other/a']],
    ['{a,b{c,d}}.x', ['a.x', 'bc.x', 'bd.x'], ['b.x']],
    ['v{1..12}.md', ['v1.md', 'v10.md', 'v12.md'], ['v0.md', 'v13.md', 'v.md']],
    ['{a..c}', ['b'], ['d']],
    ['{a}', ['{a}'], ['a']],
    ['[a-c]?', ['bx'], ['dx', 'b']],
    ['[!a]', ['b'], ['a', '/']],
    ['[[:digit:]]-[]x]', ['1-]', '2-x'], ['a-x']],
    ['a[b', ['a[b'], ['ab']],
    ['a(b', ['a(b'], ['ab']],
    ['\\*.md', ['*.md'], ['a.md']],
    ['@(a|b)c', ['ac', 'bc'], ['c', 'abc']],
    ['?(a)c', ['c', 'ac'], ['aac']],
    ['*(a|b)c', ['c', 'abac'], ['dc']],
    ['+(a|b)c', ['abc'], ['c']],
    ['!(a|b).ts', ['c.ts', 'ab.ts'], ['a.ts', 'b.ts']],
    ['(a|b)', ['a'], ['c']],
    ['!*.d.ts', ['a.ts'], ['a.d.ts']],
  ];
  for (const [glob, fits, fitsNot] of rows) {
    it(`fits what it says: ${glob}`, () => {
      const matches = globMatcher(glob);
      assert.deepEqual([...fits, ...fitsNot].filter(matches), fits);
    });
  }

  it('fits what other tools say that usual ones do', () => {
    const paths = [
      'a',
      'a.ts',
      'src',
      'src/a.ts',
      'src/b/a.ts',
      'src/b/a.test.ts',
      '.github/x.yml',
      'docs/ü.md',
      'packages/web/src/a.tsx',
      'Makefile',
    ];
    for (const glob of [
      '*',
      '**',
      '*.*',
      '**/*',
      'src/*',
      'src/**',
      '**/src/**',
      '**/*.test.ts',
      '*.{ts,tsx}',
      '**/*.{md,yml}',
      'packages/*/src/**',
      '.github/**',
      '**/[Mm]akefile',
      'src/**/a.*',
      '**/b/*.ts',
      's?c/**/*.ts',
    ]) {
      assert.deepEqual(
        paths.filter(globMatcher(glob)),
        paths.filter((path) => picomatch(glob, { dot: true })(path)),
        glob,
      );
    }
  });

  it('comes to its end whatever it says', () => {
    for (const glob of [
      '*a*a*a*a*a*a*a*a*a*ab',
      '+(*a*|a|aa)b',
      '!(*a*a*b)b',
      `${'{a,a*,aa}'.repeat(50)}b`,
      '**/a*/**/a*/**/a*/**/a*/**/b',
    ]) {
      for (const path of ['a'.repeat(250), 'aa/'.repeat(80)]) assert.ok(!globMatcher(glob)(`${path}c`), glob);
    }
  });

  it('that cannot be used says why', () => {
    for (const glob of ['', '!', './', '!./', 'x'.repeat(501), '+(a|*(b))'])
      assert.equal(typeof globProblem(glob), 'string', glob);
  });
});
