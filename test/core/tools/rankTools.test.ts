import assert from 'node:assert/strict';
import { rankTools } from '../../../src/core/tools/rankTools';

/** A tool of the server "forge" if its name begins with mcp_forge. */
const tool = (name: string, description: string, ...names: string[]) => ({
  name,
  description,
  parameters: { type: 'object', properties: Object.fromEntries(names.map((each) => [each, { type: 'string' }])) },
  from: { source: `the MCP server ${name.split('_')[1]}`, tool: name, hash: '' },
});
const tools = [
  tool('mcp_forge_create_issue', 'Open an issue in a repository.', 'title', 'body'),
  tool('mcp_forge_list_issues', 'List the issues of a repository.', 'state'),
  tool('mcp_forge_create_branch', 'Create a branch.', 'fromRef'),
  tool('mcp_web_browserNavigate', 'Open an address in the browser.', 'url'),
  tool('mcp_web_screenshot', 'Take a picture of the page.', 'fullPage'),
];
const found = (query: string): string[] => namesOf(rankTools(query, tools, 8));
const namesOf = (each: readonly { readonly name: string }[]): string[] =>
  each.map(({ name }) => name.replace(/^mcp_/, ''));

describe('the search for tools', () => {
  it('prefers words of the name, and rare words', () => {
    assert.equal(found('create an issue')[0], 'forge_create_issue');
    assert.equal(found('forge branch')[0], 'forge_create_branch');
    assert.equal(found('issues')[0]!.endsWith('issue') || found('issues')[0]!.endsWith('issues'), true);
  });

  it('finds words of descriptions and arguments, beginnings of words, and names in camel case', () => {
    assert.deepEqual(found('picture'), ['web_screenshot']);
    assert.deepEqual(found('url'), ['web_browserNavigate']);
    assert.deepEqual(found('navig'), ['web_browserNavigate']);
    assert.deepEqual(found('ref'), ['forge_create_branch']);
  });

  it('puts a tool first whose name the query contains', () => {
    assert.equal(found('mcp_forge_list_issues to create an issue')[0], 'forge_list_issues');
  });

  it('leaves out tools that only share a common word, and fillers', () => {
    assert.deepEqual(found('create a branch'), ['forge_create_branch']);
    assert.deepEqual(found('open the address'), ['web_browserNavigate']);
  });

  it('finds nothing for other words', () => {
    assert.deepEqual(found('xylophone'), []);
    assert.deepEqual(found(''), []);
  });

  it('leaves places for other servers if one fills its names with the words of the query', () => {
    const many = Array.from({ length: 50 }, (_each, index) =>
      tool(`mcp_other_create_open_new_issue_in_repository_${index}`, 'Create, open, new, issue, repository.'),
    );
    for (const all of [
      [...many, ...tools],
      [...tools, ...many],
    ]) {
      const names = namesOf(rankTools('open a new issue in a repository', all, 8));
      assert.equal(names.length, 8);
      assert.ok(names.includes('forge_create_issue'), names.join());
    }
  });

  it('fills the places that other servers do not need', () => {
    const many = Array.from({ length: 9 }, (_each, index) => tool(`mcp_other_issue_${index}`, ''));
    const names = namesOf(rankTools('issue', [...many, ...tools], 8));
    assert.deepEqual([names.length, names.filter((name) => name.startsWith('forge')).length], [8, 2]);
  });

  it('reads the beginning of a very long query', () => {
    const words = Array.from({ length: 20_000 }, (_each, index) => `word${index}`).join(' ');
    assert.deepEqual(found(`branch ${words}`), ['forge_create_branch']);
    assert.deepEqual(found(`${words} branch`), []);
  });
});
