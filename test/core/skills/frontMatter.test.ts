import assert from 'node:assert/strict';
import { skillsActivatedBy } from '../../../src/core/skills/activate';
import { readSkill } from '../../../src/core/skills/readSkill';
import type { Skill } from '../../../src/core/ports/skill';

const rule = (front: string): Skill =>
  readSkill({ path: '.agent/rule.md', text: `---\n${front}\n---\nBody.`, hash: '' })!;
const problems = (skill: Skill): string[] =>
  skill.problems.map(
    ({ code, from, to }) =>
      `${code} ${from.line}:${from.column}-${to.line === from.line ? '' : `${to.line}:`}${to.column}`,
  );

/** Returns the file after its first quick fix. */
function fixed({ source, problems: [first] }: Skill): string {
  const offset = (position: { readonly line: number; readonly column: number }): number =>
    source
      .split('\n')
      .slice(0, position.line - 1)
      .join('\n').length +
    (position.line > 1 ? 1 : 0) +
    position.column -
    1;
  const { from, to, text } = first!.fix!;
  return source.slice(0, offset(from)) + text + source.slice(offset(to));
}

describe('front matter with an unquoted "*"', () => {
  const rows: [what: string, front: string, paths: string[], problem: string][] = [
    ['a glob', 'name: ts\npaths: **/*.ts', ['**/*.ts'], 'yaml-quotes 3:8-15'],
    ['a glob before a comment', 'paths: *.ts # all of it', ['*.ts'], 'yaml-quotes 2:8-12'],
    ['a single star', 'paths: *', ['*'], 'yaml-quotes 2:8-9'],
    ['an entry on its own line', 'paths:\n  - *.ts\n  - src/**', ['*.ts', 'src/**'], 'yaml-quotes 3:5-9'],
    [
      'an entry in brackets',
      'paths: ["a, *b", **/*.{js,ts}, src/*.c] # three',
      ['a, *b', '**/*.{js,ts}', 'src/*.c'],
      'yaml-quotes 2:18-30',
    ],
    ['an excluding glob', 'paths:\n  - "*.ts"\n  - !*.d.ts # types', ['*.ts', '!*.d.ts'], 'yaml-quotes 4:5-12'],
    ['an excluded name', 'paths: ["**", !node_modules]', ['**', '!node_modules'], 'yaml-quotes 2:15-28'],
    ['an entry with Windows line endings', 'paths:\r\n  - *.ts\r', ['*.ts'], 'yaml-quotes 3:5-9'],
  ];
  for (const [what, front, paths, problem] of rows) {
    it(`is read as intended, and the quick fix removes the problem: ${what}`, () => {
      const read = rule(front);
      assert.deepEqual([read.kind, read.paths, problems(read)], ['paths', paths, [problem]]);
      const mended = readSkill({ path: read.path, text: fixed(read), hash: '' })!;
      assert.deepEqual([mended.paths, mended.problems], [paths, []], 'the quick fix mends it');
    });
  }

  for (const [line, triggers] of [
    ['deploy, release', ['deploy', 'release']],
    ['"deploy, release"', ['deploy, release']],
    ['"npm audit, fix", release', ['npm audit, fix', 'release']],
    ["don't, won't", ["don't", "won't"]],
    ['*deploy, release,', ['*deploy', 'release']],
    ['{keywords: "a, b"}', ['a', 'b']],
    ['[deploy, "a, b"]', ['deploy', 'a, b']],
    ['deploy', ['deploy']],
  ] as const) {
    it(`splits triggers at commas outside quotes: ${line}`, () =>
      assert.deepEqual(rule(`triggers: ${line}`).triggers, triggers));
  }
  it('keeps triggers and descriptions that start with "*"', () => {
    assert.deepEqual(rule('triggers: *deploy').triggers, ['*deploy']);
    const skill = readSkill({
      path: '.agent/skills/pdf/SKILL.md',
      text: '---\nname: pdf\ndescription: *nice\n---\nBody.',
      hash: '',
    })!;
    assert.deepEqual([skill.name, skill.description, problems(skill)], ['pdf', '*nice', ['yaml-quotes 3:14-19']]);
  });

  it('resolves valid aliases and keeps multi-line texts', () => {
    const read = rule('words: &w [a]\ntriggers: *w\ndescription: |\n  - *bold* words: x\npaths: *.ts');
    assert.deepEqual(
      [read.fields['triggers'], read.fields['description'], read.paths],
      [['a'], '- *bold* words: x\n', ['*.ts']],
    );
  });
});

