import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { SkillFiles } from '../../../src/adapters/skills/skillFiles';
import { SkillReviews } from '../../../src/adapters/skills/skillReviews';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

describe('skill files', () => {
  let workspace: TemporaryWorkspace;
  let kept: string;
  beforeEach(() => {
    workspace = temporaryWorkspace('work');
    kept = path.join(workspace.root, '../reviews');
  });
  afterEach(() => workspace.stop());

  const files = (): SkillFiles =>
    new SkillFiles({ folders: [workspace.root], home: path.join(workspace.root, 'nobody') }, new SkillReviews(kept));

  it('over 1 MB are not used or reviewed, and do not affect others', async () => {
    workspace.place('AGENTS.md', 'x'.repeat(1_100_000));
    workspace.place('CLAUDE.md', 'Be kind.');
    for (const time of ['first', 'second'])
      assert.deepEqual(
        (await files().listUsed('gpt')).map(({ path }) => path),
        ['CLAUDE.md'],
        time,
      );
    const [large] = await files().listAll();
    assert.match(large!.unused!, /^The file has 1,100,000 bytes\. Files over 1 MB are not read\.$/);
    assert.deepEqual(Object.keys(JSON.parse(fs.readFileSync(path.join(kept, 'hashes.json'), 'utf8')) as object), [
      path.join(fs.realpathSync(workspace.root), 'CLAUDE.md'),
    ]);
    new SkillReviews(kept).agree([files().toReviewable(large!.skill)]);
    assert.deepEqual(fs.readdirSync(path.join(kept, 'texts')).length, 1);
  });

  it('without read permission are listed with the reason, do not affect others, and are used once readable', async function () {
    if (process.getuid?.() === 0 || process.platform === 'win32') this.skip();
    workspace.place('AGENTS.md', 'Be bold.');
    workspace.place('CLAUDE.md', 'Be kind.');
    fs.chmodSync(path.join(workspace.root, 'AGENTS.md'), 0);
    const skills = files();
    const [first] = await skills.listAll();
    assert.deepEqual(
      [first!.skill.path, first!.skill.problems.map(({ severity, code }) => `${severity} ${code}`)],
      ['AGENTS.md', ['error not-permitted']],
    );
    assert.match(first!.unused!, /denied access to AGENTS\.md/);
    assert.deepEqual(
      (await skills.listUsed('gpt')).map(({ path }) => path),
      ['CLAUDE.md'],
    );
    fs.chmodSync(path.join(workspace.root, 'AGENTS.md'), 0o600);
    skills.changed();
    assert.deepEqual(
      (await skills.listUsed('gpt')).map(({ path }) => path),
      ['AGENTS.md'],
    );
  });

  it('are found through links inside the workspace or in the home folder, but not through links out of it', async () => {
    const text = (name: string): string => `---\nname: ${name}\ndescription: d\n---\nText.`;
    workspace.place('../outside/skills/out/SKILL.md', text('out'));
    workspace.place('own/skills/own/SKILL.md', text('own'));
    workspace.place('../home/README.md', '');
    fs.symlinkSync(path.join(workspace.root, '../outside'), path.join(workspace.root, '.agents'));
    fs.symlinkSync('own', path.join(workspace.root, '.claude'));
    assert.deepEqual(
      (await files().listAll()).map(({ skill }) => skill.name),
      ['own'],
    );
    const home = path.join(workspace.root, '../home');
    fs.symlinkSync(path.join(workspace.root, '../outside'), path.join(home, '.agents'));
    assert.deepEqual(
      (await new SkillFiles({ folders: [workspace.root], home }).listAll()).map(({ skill }) => skill.name),
      ['own', 'out'],
    );
  });

  it('are not searched for in folders that Git ignores, except in the known folders at the top', async () => {
    workspace.place('.gitignore', '.agent\n.claude\nbuild\nCLAUDE.md\n');
    for (const folder of ['', 'below/', 'build/']) {
      workspace.place(`${folder}.agent/rules/rule.md`, 'Be kind.');
      workspace.place(`${folder}.claude/commands/call.md`, 'Be kind.');
      workspace.place(`${folder}CLAUDE.md`, `Be kind in ${folder}.`);
    }
    fs.mkdirSync(path.join(workspace.root, '.git'));
    assert.deepEqual(
      (await files().listAll()).map(({ skill }) => skill.path),
      ['.agent/rules/rule.md', '.claude/commands/call.md', 'CLAUDE.md', 'below/CLAUDE.md'],
    );
  });

  it('of two folders with the same display path are told apart', async () => {
    for (const [file, text] of [
      ['second/a.agent', 'Inner.'],
      ['second/AGENTS.md', 'Inner rules.'],
      ['../second/a.agent', 'Outer.'],
      ['../second/AGENTS.md', 'Outer rules.'],
      ['../far/second/AGENTS.md', 'Far rules.'],
    ] as const)
      workspace.place(file, text);
    const folders = ['.', '../second', '../far/second'].map((name) => path.join(workspace.root, name));
    for (const time of ['first', 'second', 'third']) {
      const skills = new SkillFiles({ folders, home: path.join(workspace.root, 'nobody') }, new SkillReviews(kept));
      const used = await skills.listUsed('');
      assert.deepEqual(await skills.waiting(''), [], time);
      assert.equal(new Set(used.map((skill) => skill.path)).size, 5, time);
      for (const skill of used) assert.equal(fs.readFileSync(skills.fileOf(skill)!, 'utf8'), skill.source, time);
      assert.deepEqual(
        used.map((skill) => skill.path).filter((shown) => !path.isAbsolute(shown)),
        ['second/a.agent', 'second/AGENTS.md'],
        time,
      );
    }
  });

  it('are shown with the name of their folder if it is unique', async () => {
    workspace.place('../second/AGENTS.md', 'Rules.');
    workspace.place('../far/second/AGENTS.md', 'Far rules.');
    const folders = ['.', '../second', '../far/second'].map((name) => path.join(workspace.root, name));
    const skills = await new SkillFiles({ folders, home: path.join(workspace.root, 'nobody') }).listUsed('');
    const far = fs.realpathSync(folders[2]!);
    assert.deepEqual(
      skills.map((skill) => [skill.path, skill.base]),
      [
        ['second/AGENTS.md', 'second'],
        [path.join(far, 'AGENTS.md'), far],
      ],
    );
  });

  it('in the home folder and parent folders are found again after changes', async () => {
    const text = (words: string): string => `---\nname: mine\ndescription: ${words}\n---\nText.`;
    const repository = path.join(workspace.root, 'repository');
    const skills = new SkillFiles({
      folders: [path.join(repository, 'inner')],
      home: path.join(workspace.root, 'home'),
    });
    const descriptions = async (): Promise<string[]> =>
      (await skills.listUsed('')).map(({ description, body }) => description || body);
    workspace.place('repository/.git/HEAD', '');
    workspace.place('repository/inner/a.txt', '');
    assert.equal(await skills.lookOutside(), false, 'nothing was asked for yet');
    assert.deepEqual(await descriptions(), []);
    const steps: readonly (readonly [change: () => void, expected: readonly string[]])[] = [
      [() => workspace.place('home/.agents/skills/mine/SKILL.md', text('old')), ['old']],
      [() => workspace.place('home/.agents/skills/mine/SKILL.md', text('newer')), ['newer']],
      [() => workspace.place('repository/AGENTS.md', 'Above.'), ['Above.', 'newer']],
      [() => fs.rmSync(path.join(workspace.root, 'home/.agents'), { recursive: true }), ['Above.']],
    ];
    for (const [change, expected] of steps) {
      change();
      assert.equal(await skills.lookOutside(), true);
      assert.deepEqual((await descriptions()).sort(), expected);
      assert.equal(await skills.lookOutside(), false);
    }
  });

  it('show a page as at its first use, and a changed page only after review', async () => {
    workspace.place('.claude/skills/tool/SKILL.md', '---\nname: tool\ndescription: d\n---\nText.');
    const page = '.claude/skills/tool/references/a.md';
    workspace.place(page, 'Ask first.');
    workspace.place('.claude/skills/tool/references/unread.md', 'Never read.');
    const read = async (skills: SkillFiles): Promise<string> =>
      skills.resource((await skills.listUsed(''))[0]!, 'references/a.md');
    for (const time of ['first', 'second']) assert.equal(await read(files()), 'Ask first.', time);
    assert.deepEqual(await files().waiting(''), []);
    workspace.place(page, 'Never ask.');
    workspace.place('.claude/skills/tool/references/unread.md', 'Other.');
    const skills = files();
    await assert.rejects(read(skills), {
      message:
        '"references/a.md" of the skill tool has changed since it was last used, so it is not shown until the user reviews the change, with "Waymark: Review Changed Skills" in VS Code or with "waymark skills --review". Continue without it, and say so.',
    });
    assert.deepEqual(
      (await skills.listUsed('')).map(({ name }) => name),
      ['tool'],
      'the skill itself did not change',
    );
    for (const time of ['first', 'second']) {
      const [waiting, ...more] = await skills.waiting('');
      assert.deepEqual(
        [waiting?.path, waiting?.source, skills.agreedText(waiting!), more],
        [page, 'Never ask.', 'Ask first.', []],
        time,
      );
      assert.equal(skills.fileOf(waiting!), path.join(fs.realpathSync(workspace.root), page));
    }
    skills.agree(await skills.waiting(''));
    assert.deepEqual(
      [await skills.waiting(''), await read(skills), await read(files())],
      [[], 'Never ask.', 'Never ask.'],
    );
    fs.rmSync(path.join(workspace.root, page));
    assert.deepEqual(await files().waiting(''), [], 'what is gone waits for nobody');
  });

  it('keep an approval that another process stored meanwhile', () => {
    const [here, there] = [new SkillReviews(kept), new SkillReviews(kept)];
    const skill = { path: 'elsewhere/SKILL.md', hash: 'first', source: 'First.' };
    assert.equal(here.hashOf(skill), undefined);
    there.agree([{ ...skill, hash: 'second', source: 'Second.' }]);
    here.use([skill]);
    assert.deepEqual([here.hashOf(skill), here.textOf(skill)], ['second', 'Second.']);
  });

  it('are used if approvals cannot be stored, and still need review after a change', async () => {
    workspace.place('AGENTS.md', 'Be kind.');
    workspace.place('other.agent', 'Be bold.');
    fs.writeFileSync(kept, 'a file where the folder would be');
    const skills = files();
    assert.equal((await skills.listUsed('')).length, 2);
    workspace.place('AGENTS.md', 'Be unkind.');
    skills.changed();
    assert.deepEqual(
      (await skills.listUsed('')).map(({ path }) => path),
      ['other.agent'],
    );
  });
});
