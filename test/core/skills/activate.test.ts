import assert from 'node:assert/strict';
import { skillsActivatedBy, activatedSkillText } from '../../../src/core/skills/activate';
import { parseSkillCall } from '../../../src/core/skills/commandInputs';
import { skillsPrompt } from '../../../src/core/skills/skillsPrompt';
import { readSkill } from '../../../src/core/skills/readSkill';
import type { Skill } from '../../../src/core/ports/skill';

const skill = (path: string, text: string): Skill => readSkill({ path, text, hash: path })!;
const never = new Set<string>();
const wakes = (one: Skill, message: string): boolean => skillsActivatedBy({ message }, [one], never).length > 0;

describe('the trigger of a skill', () => {
  const docker = skill('docker.agent', '---\ntriggers: [docker, npm audit, "C++", "/deploy"]\n---\nUse podman.');

  for (const message of [
    'Run docker now',
    'DOCKER',
    'with (docker).',
    'npm  audit please',
    'npm\naudit',
    'in C++ and C',
    'docker-compose up',
    'please /deploy it',
    'é docker é',
  ]) {
    it(`matches ${JSON.stringify(message)}`, () => assert.ok(wakes(docker, message)));
  }
  for (const message of ['dockerise', 'my_docker', 'édocker', 'docker2', 'npm-audit', 'C+', 'deploy', '']) {
    it(`does not match ${JSON.stringify(message)}`, () => assert.ok(!wakes(docker, message)));
  }

  const spoken: [trigger: string, said: string[], unsaid: string[]][] = [
    ['部署', ['请部署这个服务', '部署', 'ok部署2'], ['部門', '署部']],
    ['デプロイ', ['本番にデプロイして', 'ﾃﾞﾌﾟﾛｲして', 'デプロイ'.normalize('NFD')], ['デモ']],
    ['ทดสอบ', ['ช่วยทดสอบระบบ'], ['ทด สอบ']],
    ['กา', ['ชงกาแฟ'], ['ก่า', 'กา่']],
    ['배포', ['배포를 해줘', '이제 배포해', 'v2배포'], ['재배포 해줘']],
    [
      'deploy',
      ['请deploy这个', 'deploy해줘', 'これをdeployする', 'ＤＥＰＬＯＹ'],
      ['redeployment', 'deployед', 'déploy'],
    ],
    ['Prüfung', ['die PRÜFUNG', 'prüfung'.normalize('NFD')], ['Prufung', 'Überprüfung']],
    ['Straße', ['STRASSE frei', 'strasse'], ['Strasen']],
    ['ΟΔΟΣ', ['η οδος', 'οδοσ'], ['οδοσα']],
    ['развёртывание', ['РАЗВЁРТЫВАНИЕ', 'развёртывание'.normalize('NFD')], ['развёртываниеми']],
    ['istanbul', ['İSTANBUL', 'ISTANBUL', 'ıstanbul'], ['istanbulu']],
    ['तैनात', ['इसे तैनात करो'], ['तैनाती']],
    ['🚀', ['ship it🚀now', '🚀️'], ['ship it']],
  ];
  for (const [trigger, said, unsaid] of spoken) {
    it(`matches in any script, case and normalization: ${trigger}`, () => {
      const one = skill('one.agent', `---\ntriggers: ["${trigger}"]\n---\nText.`);
      for (const message of said) assert.ok(wakes(one, message), message);
      for (const message of unsaid) assert.ok(!wakes(one, message), message);
    });
  }

  it('matches a touched file below the folder of the skill', () => {
    const rule = skill('packages/a/.agent/style.md', '---\npaths: ["src/**/*.ts", "*.css"]\n---\nNo default exports.');
    const by = (touched: string) =>
      skillsActivatedBy({ touched: [touched] }, [rule], never).map(({ cause }) => cause.what);
    assert.deepEqual(by('packages/a/src/deep/x.ts'), ['packages/a/src/deep/x.ts']);
    assert.deepEqual(by('packages/a/any/where/x.css'), ['packages/a/any/where/x.css']);
    assert.deepEqual([by('src/x.ts'), by('packages/ab/src/x.ts'), by('packages/a/src/x.js')], [[], [], []]);
  });

  it('activates a skill once, but a command on every call', () => {
    const awake = new Set([docker.path]);
    assert.deepEqual(skillsActivatedBy({ message: 'docker' }, [docker], awake), []);
    const release = skill('.agent/release.md', '---\ninputs: [version]\n---\nTag ${version}.');
    assert.equal(skillsActivatedBy({ message: '/release 1.0' }, [release], new Set([release.path])).length, 1);
  });
});

