import { strict as assert } from 'node:assert';
import { calledBy, callable, withValues } from '../../../src/core/skills/commandInputs';
import { readSkill } from '../../../src/core/skills/readSkill';

const skill = (path: string, text: string) => readSkill({ path, text, hash: 'h' })!;
const release = skill('.agent/release.md', '---\nname: release\ninputs:\n  - name: version\n    description: the number\n  - name: notes\n---\nRelease ${version}: ${notes}\n');

describe('the values of a command', () => {
  for (const notes of ['plain', 'two words', 'said "hello" twice', 'C:\\dir here', 'a\nb', 'name=value', '"']) {
    it(`are read again as they were given: ${JSON.stringify(notes)}`, () => {
      const message = withValues('/release', { version: '1.2.0', notes });
      assert.deepEqual(calledBy(message, [release])!.values, { version: '1.2.0', notes });
      assert.deepEqual(calledBy(message, [release])!.missing, []);
    });
  }
  it('stand behind what the person typed', () => {
    assert.deepEqual(calledBy('/release 1.2.0', [release])!.missing.map(({ name }) => name), ['notes']);
    const message = withValues('/release 1.2.0', { notes: 'all is well' });
    assert.equal(message, '/release 1.2.0 notes="all is well"');
    assert.deepEqual(calledBy(message, [release])!.values, { version: '1.2.0', notes: 'all is well' });
  });
});

it('What can be called is neither what always holds nor who works', () => {
  const always = skill('AGENTS.md', 'Be kind.');
  const persona = skill('.agent/agents/a.md', '---\nname: a\ndescription: d\n---\nYou are a.');
  assert.deepEqual(callable([always, release, persona]).map(({ name }) => name), ['release']);
});
