import { strict as assert } from 'node:assert';
import path from 'node:path';
import type { SkillSource } from '../../../api/waymark';
import { SkillFiles } from '../../../src/adapters/skills/skillFiles';
import { SkillReviews } from '../../../src/adapters/skills/skillReviews';
import { contributedSkills } from '../../../src/extension/contributed/contributedSkills';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

const by = { id: 'a.teacher', name: 'Teacher' };
const release = { name: 'release', description: 'How a release is made.', text: 'Tag it.', triggers: ['ship'] };
const from = (find: SkillSource['find'], problems: string[] = []) =>
  contributedSkills({ all: [{ by, value: { find } }] }, (words) => problems.push(words));

describe('the skills of another extension', () => {
  it('work like those of a repository and name their extension', async () => {
    const [skill] = await from(() => [release]);
    assert.deepEqual(
      { name: skill!.name, kind: skill!.kind, path: skill!.path, body: skill!.body, triggers: skill!.triggers },
      { name: 'release', kind: 'skill', path: 'extension:a.teacher/release', body: 'Tag it.', triggers: ['ship'] },
    );
    assert.match(skill!.hash, /^[0-9a-f]{64}$/);
  });

  it('are skipped one by one if they are invalid', async () => {
    const problems: string[] = [];
    const skills = await from(
      async () => [
        release,
        { ...release, name: 'Not A Name' },
        { ...release, name: 'empty', text: ' ' },
        null as never,
        { ...release, name: 'words', triggers: [7] as never },
      ],
      problems,
    );
    assert.deepEqual(
      skills.map(({ name }) => name),
      ['release'],
    );
    assert.equal(problems.length, 4);
    assert.match(problems[0]!, /Skipped a skill of Teacher \(a\.teacher\)\. Its name is "Not A Name"/);
  });

  it('are ignored if their source fails, and the problem is reported', async () => {
    const problems: string[] = [];
    assert.deepEqual(
      await from(() => {
        throw new Error('Not now.');
      }, problems),
      [],
    );
    assert.deepEqual(await from(async () => 'none' as never, problems), []);
    assert.match(problems.join(), /Not now\..*not return a list/);
  });

  describe('beside those of the folder', () => {
    let workspace: TemporaryWorkspace;
    beforeEach(() => {
      workspace = temporaryWorkspace();
    });
    afterEach(() => workspace.stop());
    const teaching = (find: SkillSource['find']) =>
      new SkillFiles(
        { folders: [workspace.root], home: path.join(workspace.root, 'nobody') },
        new SkillReviews(path.join(workspace.root, '.kept')),
        () => from(find),
      );

    it('come last, have no files, and after a change wait for a person to review them', async () => {
      workspace.place('.agents/skills/release/SKILL.md', '---\nname: release\ndescription: Ours.\n---\nOurs.\n');
      const files = teaching(() => [release, { ...release, name: 'other' }]);
      const used = await files.listUsed('');
      assert.deepEqual(
        used.map(({ name, body }) => [name, body]),
        [
          ['release', 'Ours.'],
          ['other', 'Tag it.'],
        ],
      );
      assert.deepEqual(await files.resources(used[1]!), []);
      await assert.rejects(files.resource(used[1]!, '../secret'), /has no file/);
      const later = teaching(() => [release, { ...release, name: 'other', text: 'Do something else.' }]);
      assert.deepEqual(
        (await later.listUsed('')).map(({ name }) => name),
        ['release'],
      );
      assert.match(
        (await later.listAll()).find(({ skill }) => skill.name === 'other')!.unused!,
        /has changed since it was last used/,
      );
    });
  });
});