describe('a command', () => {
  const release = skill(
    '.agent/release.md',
    '---\nname: Make Release\ninputs:\n  - {name: version, description: such as 1.2.3}\n  - {name: notes, default: none}\n---\nTag ${version} with ${notes}; ${other} stays.',
  );
  const text = (message: string): string => {
    const [woken] = skillsActivatedBy({ message }, [release], never);
    return activatedSkillText(woken!.skill, woken!.cause, message);
  };

  it('takes values by name and position, and the last input takes the rest', () => {
    assert.deepEqual(parseSkillCall('/make-release 1.2.3 first line of notes', [release])!.values, {
      version: '1.2.3',
      notes: 'first line of notes',
    });
    assert.deepEqual(parseSkillCall('/make-release notes="two words" 2.0.0', [release])!.values, {
      version: '2.0.0',
      notes: 'two words',
    });
    assert.deepEqual(parseSkillCall('/make-release 1.0', [release])!.values, { version: '1.0', notes: 'none' });
    assert.equal(parseSkillCall('/other 1.0', [release]), undefined);
    assert.equal(parseSkillCall('text before /make-release 1.0', [release]), undefined);
  });

  it('inserts values, and tells the model to ask for missing ones', () => {
    assert.match(text('/make-release 1.2.3'), /Tag 1\.2\.3 with none; \$\{other\} stays\.$/);
    assert.match(
      text('/make-release'),
      /Tag \$\{version\} with none;[\s\S]*\[Not given: version \(such as 1\.2\.3\)\. Ask the user before you begin\.\]$/,
    );
  });

  it('inserts $& and $1 literally', () => {
    assert.match(text('/make-release $& $1'), /Tag \$& with \$1;/);
  });
});

describe('the system prompt', () => {
  it('uses at most 60 tokens per skill, however long the description is', () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      skill(
        `.agent/skills/skill-${index}/SKILL.md`,
        `---\nname: skill-${index}\ndescription: ${'word '.repeat(200)}\n---\nBody.`,
      ),
    );
    const words = skillsPrompt(many, { useSkill: true, delegate: true });
    assert.ok(words.length / 4 <= 60 * 100 + 20, `${words.length} characters`);
    assert.equal(words.split('\n').length, 101);
  });

  it('contains instructions and a line per skill, without skills that the model may not use', () => {
    const words = skillsPrompt(
      [
        skill('AGENTS.md', 'Be kind.'),
        skill('.agent/skills/pdf/SKILL.md', '---\nname: pdf\ndescription: Reads\n  files.\n---\nSecret body.'),
        skill(
          '.agent/skills/own/SKILL.md',
          '---\nname: own\ndescription: Mine.\ndisable-model-invocation: true\n---\nBody.',
        ),
        skill('x.agent', '---\ntriggers: [x]\n---\nOnly on x.'),
      ],
      { useSkill: true, delegate: false },
    );
    assert.match(words, /# AGENTS\.md\n\nBe kind\./);
    assert.match(words, /- pdf: Reads files\.$/);
    assert.doesNotMatch(words, /Secret body|own|Only on x/);
  });
});

describe('a command of another agent', () => {
  const commit = skill(
    '.claude/commands/commit.md',
    '---\ndescription: Commit\n---\nCommit with "$ARGUMENTS" and $& once.',
  );
  const read = (message: string): string =>
    activatedSkillText(commit, skillsActivatedBy({ message }, [commit], never)[0]!.cause, message);
  it('receives its arguments in $ARGUMENTS', () => {
    assert.match(read('/commit mend $& it'), /Commit with "mend \$& it" and \$& once\./);
    assert.match(read('/commit'), /Commit with "" and/);
  });
});