describe('front matter with invalid or unusual YAML', () => {
  const rows: [what: string, front: string, fields: Readonly<Record<string, unknown>>, problems: string[]][] = [
    [
      'a text of two lines with a colon',
      'description: Use when: it\n  rains\n\n  or snows\nlicense: MIT',
      { description: 'Use when: it rains\nor snows', license: 'MIT' },
      ['yaml-quotes 2:14-5:11'],
    ],
    [
      'a text whose second line has a colon',
      'description: Reads.\n  Note: slow.\nlicense: MIT',
      { description: 'Reads. Note: slow.', license: 'MIT' },
      ['yaml-quotes 2:14-3:14'],
    ],
    [
      'a partly quoted text',
      'description: "Fast" and good',
      { description: '"Fast" and good' },
      ['yaml-quotes 2:14-29'],
    ],
    ['an apostrophe in quotes', "description: 'It's good'", { description: "It's good" }, ['yaml-quotes 2:14-25']],
    ['several quoted texts', 'globs: "a", "b"', { globs: '"a", "b"' }, ['yaml-quotes 2:8-16']],
    [
      'a quoted multi-line text',
      'description: "one\n  two: three"\nlicense: MIT',
      { description: 'one two: three', license: 'MIT' },
      [],
    ],
    [
      'tabs',
      'metadata:\n\tauthor: me\n\ttags:\n\t\t- a',
      { metadata: { author: 'me', tags: ['a'] } },
      ['yaml-indent 3:1-2', 'yaml-indent 4:1-2', 'yaml-indent 5:1-3'],
    ],
    ['non-breaking spaces', 'metadata:\n\u00A0\u00A0author: me', { metadata: { author: 'me' } }, ['yaml-indent 3:1-3']],
    ['a reused value', 'base: &b {x: 1}\nmore:\n  <<: *b\n  y: 2', { base: { x: 1 }, more: { x: 1, y: 2 } }, []],
    [
      'values without a JSON equivalent',
      'id: 12345678901234567890\nmost: .inf\nnone: .nan',
      { id: '12345678901234567890', most: '.inf', none: '.nan' },
      [],
    ],
    [
      'dates and boolean words',
      'day: 2026-01-02\nyes: no\ntrue: Yes',
      { day: '2026-01-02', yes: 'no', true: 'Yes' },
      [],
    ],
    ['JSON over several lines', 'metadata:\n  {\n    "a": { "b": [1, ], },\n  }', { metadata: { a: { b: [1] } } }, []],
    [
      'globs that start with a brace',
      'globs: {src,test}/**/*.ts',
      { globs: '{src,test}/**/*.ts' },
      ['yaml-quotes 2:8-26'],
    ],
    ['a comment after the end marker', 'a: 1\n--- # end', { a: 1 }, []],
  ];
  for (const [what, front, fields, told] of rows) {
    it(`keeps every field, and quick fixes remove its problems: ${what}`, () => {
      const read = rule(front);
      assert.deepEqual(
        [{ ...read.fields }, Object.keys(read.fields), problems(read)],
        [fields, Object.keys(fields), told],
      );
      let mended = read;
      for (let times = 0; mended.problems.length > 0 && times < 5; times++)
        mended = readSkill({ path: read.path, text: fixed(mended), hash: '' })!;
      assert.deepEqual([{ ...mended.fields }, mended.problems], [fields, []]);
    });
  }
  it('keeps texts such as 1.10 and 0x1F as written', () => {
    const read = rule('name: 1.10\ndescription: 0x1F\ntriggers: [007, yes, 2.0]\n');
    assert.deepEqual([read.name, read.description, read.triggers], ['1.10', '0x1F', ['007', 'yes', '2.0']]);
    assert.deepEqual(rule('inputs:\n  - name: version\n    default: 1.10').inputs, [
      { name: 'version', description: '', fallback: '1.10' },
    ]);
    const year = readSkill({
      path: '.agent/skills/2026/SKILL.md',
      text: '---\nname: 2026\ndescription: d\n---\nBody.',
      hash: '',
    })!;
    assert.deepEqual([year.name, year.problems], ['2026', []]);
  });
  it('accepts capitalized field names and several words for true', () => {
    assert.deepEqual([rule('Triggers: [x]\nName: q').kind, rule('Triggers: [x]\nName: q').name], ['keyword', 'q']);
    assert.deepEqual(problems(rule('Triggers: [[x]]')), ['triggers 2:11-16', 'by-hand 1:1-1']);
    const skill = (said: string): Skill =>
      readSkill({
        path: '.agent/skills/a/SKILL.md',
        text: `---\nname: a\ndescription: d\ndisable-model-invocation: ${said}\n---\n`,
        hash: '',
      })!;
    assert.deepEqual(
      ['true', 'yes', 'On', '"true"', 'false', 'no', ''].map((said) => skill(said).modelMayUse),
      [false, false, false, false, true, true, true],
    );
  });
  it('keeps a tool and its permissions together', () => {
    const persona = readSkill({
      path: '.agent/agents/p.md',
      text: '---\nname: p\ndescription: d\ntools: Read, Bash(git log:*, git diff:*) Grep\n---\nYou.',
      hash: '',
    })!;
    assert.deepEqual(persona.persona!.tools, ['Read', 'Bash(git log:*, git diff:*)', 'Grep']);
  });
});

