import assert from 'node:assert/strict';
import { readHookFile } from '../../../src/core/hooks/hookFile';
import { readServers } from '../../../src/core/mcp/readServers';
import { composeFindings } from '../../../src/core/security/scripts/composeFindings';
import { readFrontMatter } from '../../../src/core/skills/frontMatter';
import { nestsDeeper } from '../../../src/core/text/nesting';

describe('a text that nests brackets', () => {
  it('is deeper than a number of levels if so many are open at one place', () => {
    assert.equal(nestsDeeper('[{[]}]', 3), false);
    assert.equal(nestsDeeper('[{[]}]', 2), true);
    assert.equal(nestsDeeper('[] '.repeat(1000), 1), false);
    assert.equal(nestsDeeper(']'.repeat(1000) + '[[', 1), true);
    assert.equal(nestsDeeper(`a:\n  ${'- '.repeat(4)}x`, 4), true);
    assert.equal(nestsDeeper(`a:\n  ${'- '.repeat(3)}x`, 4), false);
    assert.equal(nestsDeeper('a:\n  b:\n    - c: d\n      e: f\n', 4), false);
    assert.equal(nestsDeeper('a:\n  b:\n    - c: d\n      e: f\n', 3), true);
    assert.equal(nestsDeeper('{"a": {"b": [1, {"c": 2}], "d": 3}}', 4), false);
  });

  it('is not deeper because of brackets in texts and comments', () => {
    assert.equal(nestsDeeper(`["${'['.repeat(9)}", '${'{'.repeat(9)}'] # ${'['.repeat(9)}`, 1), false);
    assert.equal(nestsDeeper(`a: |\n  ${'['.repeat(9)}\nb: - c${'{'.repeat(9)}`, 2), false);
  });

  // Only the parser knows where a text ends, so brackets in texts must not count as closing.
  for (const [kind, deep] of Object.entries({
    'closing brackets in texts': '["]", '.repeat(5_000),
    'closing brackets in single quotes': `[']', `.repeat(5_000),
    'closing brackets in comments': '[ #]\n'.repeat(5_000),
    'pairs without braces': `[${'a: '.repeat(5_000)}x]`,
    'pairs behind pairs': `[${'a: []: '.repeat(5_000)}x]`,
    'keys in one line': `${'a: '.repeat(5_000)}x`,
    'keys behind a value in quotes': `- ${"a:\n 'b': ".repeat(200)}`,
    'aliases as keys': `? ${'*a : : |\n'.repeat(200)}`,
    'lists behind a key': `a: ${'- '.repeat(5_000)}x`,
    'lists with tags': `${'- !t '.repeat(5_000)}x`,
    'lines that begin further and further right': Array.from({ length: 500 }, (_, at) => `${' '.repeat(at)}a:`).join(
      '\n',
    ),
    'keys of different lengths': Array.from(
      { length: 500 },
      (_, at) => `${' '.repeat(at)}${'a'.repeat(500 - at)}:`,
    ).join('\n'),
  }))
    it(`is deeper whatever hides it: ${kind}`, () => assert.equal(nestsDeeper(deep, 100), true));

  it('makes no reader throw: pairs without braces', () => {
    const deep = `[${'a: '.repeat(2_500)}x]`;
    assert.match(readHookFile(deep, '.agent/hooks.json').problems[0]!.message, /more than 100 levels deep/);
    assert.match(readServers(deep, { file: '.mcp.json' } as never).problems[0]!.message, /more than 32 levels deep/);
    assert.equal(readFrontMatter(`---\n${deep}\n---\nText`).problems[0]!.code, 'front-matter-deep');
  });

  // The parser of YAML would fill the stack, and V8 end the process.
  for (const [kind, deep] of Object.entries({
    brackets: '['.repeat(5_000),
    braces: '{'.repeat(5_000),
    pairs: '[{"a": '.repeat(2_000),
    'closed brackets': '['.repeat(5_000) + ']'.repeat(5_000),
    'brackets behind a quote in quotes': `['"', ${'['.repeat(5_000)}`,
    'brackets in what only looks like quotes': `[a "${'['.repeat(5_000)}"`,
    'brackets in a text of several lines': `["a\\"\n: ", ${'['.repeat(5_000)}"`,
    'brackets behind a number and a quote': `[1 "${'['.repeat(5_000)}"`,
  }))
    it(`is not read too deeply: ${kind}`, () => {
      const hooks = readHookFile(deep, '.agent/hooks.json');
      assert.match(hooks.problems[0]!.message, /more than 100 levels deep, so it is not read/);
      const servers = readServers(deep, { file: '.mcp.json' } as never);
      assert.match(servers.problems[0]!.message, /more than 32 levels deep/);
      const file = { path: 'compose.yml', workspace: undefined, variables: {} };
      assert.match(composeFindings(`services:\n  a: ${deep}`, file).alarms[0]!, /could not be read/);
    });
});
