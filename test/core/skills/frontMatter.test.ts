import assert from 'node:assert/strict';
import { wokenBy } from '../../../src/core/skills/activate';
import { readSkill } from '../../../src/core/skills/readSkill';
import type { Skill } from '../../../src/core/skills/skill';

const rule = (front: string): Skill => readSkill({ path: '.agent/rule.md', text: `---\n${front}\n---\nBody.`, hash: '' })!;
const problems = (skill: Skill): string[] => skill.problems.map(({ code, from, to }) => `${code} ${from.line}:${from.column}-${to.column}`);

/** Its file after its first quick fix. */
function fixed({ source, problems: [first] }: Skill): string {
  const offset = (position: { readonly line: number; readonly column: number }): number => source.split('\n').slice(0, position.line - 1).join('\n').length + (position.line > 1 ? 1 : 0) + position.column - 1;
  const { from, to, text } = first!.fix!;
  return source.slice(0, offset(from)) + text + source.slice(offset(to));
}

describe('front matter with a "*" that is not in quotes', () => {
  const rows: [what: string, front: string, paths: string[], problem: string][] = [
    ['a glob', 'name: ts\npaths: **/*.ts', ['**/*.ts'], 'yaml-quotes 3:8-15'],
    ['a glob before a comment', 'paths: *.ts # all of it', ['*.ts'], 'yaml-quotes 2:8-12'],
    ['a star alone', 'paths: *', ['*'], 'yaml-quotes 2:8-9'],
    ['an entry on a line of its own', 'paths:\n  - *.ts\n  - src/**', ['*.ts', 'src/**'], 'yaml-quotes 3:5-9'],
    ['an entry in brackets', 'paths: ["a, *b", **/*.{js,ts}, src/*.c] # three', ['a, *b', '**/*.{js,ts}', 'src/*.c'], 'yaml-quotes 2:18-30'],
    ['a glob that leaves out', 'paths:\n  - "*.ts"\n  - !*.d.ts # types', ['*.ts', '!*.d.ts'], 'yaml-quotes 4:5-12'],
    ['a name that is left out', 'paths: ["**", !node_modules]', ['**', '!node_modules'], 'yaml-quotes 2:15-28'],
    ['an entry on a line with Windows ends', 'paths:\r\n  - *.ts\r', ['*.ts'], 'yaml-quotes 3:5-9'],
  ];
  for (const [what, front, paths, problem] of rows) {
    it(`is read as it was meant: ${what}`, () => {
      const read = rule(front);
      assert.deepEqual([read.kind, read.paths, problems(read)], ['paths', paths, [problem]]);
      const mended = readSkill({ path: read.path, text: fixed(read), hash: '' })!;
      assert.deepEqual([mended.paths, mended.problems], [paths, []], 'the quick fix mends it');
    });
  }

  it('keeps words that wake it, and a skill its description', () => {
    assert.deepEqual(rule('triggers: *deploy').triggers, ['*deploy']);
    const skill = readSkill({ path: '.agent/skills/pdf/SKILL.md', text: '---\nname: pdf\ndescription: *nice\n---\nBody.', hash: '' })!;
    assert.deepEqual([skill.name, skill.description, problems(skill)], ['pdf', '*nice', ['yaml-quotes 3:14-19']]);
  });

  it('leaves aliases that stand for something, and texts of several lines', () => {
    const read = rule('words: &w [a]\ntriggers: *w\ndescription: |\n  - *bold* words: x\npaths: *.ts');
    assert.deepEqual([read.fields['triggers'], read.fields['description'], read.paths], [['a'], '- *bold* words: x\n', ['*.ts']]);
  });
});