describe('front matter that does not start the file', () => {
  const ruleIn = (text: string): Skill => readSkill({ path: '.agent/a.md', text, hash: '' })!;
  for (const [what, before, at] of [
    ['after empty lines', '\n\n---', '3:1-4'],
    ['after a space', ' ---', '1:2-5'],
    ['with four dashes', '----', '1:1-5'],
    ['after a line of spaces', '  \r\n---', '2:1-4'],
  ]) {
    it(`is read, and reported with a quick fix: ${what}`, () => {
      const read = ruleIn(`${before}\ntriggers: [x]\n---\nBody.`);
      assert.deepEqual(
        [read.kind, read.triggers, read.body, problems(read)],
        ['keyword', ['x'], 'Body.', [`front-matter-late ${at}`]],
      );
      assert.deepEqual([fixed(read), problems(ruleIn(fixed(read)))], [`---\ntriggers: [x]\n---\nBody.`, []]);
      assert.deepEqual(problems(readSkill({ path: 'AGENTS.md', text: read.source, hash: '' })!), []);
    });
  }
  it('has problems at their positions in the file', () =>
    assert.deepEqual(problems(ruleIn('\n\n---\nname: a\npaths: [../b]\n---\nBody.')), [
      'front-matter-late 3:1-4',
      'paths-outside 5:8-14',
      'by-hand 1:1-1',
    ]));
  it('gets a missing name below its opening line', () => {
    const skill = (text: string): Skill => readSkill({ path: '.agent/skills/pdf/SKILL.md', text, hash: '' })!;
    const broken = skill('\n---\ndescription: d\n---\nBody.');
    const { fix } = broken.problems.find(({ code }) => code === 'name-missing')!;
    assert.deepEqual([fix!.from, fix!.text], [{ line: 3, column: 1 }, 'name: pdf\n']);
  });
  it('after a comment is reported and does not turn the file into instructions', () => {
    const read = ruleIn('<!-- of a\nprogram -->\n---\ntriggers: [x]\n---\nBody.');
    assert.deepEqual([read.kind, problems(read)], ['command', ['front-matter-late 3:1-4', 'by-hand 1:1-1']]);
    assert.deepEqual(problems(readSkill({ path: 'AGENTS.md', text: read.source, hash: '' })!), []);
  });
  it('is not assumed for lines without fields', () =>
    assert.deepEqual(problems(readSkill({ path: '.agent/a.md', text: '\n---\nProse.\n---\nMore.', hash: '' })!), []));
});

describe('a file that starts with "---"', () => {
  const whole = '---\nBe kind, always.\n---\nMore.';
  const bodies: [what: string, path: string, text: string, body: string][] = [
    ['prose between two lines', 'AGENTS.md', whole, whole],
    ['prose between two lines, in a rule', '.agent/a.md', whole, whole],
    ['headings', 'AGENTS.md', '---\n# Be kind\n---\nMore.', '---\n# Be kind\n---\nMore.'],
    ['a sentence with a colon', 'CLAUDE.md', '---\nNote: be kind.\n---\nMore.', '---\nNote: be kind.\n---\nMore.'],
    ['invalid YAML', 'x.agent', '---\nNote: be: kind.\n\t- a\n---\nMore.', '---\nNote: be: kind.\n\t- a\n---\nMore.'],
    ['fields', 'AGENTS.md', '---\ntitle: x\n---\nMore.', 'More.'],
    ['fields in capitals', '.agent/a.md', '---\nDescription: x\n---\nMore.', 'More.'],
    ['empty front matter', '.agent/a.md', '---\n\n---\nMore.', 'More.'],
    ['invalid fields in instructions', 'AGENTS.md', '---\ntitle: [x\n---\nMore.', '---\ntitle: [x\n---\nMore.'],
  ];
  for (const [what, path, text, body] of bodies)
    it(`is split into front matter and body: ${what}`, () =>
      assert.equal(readSkill({ path, text, hash: '' })!.body, body));
  it('keeps the indentation of its first line, which may be code', () =>
    assert.equal(
      readSkill({ path: 'x.agent', text: '---\ntriggers: [a]\n---\n\n    make\n\n', hash: '' })!.body,
      '    make',
    ));
});

