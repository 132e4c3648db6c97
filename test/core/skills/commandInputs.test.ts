import { strict as assert } from 'node:assert';
import { parseSkillCall, callableSkills, withInputs, withValues } from '../../../src/core/skills/commandInputs';
import { typedAt } from '../../../src/core/context/mentions';
import { commandName, withCommands } from '../../../src/core/skills/commandName';
import { readSkill } from '../../../src/core/skills/readSkill';

const skill = (path: string, text: string) => readSkill({ path, text, hash: 'h' })!;
const release = skill(
  '.agent/release.md',
  '---\nname: release\ninputs:\n  - name: version\n    description: the number\n  - name: notes\n---\nRelease ${version}: ${notes}\n',
);

describe('the values of a command', () => {
  for (const notes of [
    'plain',
    'two words',
    'said "hello" twice',
    'C:\\dir here',
    'a\nb',
    'name=value',
    '"',
    '  two\n\n  lines\t"quoted"',
    'a dir\\\\',
    'ends in \\',
    '\\\\" \\"',
    "it's",
  ]) {
    it(`survive a round trip: ${JSON.stringify(notes)}`, () => {
      const message = withValues('/release', { version: '1.2.0', notes });
      assert.deepEqual(parseSkillCall(message, [release])!.values, { version: '1.2.0', notes });
      assert.deepEqual(parseSkillCall(message, [release])!.missing, []);
    });
  }
  it('keep line breaks, spaces and quotes in the last input', () => {
    for (const notes of ['first line\n\n  second  line', 'say "hello there" to all', '"a" and "b"', 'C:\\new\\table'])
      assert.equal(parseSkillCall(`/release 1.2 ${notes}`, [release])!.values['notes'], notes);
    assert.equal(
      parseSkillCall('/release first\nline version=3 and\nmore', [release])!.values['notes'],
      'first\nline and\nmore',
    );
    assert.equal(
      parseSkillCall('/release 1 "in quotes\nof two lines"', [release])!.values['notes'],
      'in quotes\nof two lines',
    );
  });
  it('are missing after name= and empty after name=""', () => {
    const missing = (message: string): string[] => parseSkillCall(message, [release])!.missing.map(({ name }) => name);
    assert.deepEqual(
      [
        missing('/release version= notes=x'),
        missing('/release version= 1.2 notes=x'),
        missing('/release version="" notes=x'),
      ],
      [['version'], [], []],
    );
    const message = withValues('/release version= notes=x', { version: '1.0' });
    assert.deepEqual(
      [parseSkillCall(message, [release])!.values, missing(message)],
      [{ version: '1.0', notes: 'x' }, []],
    );
  });
  it('fill inputs named like object properties, and names in any Unicode normalization', () => {
    const odd = skill(
      '.agent/odd.md',
      '---\ninputs: [constructor, __proto__, größe]\n---\n${constructor}, ${__proto__}, ${größe}',
    );
    const called = parseSkillCall(
      withValues(
        `/odd ${'größe=9'.normalize('NFD')}`,
        Object.fromEntries([
          ['constructor', 'a b'],
          ['__proto__', 'c'],
        ]),
      ),
      [odd],
    )!;
    assert.deepEqual(
      [Object.entries(called.values), called.missing],
      [
        [
          ['größe', '9'],
          ['constructor', 'a b'],
          ['__proto__', 'c'],
        ],
        [],
      ],
    );
    assert.equal(withInputs(odd.body, called.values), 'a b, c, 9');
    assert.equal(parseSkillCall('/odd', [odd])!.missing.length, 3);
    assert.equal(withInputs(odd.body, {}), odd.body);
  });
  it('are appended to what the user typed', () => {
    assert.deepEqual(
      parseSkillCall('/release 1.2.0', [release])!.missing.map(({ name }) => name),
      ['notes'],
    );
    const message = withValues('/release 1.2.0', { notes: 'all is well' });
    assert.equal(message, '/release 1.2.0 notes="all is well"');
    assert.deepEqual(parseSkillCall(message, [release])!.values, { version: '1.2.0', notes: 'all is well' });
  });
});

it('Instructions and personas cannot be called as commands', () => {
  const always = skill('AGENTS.md', 'Be kind.');
  const persona = skill('.agent/agents/a.md', '---\nname: a\ndescription: d\n---\nYou are a.');
  assert.deepEqual(
    callableSkills([always, release, persona]).map(({ name }) => name),
    ['release'],
  );
});

describe('the command name of a skill', () => {
  const named = (name: string, path = '.agent/x.md') =>
    skill(path, `---\nname: ${JSON.stringify(name)}\ninputs: [what]\n---\n\${what}`);
  for (const name of [
    'C++ Review',
    'तैनाती करें',
    'ตรวจสอบ',
    '🚀 ship ✈️',
    '/update_pr',
    '@team/deploy',
    '  two\t words ',
    'Größe'.normalize('NFD'),
    '\u200B',
    '"quoted"',
    '(?:a|b)',
    '---',
    'a'.repeat(300),
  ]) {
    it(`can be completed and called: ${JSON.stringify(name).slice(0, 40)}`, () => {
      const one = named(name);
      const typed = `/${commandName(one)}`;
      assert.deepEqual(typedAt(typed), { sign: '/', query: commandName(one), length: typed.length });
      for (const message of [`${typed} value`, `  ${typed}\nvalue`, `${typed.normalize('NFD')} value`])
        assert.equal(parseSkillCall(message, [one])?.values['what'], 'value', message);
    });
  }
  it('is not recognized in a path at the start of a message', () =>
    assert.equal(parseSkillCall('/usr/bin is missing', [named('usr')]), undefined));
  it('is unique among skills with the same name', () => {
    const all = withCommands([
      named('a:b'),
      named('b', 'a/.agent/b.md'),
      named('b', '.agent/a/b.md'),
      named('b'),
      named('B', 'a/.agent/c.md'),
    ]);
    assert.deepEqual(all.map(commandName), ['a:b', 'a:b-2', 'a:b-3', 'b', 'a:b-4']);
  });
});