describe('a file that begins with "---"', () => {
  const whole = '---\nBe kind, always.\n---\nMore.';
  const bodies: [what: string, path: string, text: string, body: string][] = [
    ['prose between two lines', 'AGENTS.md', whole, whole], ['prose between two lines, in a rule', '.agent/a.md', whole, whole], ['with headings', 'AGENTS.md', '---\n# Be kind\n---\nMore.', '---\n# Be kind\n---\nMore.'],
    ['a sentence with a colon', 'CLAUDE.md', '---\nNote: be kind.\n---\nMore.', '---\nNote: be kind.\n---\nMore.'], ['what no YAML is', 'x.agent', '---\nNote: be: kind.\n\t- a\n---\nMore.', '---\nNote: be: kind.\n\t- a\n---\nMore.'],
    ['fields', 'AGENTS.md', '---\ntitle: x\n---\nMore.', 'More.'], ['fields in capitals', '.agent/a.md', '---\nDescription: x\n---\nMore.', 'More.'], ['nothing', '.agent/a.md', '---\n\n---\nMore.', 'More.'],
    ['fields that cannot be read, in instructions', 'AGENTS.md', '---\ntitle: [x\n---\nMore.', '---\ntitle: [x\n---\nMore.'],
  ];
  for (const [what, path, text, body] of bodies) it(`keeps ${what}`, () => assert.equal(readSkill({ path, text, hash: '' })!.body, body));
  it('keeps the blanks before its first line, which may be code', () => assert.equal(readSkill({ path: 'x.agent', text: '---\ntriggers: [a]\n---\n\n    make\n\n', hash: '' })!.body, '    make'));
});

describe('front matter that cannot be read', () => {
  const rows: [what: string, front: string, problem: string][] = [
    ['an alias for nothing in a list of several lines', 'name: x\npaths: [\n  *.ts,\n  src/**\n]', 'yaml-alias 4:3-7'],
    ['an alias for itself', 'a: &a [*a]', 'yaml-alias 2:8-10'],
    ['paths that are no texts', 'paths: {a: b}', 'paths 2:8-14'],
  ];
  for (const [what, front, problem] of rows) {
    it(`is told of at its place and never makes a file hold always: ${what}`, () => {
      const read = rule(front);
      assert.deepEqual([read.kind, ...problems(read)], ['command', problem, 'by-hand 1:1-1']);
      assert.deepEqual(wokenBy({ touched: ['a.ts'] }, [read], new Set()), []);
    });
  }
  it('prints nothing, whatever its keys are', async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', note);
    rule('? {a: b}\n: c');
    await new Promise(resolve => setImmediate(resolve));
    process.off('warning', note);
    assert.deepEqual(warnings, []);
  });
  it('does not take away what else it says', () => assert.equal(rule('name: other\npaths: [\n  *.ts\n]').name, 'other'));
});

describe('patterns of paths', () => {
  const wakes = (paths: string, touched: string): boolean => wokenBy({ touched: [touched] }, [rule(`paths: ${paths}`)], new Set()).length > 0;
  it('that begin with "!" leave out what the others match, wherever they stand', () => {
    for (const paths of ['["**/*.ts", "!**/*.d.ts"]', '["!*.d.ts", "**/*.ts"]', '"*.ts, !*.d.ts"']) {
      assert.deepEqual(['a.ts', 'src/b.ts', 'README.md', 'a.d.ts', 'src/a.d.ts'].map(path => wakes(paths, path)), [true, true, false, false, false], paths);
    }
    assert.deepEqual([wakes('["!(a|b).ts"]', 'c.ts'), wakes('["!(a|b).ts"]', 'a.ts')], [true, false]);
  });
  it('that only leave out match nothing, which is told', () => {
    assert.ok(!wakes('["!**/*.d.ts"]', 'README.md'));
    assert.deepEqual(problems(rule('paths: ["!**/*.d.ts"]')), ['paths-negated 2:8-22']);
  });
});

describe('the quick fix for a name that is missing', () => {
  const rows: [front: string, folder: string, mended: string][] = [
    ['description: d', 'pdf', 'name: pdf\ndescription: d'], ['name:\ndescription: d', 'pdf', 'name: pdf\ndescription: d'], ['name: # of the folder\ndescription: d', 'pdf', 'name: pdf # of the folder\ndescription: d'],
    ['description: d\nname: ""', 'pdf', 'description: d\nname: pdf'], ['name: ~\ndescription: d', 'pdf', 'name: pdf\ndescription: d'], ['name:\r\ndescription: d', '2026', 'name: "2026"\r\ndescription: d'],
  ];
  for (const [front, folder, mended] of rows) {
    it(`leaves a file without problems: ${JSON.stringify(front)}`, () => {
      const skill = (text: string): Skill => readSkill({ path: `.agent/skills/${folder}/SKILL.md`, text, hash: '' })!;
      const broken = skill(`---\n${front}\n---\nBody.`);
      assert.deepEqual(broken.problems.map(({ code }) => code), ['name-missing']);
      assert.deepEqual([fixed(broken), skill(fixed(broken)).problems], [`---\n${mended}\n---\nBody.`, []]);
    });
  }
});