describe('invalid front matter', () => {
  const rows: [what: string, front: string, problem: string][] = [
    ['an unknown alias in a multi-line list', 'name: x\npaths: [\n  *.ts,\n  src/**\n]', 'yaml-alias 4:3-7'],
    ['an alias that refers to itself', 'a: &a [*a]', 'yaml-alias 2:8-10'],
    ['a merge of a plain value', 'name: x\n<<: word', 'yaml-alias 3:1-3'],
    ['a merge of a list within a field', 'name: x\ntools: {<<: [1]}', 'yaml-alias 3:9-11'],
    ['paths that are not texts', 'paths: {a: b}', 'paths 2:8-14'],
  ];
  for (const [what, front, problem] of rows) {
    it(`is reported at its position and does not turn the file into instructions: ${what}`, () => {
      const read = rule(front);
      assert.deepEqual([read.kind, ...problems(read)], ['command', problem, 'by-hand 1:1-1']);
      assert.deepEqual(skillsActivatedBy({ touched: ['a.ts'] }, [read], new Set()), []);
    });
  }
  it('causes no process warning for an object as a key', async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', note);
    rule('? {a: b}\n: c');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    assert.deepEqual(warnings, []);
  });
  it('keeps its other fields', () => assert.equal(rule('name: other\npaths: [\n  *.ts\n]').name, 'other'));
});

describe('a front matter field', () => {
  const told = (path: string, front: string): string[] =>
    readSkill({ path, text: `---\n${front}\n---\nBody.`, hash: '' })!.problems.map(
      ({ severity, message }) => `${severity} ${message}`,
    );

  it('that looks like a known one is reported, and makes a persona unusable', () => {
    const meant = (severity: string, field: string, known: string): string[] => [
      `${severity} Waymark does not read the field "${field}". Did you mean "${known}"?`,
    ];
    assert.deepEqual(told('.agent/a.md', 'trigger: release'), meant('warning', 'trigger', 'triggers'));
    assert.deepEqual(told('.agent/a.md', 'path: src/**'), meant('warning', 'path', 'paths'));
    assert.deepEqual(told('.agent/agents/a.md', 'tool: [Read]'), meant('error', 'tool', 'tools'));
    assert.deepEqual(
      told('.agent/agents/a.md', 'disallowed_tools: [Bash]'),
      meant('error', 'disallowed_tools', 'disallowedTools'),
    );
  });

  it('of another agent, or in other letters, is not reported', () => {
    for (const front of ['trigger: always_on', 'Triggers: [a]', 'mode: agent', 'tools: [x]', 'globs: "*.ts"'])
      assert.deepEqual(told('.agent/a.md', front), [], front);
    for (const front of ['Tools: [Read]', 'permission_mode: always_confirm', 'color: red', 'skills: [a]'])
      assert.deepEqual(told('.agent/agents/a.md', front), [], front);
    assert.deepEqual(told('AGENTS.md', 'trigger: release'), []);
  });
});

