import assert from 'node:assert/strict';
import { slug } from '../../../src/core/skills/agentSkillRules';
import { readSkill } from '../../../src/core/skills/readSkill';
import { skillTemplates } from '../../../src/core/skills/skillTemplates';

const kinds = {
  skill: 'skill',
  paths: 'paths',
  keyword: 'keyword',
  command: 'command',
  persona: 'persona',
  instructions: 'always',
} as const;

describe('a new file from a skill template', () => {
  for (const written of [
    'PDF Processing',
    '2026',
    'true',
    'null',
    '1e3',
    'Größe',
    '部署',
    'a  -- b!',
    'x'.repeat(200),
    `${'x'.repeat(63)} y`,
    '🚀 ship',
  ]) {
    it(`has the chosen kind and no problems if named ${JSON.stringify(written).slice(0, 30)}`, () => {
      const name = slug(written);
      for (const { id, file, text, isNamed } of skillTemplates) {
        const read = readSkill({ path: file(name), text: `${text(name)}Text.\n`, hash: '' });
        assert.deepEqual([read?.kind, read?.problems], [kinds[id], []], id);
        if (isNamed) assert.equal(read!.name, name, id);
      }
    });
  }
  it('gets no name without letters or digits', () =>
    assert.deepEqual(['', ' ', '!?', '--', '🚀'].map(slug), ['', '', '', '', '']));
});
