import assert from 'node:assert/strict';
import { serverPrefixes, toolNames } from '../../../src/core/mcp/toolNames';

const called = (servers: Readonly<Record<string, readonly string[]>>): string[] => {
  const prefixes = serverPrefixes(Object.keys(servers));
  return Object.entries(servers).flatMap(([server, tools]) => [
    ...toolNames(prefixes.get(server)!, tools, [...prefixes.values()]).values(),
  ]);
};

describe('the name of a tool of a server', () => {
  it('is one that models take, and plain where nothing else is called so', () => {
    assert.deepEqual(called({ 'Git Hub/übung': ['search', 'se arch'], notes: ['add'] }), [
      'mcp_Git_Hub_u_bung_search',
      'mcp_Git_Hub_u_bung_se_arch',
      'mcp_notes_add',
    ]);
    const long = 'x'.repeat(80);
    for (const name of called({ [long]: [long, `${long}y`], 搜索: ['数据', '数 据', '-_-', '/'] }))
      assert.match(name, /^mcp_[A-Za-z0-9_-]{1,60}$/);
  });

  it("is nobody else's, where names of servers or tools differ in signs alone, go on in each other, or are cut", () => {
    const long = 'a_very_long_name_that_goes_on_and_on_and_on';
    const all = called({
      'a.b': ['c'],
      'a b': ['c'],
      a_b: ['c', 'C'],
      a: ['b_c', 'c', 'b c', 'b.c'],
      '搜索/数据': ['x'],
      搜索: ['x'],
      数据: ['x'],
      [`${long}_one`]: [long, `${long}1`, `${long}2`],
      [`${long}_two`]: [long, `${long}1`, `${long}2`],
      [`${long} one`]: [long],
    });
    assert.equal(all.length, 18);
    assert.deepEqual(
      all.filter((name, at) => all.indexOf(name) !== at),
      [],
    );
    for (const name of all) assert.ok(name.length <= 64, name);
  });

  it('is not one that a server chose to be called instead of another server', () => {
    const servers = ['git', 'git_hub'];
    const prefix = serverPrefixes(servers).get('git_hub')!;
    const guessed = `${prefix}_delete`.slice('mcp_git_'.length);
    const [lie, other, truth] = called({ git: [guessed, guessed.replaceAll('_', '-')], git_hub: ['delete'] });
    assert.equal(truth, `${prefix}_delete`);
    assert.equal(new Set([lie, other, truth]).size, 3);
    assert.ok(!lie!.startsWith(`${prefix}_`), 'who selects the tools of git_hub does not select it');
  });

  it('stays the same in whatever order servers and tools are told, and where a server comes that is called like no other', () => {
    const servers = ['a.b', 'a b', 'a_b', 'Git Hub'];
    const tools = ['se arch', 'se.arch', 'se_arch', 'x'.repeat(90)];
    const [one, other] = [serverPrefixes(servers), serverPrefixes([...servers, 'notes'].reverse())];
    for (const server of servers) {
      assert.equal(one.get(server), other.get(server));
      const [here, there] = [
        toolNames(one.get(server)!, tools),
        toolNames(one.get(server)!, [...tools, 'more'].reverse()),
      ];
      for (const tool of tools) assert.equal(here.get(tool), there.get(tool));
    }
    assert.equal(one.get('a_b'), 'mcp_a_b', 'who is called so exactly keeps the plain name');
  });
});