describe('path patterns', () => {
  const wakes = (paths: string, touched: string): boolean =>
    skillsActivatedBy({ touched: [touched] }, [rule(`paths: ${paths}`)], new Set()).length > 0;
  it('that start with "!" exclude matches of the others, in any order', () => {
    for (const paths of ['["**/*.ts", "!**/*.d.ts"]', '["!*.d.ts", "**/*.ts"]', '"*.ts, !*.d.ts"']) {
      assert.deepEqual(
        ['a.ts', 'src/b.ts', 'README.md', 'a.d.ts', 'src/a.d.ts'].map((path) => wakes(paths, path)),
        [true, true, false, false, false],
        paths,
      );
    }
    assert.deepEqual([wakes('["!(a|b).ts"]', 'c.ts'), wakes('["!(a|b).ts"]', 'a.ts')], [true, false]);
  });
  for (const [glob, words] of [
    ['./', /"\.\/" matches nothing, so it is not used/],
    ['!', /"!" matches nothing/],
    ['!./', /"!\.\/" matches nothing/],
    ['*'.repeat(7_000), /"\*{59}…" has 7,000 characters/],
    ['*(a|*(b))', /inside another/],
  ] as const) {
    it(`that are invalid are reported at their position and ignored: ${glob.slice(0, 9)}`, () => {
      const read = rule(`paths: ["src/**", "${glob}"]`);
      assert.deepEqual([read.paths, problems(read).map((each) => each.replace(/-.+/, ''))], [['src/**'], ['paths']]);
      assert.match(read.problems[0]!.message, words);
      assert.equal(skillsActivatedBy({ touched: ['src/a.ts'] }, [read], new Set()).length, 1);
      assert.deepEqual(skillsActivatedBy({ touched: ['a.ts'] }, [rule(`paths: ["${glob}"]`)], new Set()), []);
    });
  }
  it('with ten stars do not cause exponential matching', () =>
    assert.ok(!wakes('["*a*a*a*a*a*a*a*a*a*ab"]', 'a'.repeat(60))));
  it('may be quoted separately on one line', () =>
    assert.deepEqual(rule('paths: \'src/**\', "lib/*.{a,b}"').paths, ['src/**', 'lib/*.{a,b}']));
  it('that only exclude match nothing and are reported', () => {
    assert.ok(!wakes('["!**/*.d.ts"]', 'README.md'));
    assert.deepEqual(problems(rule('paths: ["!**/*.d.ts"]')), ['paths-negated 2:8-22']);
  });
});

describe('the quick fix for a missing name', () => {
  const rows: [front: string, folder: string, mended: string][] = [
    ['description: d', 'pdf', 'name: pdf\ndescription: d'],
    ['name:\ndescription: d', 'pdf', 'name: pdf\ndescription: d'],
    ['name: # of the folder\ndescription: d', 'pdf', 'name: pdf # of the folder\ndescription: d'],
    ['description: d\nname: ""', 'pdf', 'description: d\nname: pdf'],
    ['name: ~\ndescription: d', 'pdf', 'name: pdf\ndescription: d'],
    ['name:\r\ndescription: d', '2026', 'name: "2026"\r\ndescription: d'],
  ];
  for (const [front, folder, mended] of rows) {
    it(`leaves a file without problems: ${JSON.stringify(front)}`, () => {
      const skill = (text: string): Skill => readSkill({ path: `.agent/skills/${folder}/SKILL.md`, text, hash: '' })!;
      const broken = skill(`---\n${front}\n---\nBody.`);
      assert.deepEqual(
        broken.problems.map(({ code }) => code),
        ['name-missing'],
      );
      assert.deepEqual([fixed(broken), skill(fixed(broken)).problems], [`---\n${mended}\n---\nBody.`, []]);
    });
  }
});

describe('front matter that is slow to parse', function () {
  // Each of these once took minutes or never finished.
  this.timeout(60_000);
  const within = (open: string, times: number, close = ''): string =>
    `---\npaths: ${open.repeat(times)}${close.repeat(times)}\n---\nBody.`;
  const rows: [what: string, text: string, codes: string[]][] = [
    ['comments', `${'<!-- one -->\n'.repeat(20_000)}Body.`, []],
    ['unclosed comments', '<!-- '.repeat(20_000), []],
    [
      'dashes and spaces',
      `---\nname: a\n${'-'.repeat(50_000)}${' '.repeat(50_000)}x\n---\nBody.`,
      ['front-matter-long', 'by-hand'],
    ],
    [
      'ten thousand fields',
      `---\n${Array.from({ length: 10_000 }, (_, index) => `k${index}: b`).join('\n')}\n---\nBody.`,
      ['front-matter-long', 'by-hand'],
    ],
    ['unclosed nested brackets', within('{', 5_000), ['front-matter-deep', 'by-hand']],
    ['closed nested brackets', within('[', 5_000, ']'), ['front-matter-deep', 'by-hand']],
    ['nested keys', `---\n${'? '.repeat(5_000)}\n---\nBody.`, ['front-matter-deep', 'by-hand']],
  ];
  for (const [what, text, codes] of rows) {
    it(`is reported or treated as text: ${what}`, () => {
      const read = readSkill({ path: '.agent/a.md', text, hash: '' })!;
      assert.deepEqual(
        read.problems.map(({ code }) => code),
        codes,
      );
      if (codes.length > 0) assert.deepEqual([read.kind, read.body], ['command', 'Body.']);
    });
  }
  it('is not reported for 60 consecutive brackets', () =>
    assert.deepEqual(
      problems(rule(`triggers: [${Array.from({ length: 60 }, (_, index) => `"a[${index}]"`).join(', ')}]`)),
      [],
    ));
});
