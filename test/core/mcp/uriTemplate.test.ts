import assert from 'node:assert/strict';
import { beginningOf, variableAt } from '../../../src/core/mcp/uriTemplate';

describe('the template of a resource', () => {
  it('begins with what stands for itself', () => {
    assert.deepEqual(['note://{id}', '{+path}', 'a://x', 'log:{?day}'].map(beginningOf), [
      'note://',
      '',
      'a://x',
      'log:?day=',
    ]);
  });

  it('knows which variable somebody is at, those before it, and how the address goes on', () => {
    const at = (template: string, typed: string) => {
      const found = variableAt(template, typed);
      return found && [found.name, found.value, found.values, found.filled('a/b'), found.last];
    };
    assert.deepEqual(at('repo://{owner}/{name}/file/{+path}', 'repo://'), ['owner', '', {}, 'repo://a%2Fb/', false]);
    assert.deepEqual(at('repo://{owner}/{name}/file/{+path}', 'repo://ada/fi'), [
      'name',
      'fi',
      { owner: 'ada' },
      'repo://ada/a%2Fb/file/',
      false,
    ]);
    assert.deepEqual(at('repo://{owner}/{name}/file/{+path}', 'repo://ada/first%20one/file/src/x'), [
      'path',
      'src/x',
      { owner: 'ada', name: 'first one' },
      'repo://ada/first%20one/file/a/b',
      true,
    ]);
    assert.deepEqual(at('log:{?day,level}', 'log:?day=1&level=w'), [
      'level',
      'w',
      { day: '1' },
      'log:?day=1&level=a%2Fb',
      true,
    ]);
    assert.deepEqual(at('x{/a}.json', 'x/'), ['a', '', {}, 'x/a%2Fb.json', true]);
  });

  it('says nothing of what does not fit it', () => {
    for (const [template, typed] of [
      ['note://{id}', 'file://x'],
      ['note://{id}', 'no'],
      ['note://one', 'note://one'],
      ['a:{x}/end', 'a:1/end'],
    ])
      assert.equal(variableAt(template!, typed!), undefined, typed);
  });
});
