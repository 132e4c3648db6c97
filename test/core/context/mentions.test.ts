import { strict as assert } from 'node:assert';
import {
  mentionOfKind,
  mentionOfPath,
  mentionsIn,
  placesIn,
  rangeIn,
  symbolIn,
  typedAt,
} from '../../../src/core/context/mentions';
import { bestMatches } from '../../../src/core/context/bestMatches';
import { withoutSecretFiles } from '../../../src/core/context/withoutSecretFiles';

const found = (text: string): string[] =>
  mentionsIn(text).map(({ kind, argument, certain }) => `${kind} ${argument}${certain ? ' !' : ''}`);

describe('a mention in a message', () => {
  const rows: [what: string, text: string, ...mentions: string[]][] = [
    ['is a file by its path', 'Look at @src/a.ts please', 'file src/a.ts'],
    ['may name lines', '@src/a.ts:10-20', 'file src/a.ts:10-20'],
    ['may contain spaces in quotes, followed by lines', 'See @"my file.ts":3-5.', 'file my file.ts:3-5 !'],
    [
      'works in languages without spaces, and ends at their punctuation',
      '请看@src/a.ts，然后改（@"b，c.ts"）。それは@docs/ü.md。',
      'file src/a.ts',
      'file b，c.ts !',
      'file docs/ü.md',
    ],
    [
      'excludes punctuation that ends a sentence',
      'In @src/a.ts, (@src/b.ts) and @src/c.ts.',
      'file src/a.ts',
      'file src/b.ts',
      'file src/c.ts',
    ],
    [
      'keeps a closing bracket that was opened in it',
      '(@https://host.example/Foo_(bar)) @https://host.example/Foo_(bar), @app/[id]. @a/(b)/c.ts)',
      'url https://host.example/Foo_(bar) !',
      'file app/[id]',
      'file a/(b)/c.ts',
    ],
    ['is a folder when it ends so', '@src/core/ and @"a b/"', 'folder src/core/', 'folder a b/ !'],
    ['is the whole folder by a dot', '@folder:. and (@folder:.)', 'folder . !'],
    [
      'is a kind that stands alone',
      '@selection @problems @terminal @git',
      'selection  !',
      'problems  !',
      'terminal  !',
      'git  !',
    ],
    [
      'is a kind with an argument',
      '@git:HEAD~1 @symbol:"a b" @session:20260101-1 @folder:src @problems:src/a.ts',
      'git HEAD~1 !',
      'symbol a b !',
      'session 20260101-1 !',
      'folder src !',
      'problems src/a.ts !',
    ],
    ['is an address', '@https://example.org/a?b=1#c', 'url https://example.org/a?b=1#c !'],
    ['is an address by its kind', '@url:https://example.org', 'url https://example.org !'],
    ['is none in an address of mail', 'ada@example.org and git@github.com:a/b.git'],
    ['is none for a kind that nobody knows', '@person:ada'],
    ['is none without a word', 'at @ noon'],
    ['is none in code', '```ts\n@Component\n@src/a.ts\n```\nand `@src/b.ts` but @src/c.ts', 'file src/c.ts'],
    ['is none in code that is not closed', 'a\n```\n@src/a.ts'],
    ['counts once', '@src/a.ts and @src/a.ts', 'file src/a.ts'],
    ['that stands before its argument is only a word', '@file and @symbol', 'file file', 'file symbol'],
  ];
  for (const [what, text, ...mentions] of rows) it(what, () => assert.deepEqual(found(text), mentions));

  it('of any path parses back to the same path', () => {
    for (const path of [
      'src/a.ts',
      'my file.ts',
      'a).ts',
      'selection',
      'ends.',
      'ü/ñ.md',
      'dir/',
      'a"b c.ts',
      '"q"',
      'a，b.ts',
      '資料.md',
      "it's.ts",
      'a#b.ts',
      'a:b.ts',
      'C#/a.cs',
      '[id].tsx',
    ]) {
      const [mention, ...more] = mentionsIn(`x ${mentionOfPath(path, { from: 2, to: 4 })}, y`);
      assert.deepEqual([rangeIn(mention!.argument), more], [{ path, from: 2, to: 4 }, []], path);
    }
  });

  it('normalizes line ranges', () => {
    assert.deepEqual(rangeIn('a:9-3'), { path: 'a', from: 3, to: 9 });
    assert.deepEqual(rangeIn('a:0'), { path: 'a', from: 1, to: 1 });
    assert.deepEqual(rangeIn('C:\\a'), { path: 'C:\\a' });
  });

  it('accepts line and column as compilers write them, and ignores the column', () => {
    for (const [argument, from, to] of [
      ['src/a.ts:10:5', 10, 10],
      ['src/a.ts:10:5-12:3', 10, 12],
    ] as const)
      assert.deepEqual(rangeIn(argument), { path: 'src/a.ts', from, to });
  });

  it('may mean a file whose name ends like a line range, and lists that file first', () => {
    assert.deepEqual(placesIn('a:12'), [{ path: 'a:12' }, { path: 'a', from: 12, to: 12 }]);
    assert.deepEqual(placesIn('a:12:3'), [
      { path: 'a:12:3' },
      { path: 'a:12', from: 3, to: 3 },
      { path: 'a', from: 12, to: 12 },
    ]);
    assert.deepEqual(placesIn('a:12:3-4')[1], { path: 'a:12', from: 3, to: 4 });
    assert.deepEqual(placesIn('src/a.ts'), [{ path: 'src/a.ts' }]);
  });

  it('of a symbol parses back to the same symbol, whatever characters its name has', () => {
    for (const [path, name] of [
      ['src/x.ts', '#count'],
      ['src/x.rb', 'valid?'],
      ['src/x.rb', 'save!'],
      ['C#/a.cs', 'Foo'],
      ['my file.ts', 'a'],
      ['src/x.ts', 'count'],
    ] as const) {
      const [mention, ...more] = mentionsIn(`See ${mentionOfKind('symbol', `${path}#${name}`)}, please`);
      assert.deepEqual([mention?.kind, symbolIn(mention!.argument), more], ['symbol', { name, path }, []]);
    }
    assert.deepEqual([symbolIn('#count'), symbolIn('count')], [{ name: '#count' }, { name: 'count' }]);
  });
});

describe('the completion query before the cursor', () => {
  const rows: [text: string, sign: string, query: string, length: number][] = [
    ['/', '/', '', 1],
    ['  /rel', '/', 'rel', 4],
    ['see @', '@', '', 1],
    ['see @src/a', '@', 'src/a', 6],
    ['@"my fi', '@', 'my fi', 7],
    ['@git:', '@', 'git:', 5],
    ['@symbol:"a b', '@', 'symbol:a b', 12],
    ['(@a', '@', 'a', 2],
    ['看@a', '@', 'a', 2],
  ];
  for (const [text, ...typed] of rows) it(`is ${text}`, () => assert.deepEqual(Object.values(typedAt(text)!), typed));
  for (const text of ['', 'a /b', 'mail ada@exa', '@a b', '/release 1', 'a@'])
    it(`is missing in "${text}"`, () => assert.equal(typedAt(text), undefined));
});

describe('ranked completions', () => {
  const names = ['src/core/agent.ts', 'src/agent/core.ts', 'docs/agents.md', 'test/a/g.e.n.t', 'other.ts'];
  it('begin with the best match', () =>
    assert.deepEqual(bestMatches(names, 'agent', { nameOf: (name) => name, most: 9 }), [
      'docs/agents.md',
      'src/core/agent.ts',
      'src/agent/core.ts',
      'test/a/g.e.n.t',
    ]));
  it('begin with open files if all match equally', () =>
    assert.equal(
      bestMatches(names, '', { nameOf: (name) => name, most: 2, first: new Set(['docs/agents.md']) })[0],
      'docs/agents.md',
    ));
  it('respect the limit, whatever the order of the names', () => {
    const many = Array.from({ length: 500 }, (_, at) => `src/file${(at * 7) % 500}.ts`);
    const options = { nameOf: (name: string) => name, most: 3 };
    const best = ['src/file42.ts', 'src/file420.ts', 'src/file421.ts'];
    assert.deepEqual(bestMatches(many, 'file42', options), best);
    assert.deepEqual(bestMatches(many.toReversed(), 'file42', options), best);
  });
  it('leave out what is not accepted, and ask only about names that would be among the best', () => {
    const asked: string[] = [];
    const accepts = (name: string): boolean => {
      asked.push(name);
      return name !== 'a.env';
    };
    const best = bestMatches(['a.env', 'a.ts', 'b/a.ts', 'no.md'], 'a', { nameOf: (name) => name, most: 1, accepts });
    assert.deepEqual([best, asked], [['a.ts'], ['a.env', 'a.ts']]);
  });
  it('respect the limit', () => assert.equal(bestMatches(names, '', { nameOf: (name) => name, most: 2 }).length, 2));
});

it('A diff excludes files that usually contain secrets', () => {
  const part = (name: string): string =>
    `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-old of ${name}\n+new of ${name}\n`;
  const text = withoutSecretFiles(
    `commit abc\n\n    words\n\n${part('src/a.ts')}${part('.env.local')}${part('b.pem')}`,
  );
  assert.match(text, /^commit abc[\s\S]*new of src\/a\.ts/);
  assert.doesNotMatch(text, /(old|new) of (\.env|b\.pem)/);
  assert.match(text, /\.env\.local were omitted/);
  for (const head of [
    'diff --cc .env\n',
    'diff --combined "deep/.env"\n',
    'diff --git .env .env\n',
    'diff --git i/.env w/.env\n',
    'diff --git "a/x b/.env" "b/x b/.env"\n',
  ]) {
    assert.doesNotMatch(withoutSecretFiles(`${head}index 1..2\n@@ -1 +1 @@\n+SECRET\n`), /SECRET/, head);
  }
  const between = 'diff --git a/x b/y.txt b/x b/y.txt\n--- a/x b/y.txt\t\n+++ b/x b/y.txt\t\n@@ -1 +1 @@\n+SECRET\n';
  assert.doesNotMatch(
    withoutSecretFiles(between, (name) => name === 'x b/y.txt'),
    /SECRET/,
  );
  assert.match(withoutSecretFiles('diff --git a/a.ts b/a.ts\n@@ -1 +1 @@\n--- a/.env\n+++ b/.env\n+KEPT\n'), /KEPT/);
});
