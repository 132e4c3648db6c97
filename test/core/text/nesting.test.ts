import assert from 'node:assert/strict';
import { readHookFile } from '../../../src/core/hooks/hookFile';
import { readServers } from '../../../src/core/mcp/readServers';
import { composeFindings } from '../../../src/core/security/scripts/composeFindings';
import { nestsDeeper } from '../../../src/core/text/nesting';

describe('a text that nests brackets', () => {
  it('is deeper than a number of levels if so many are open at one place', () => {
    assert.equal(nestsDeeper('[{[]}]', 3), false);
    assert.equal(nestsDeeper('[{[]}]', 2), true);
    assert.equal(nestsDeeper('[] '.repeat(1000), 1), false);
    assert.equal(nestsDeeper(']'.repeat(1000) + '[[', 1), true);
    assert.equal(nestsDeeper(`a:\n  ${'- '.repeat(5)}x`, 4), true);
    assert.equal(nestsDeeper(`a:\n  ${'- '.repeat(4)}x`, 4), false);
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
