import assert from 'node:assert/strict';
import { commandName } from '../../../src/core/skills/commandName';
import { listSkills, usedSkills } from '../../../src/core/skills/listSkills';
import { readSkill } from '../../../src/core/skills/readSkill';
import type { Skill, SkillFile } from '../../../src/core/ports/skill';

const skill = (path: string, text: string, more: Partial<SkillFile> = {}): Skill =>
  readSkill({ path, text, hash: path, ...more })!;
const usedPaths = (...skills: Skill[]): string[] => usedSkills(listSkills(skills)).map(({ path }) => path);

describe('the skills in use', () => {
  it('include files with the same text if names, tools or paths differ', () => {
    const pdf = (name: string): Skill =>
      skill(`.agent/skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: ${name}.\n---\nSame.`);
    const persona = (name: string, tools: string): Skill =>
      skill(`.agent/agents/${name}.md`, `---\ndescription: x\ntools: ${tools}\n---\nSame.`);
    const rule = (name: string, glob: string): Skill => skill(`.agent/${name}.md`, `---\npaths: "${glob}"\n---\nSame.`);
    assert.equal(
      usedPaths(
        pdf('a'),
        pdf('b'),
        persona('p1', 'Read'),
        persona('p2', 'Edit'),
        rule('r1', '*.ts'),
        rule('r2', '*.md'),
      ).length,
      6,
    );
  });

  it('call a command of the whole workspace by its plain name, wherever the other one is', () => {
    const files = [
      skill('packages/a/.claude/commands/deploy.md', 'A.'),
      skill('.github/prompts/deploy.prompt.md', 'Root.'),
    ];
    assert.deepEqual(
      usedSkills(listSkills(files)).map((each) => [each.path, commandName(each)]),
      [
        ['packages/a/.claude/commands/deploy.md', 'packages/a:deploy'],
        ['.github/prompts/deploy.prompt.md', 'deploy'],
      ],
    );
  });

  it('do not replace a file that waits for review by another one with its name', () => {
    const below = '.claude/commands/deploy.md';
    const own = skill(below, 'Own.');
    const listed = listSkills([own, skill(`/h/${below}`, 'Home.', { root: 'home', below })], {
      reviewed: { hashOf: ({ path }) => (path === below ? 'another' : undefined) },
    });
    assert.deepEqual(
      listed.map(({ unused, waits }) => [unused, waits]),
      [
        ['It has changed since it was last used and waits for your review.', true],
        [`${below} has the same name and takes precedence.`, undefined],
      ],
    );
  });

  it('exclude duplicate instructions for the same folder', () => {
    assert.deepEqual(
      usedPaths(
        skill('AGENTS.md', 'Same.'),
        skill('.cursorrules', 'Same.'),
        skill('a/AGENTS.md', 'Same.'),
        skill('a/.cursorrules', 'Same.'),
      ),
      ['AGENTS.md', 'a/AGENTS.md'],
    );
  });

  it('prefer the valid file of two with the same name', () => {
    const named = (name: string): Skill =>
      skill(`.agent/skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: x.\n---\n${name}`);
    assert.deepEqual(usedPaths(named('As'), named('as')), ['.agent/skills/as/SKILL.md']);
  });

  it('prefer the workspace, then the nearest parent folder, then the home folder', () => {
    const above = (folder: string): Skill =>
      skill(`${folder}/AGENTS.md`, folder, { root: 'above', below: 'AGENTS.md' });
    assert.deepEqual(usedPaths(above('/r'), above('/r/p')), ['/r/p/AGENTS.md']);
    const text = '---\nname: pdf\ndescription: x\n---\n';
    const below = '.agents/skills/pdf/SKILL.md';
    const home = skill(`/h/${below}`, `${text}home`, { root: 'home', below });
    const higher = skill(`/very/long/way/r/${below}`, `${text}above`, { root: 'above', below });
    assert.deepEqual(usedPaths(home, higher), [higher.path]);
    assert.deepEqual(usedPaths(home, higher, skill('a/b/c/d/.claude/skills/pdf/SKILL.md', `${text}own`)), [
      'a/b/c/d/.claude/skills/pdf/SKILL.md',
    ]);
  });

  it('include rules and commands of the same name from different folders', () => {
    assert.deepEqual(usedPaths(skill('.agent/style.md', 'Root.'), skill('packages/a/.agent/style.md', 'A.')), [
      '.agent/style.md',
      'packages/a/.agent/style.md',
    ]);
    const second = (below: string): Skill => skill(`two/${below}`, `Second ${below}`, { folder: 'two', below });
    assert.equal(
      usedPaths(
        skill('AGENTS.md', 'First.'),
        skill('.cursorrules', 'Cursor.'),
        second('AGENTS.md'),
        second('.cursorrules'),
      ).length,
      4,
    );
    const command = (folder: string): Skill =>
      skill(`${folder}.agent/release.md`, `---\ninputs: [version]\n---\n${folder}`);
    assert.deepEqual(
      usedSkills(listSkills([command('packages/a/'), command('')])).map((each) => [each.path, commandName(each)]),
      [
        ['.agent/release.md', 'release'],
        ['packages/a/.agent/release.md', 'packages/a:release'],
      ],
    );
  });
});
