import assert from 'node:assert/strict';
import { fieldsOffered, fieldUnder, valuesOffered, type CursorInFile } from '../../../src/core/skills/fieldHelp';
import { fieldWords } from '../../../src/core/skills/fieldWords';
import { readSkill } from '../../../src/core/skills/readSkill';

/** "|" marks the cursor. */
function writing(path: string, text: string): CursorInFile {
  const before = text.slice(0, text.indexOf('|')).split('\n');
  return { path, lines: text.replace('|', '').split('\n'), line: before.length - 1, column: before.at(-1)!.length };
}
const offered = (path: string, text: string): string[] =>
  fieldsOffered(writing(path, text)).map(({ field: { name } }) => name);

describe('help with front matter', () => {
  it('suggests the missing fields for that kind of file', () => {
    assert.deepEqual(
      offered('.agent/skills/pdf/SKILL.md', '---\nname: pdf\n"description": d\nlicense : MIT\n|\n---\n'),
      ['triggers', 'paths', 'inputs', 'disable-model-invocation', 'compatibility', 'metadata', 'allowed-tools'],
    );
    assert.deepEqual(offered('.agent/rule.md', '---\n|'), ['name', 'description', 'triggers', 'paths', 'inputs']);
    assert.deepEqual(offered('.agent/agents/a.md', '---\nto|\n---\nname: in the text\n'), [
      'name',
      'description',
      'tools',
      'disallowedTools',
      'permissionMode',
      'model',
      'profile',
      'limits',
      'confirmation',
    ]);
    assert.deepEqual(offered('.agent/a.md', '---\nkind: persona\n|\n---'), [
      'name',
      'description',
      'tools',
      'disallowedTools',
      'permissionMode',
      'model',
      'profile',
      'limits',
      'confirmation',
    ]);
  });
  it('gives the range to replace and whether a colon follows', () => {
    assert.deepEqual(
      fieldsOffered(writing('x.agent', '---\ntrig|\n---')).map(({ from, to, hasColon }) => [from, to, hasColon])[0],
      [0, 4, false],
    );
    assert.deepEqual(
      fieldsOffered(writing('x.agent', '---\ntr|ig: [a]\n---')).map(({ from, to, hasColon }) => [
        from,
        to,
        hasColon,
      ])[0],
      [0, 4, true],
    );
  });
  for (const [where, path, text] of [
    ['in the text', 'x.agent', '---\nname: x\n---\n|'],
    ['on the first line', 'x.agent', '-|--\nname: x\n---'],
    ['in a value', 'x.agent', '---\nname: |x\n---'],
    ['in a list of values', 'x.agent', '---\npaths:\n  - |\n---'],
    ['in instructions', 'AGENTS.md', '---\n|\n---'],
    ['in other Markdown files', 'docs/a.md', '---\n|\n---'],
    ['without front matter', 'x.agent', 'Text.\n|'],
    ['after the end marker "..."', 'x.agent', '---\n...\n|'],
  ] as const)
    it(`suggests nothing ${where}`, () => assert.deepEqual(offered(path, text), []));

  it('suggests the allowed values of a field', () => {
    assert.deepEqual(valuesOffered(writing('.agent/agents/a.md', '---\nconfirmation: ri|\n---')), {
      values: ['always', 'risky', 'never'],
      from: 14,
      to: 16,
    });
    assert.deepEqual(
      valuesOffered(writing('.agent/skills/a/SKILL.md', '---\ndisable-model-invocation: |\n---'))?.values,
      ['true', 'false'],
    );
    assert.equal(valuesOffered(writing('.agent/agents/a.md', '---\nmodel: |\n---')), undefined);
    assert.equal(valuesOffered(writing('.agent/agents/a.md', '---\n---\nconfirmation: |')), undefined);
  });
  it('identifies a field only under its name', () => {
    assert.equal(fieldUnder(writing('x.agent', '---\ntrig|gers: [a]\n---'))?.field.name, 'triggers');
    assert.deepEqual(
      ['---\ntriggers: [|a]\n---', '---\nunk|nown: a\n---', '---\n---\ntrig|gers: a', '---\ntrig|gers\n---'].map(
        (text) => fieldUnder(writing('x.agent', text)),
      ),
      [undefined, undefined, undefined, undefined],
    );
  });
  it('has a valid example of each field', () => {
    const paths = {
      skill: '.agent/skills/my-skill/SKILL.md',
      rules: '.agent/a.md',
      persona: '.agent/agents/a.md',
      instructions: 'AGENTS.md',
    };
    for (const { name, example, of } of fieldWords)
      for (const each of of) {
        const needed =
          each === 'rules'
            ? ''
            : ['name: my-skill', 'description: d']
                .filter((line) => !line.startsWith(`${name}:`))
                .map((line) => `${line}\n`)
                .join('');
        assert.deepEqual(
          readSkill({ path: paths[each], text: `---\n${needed}${name}: ${example}\n---\nText.`, hash: '' })!.problems,
          [],
          `${name} in ${each}`,
        );
      }
  });
});
