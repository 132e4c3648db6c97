import assert from 'node:assert/strict';
import { narrowByPersona } from '../../../src/core/session/narrowByPersona';
import { personaNamed } from '../../../src/core/skills/personaNamed';
import { listSkills, usedSkills } from '../../../src/core/skills/listSkills';
import { readSkill } from '../../../src/core/skills/readSkill';
import type { Skill } from '../../../src/core/ports/skill';
import { toolsFor } from '../../../src/core/tools/toolsFor';

const persona = (front: string): Skill =>
  readSkill({
    path: '.agent/agents/p.md',
    text: `---\nname: p\ndescription: d\n${front}\n---\nYou are p.`,
    hash: 'h',
  })!;
/** The tools available with an editor. */
const everything = toolsFor({ toolsets: ['default', 'editor'] });
const lookingInEditor = ['find_references', 'go_to_definition', 'document_symbols', 'diagnostics'];
const given = {
  mode: 'confirm',
  confirmation: 'risky',
  limits: { steps: 100, cost: 0, seconds: 600 },
  disabledToolsets: ['delegate'],
} as const;
const left = (one: Skill): string[] =>
  toolsFor({ toolsets: ['default', 'editor'], disabled: narrowByPersona(one, given, everything).disabledToolsets }).map(
    ({ name }) => name,
  );

describe('a persona', () => {
  it('takes the smaller limit of each kind, where 0 is no limit', () => {
    const { limits } = narrowByPersona(persona('limits: { steps: 500, cost: 0.5, seconds: 60 }'), given, everything);
    assert.deepEqual(limits, { steps: 100, cost: 0.5, seconds: 60 });
  });

  it('can only make confirmation stricter', () => {
    const asked = (mode: 'confirm' | 'auto', confirmation: 'always' | 'risky' | 'never', wanted: string): unknown => {
      const own = narrowByPersona(persona(`confirmation: ${wanted}`), { ...given, mode, confirmation }, []);
      return [own.mode, own.confirmation];
    };
    assert.deepEqual(asked('confirm', 'risky', 'always'), ['confirm', 'always']);
    assert.deepEqual(asked('confirm', 'always', 'never'), ['confirm', 'always']);
    assert.deepEqual(asked('confirm', 'risky', 'never'), ['confirm', 'risky']);
    assert.deepEqual(asked('auto', 'risky', 'always'), ['confirm', 'always']);
    assert.deepEqual(asked('auto', 'risky', 'never'), ['auto', 'risky']);
  });

  it('gets the run’s tools that it names, also by names of other products, and tools without effects', () => {
    assert.deepEqual(left(persona('tools: [read_file]')), ['read_file', 'todo', 'ask_user', 'think', 'finish']);
    assert.deepEqual(left(persona("tools: ['search', 'Bash(git:*)']")), [
      'read_file',
      'list_files',
      'search_text',
      'run_command',
      'todo',
      'ask_user',
      'think',
      'finish',
      ...lookingInEditor,
    ]);
    assert.deepEqual(left(persona('tools: [all]')), left(persona('')));
    assert.ok(!left(persona('tools: [all, delegate]')).includes('delegate'), 'what the run lacks is not given');
  });

  it('gets the web tool only if it names it, also by names of other products', () => {
    const isLeft = (front: string): boolean => left(persona(front)).includes('fetch_url');
    for (const named of ['fetch_url', 'WebFetch', 'web_fetch', 'all', "'*'"])
      assert.ok(isLeft(`tools: [${named}]`), named);
    for (const named of ['Read', 'search', 'read_file', 'codebase', 'Bash'])
      assert.ok(!isLeft(`tools: [${named}]`), named);
    assert.ok(isLeft(''));
    assert.ok(!isLeft('disallowedTools: WebFetch'));
  });

  it('gets no tool for an unknown name', () =>
    assert.deepEqual(left(persona('tools: [everything-server/everything]')), ['todo', 'ask_user', 'think', 'finish']));

  it('gets no tool for a name with an unknown server or the wrong category', () => {
    for (const tool of ['x/execute', 'x.execute', 'x/all', 'a/b/edit', 'constructor'])
      assert.deepEqual(left(persona(`tools: [${tool}]`)), ['todo', 'ask_user', 'think', 'finish'], tool);
    assert.ok(!left(persona('tools: [search/execute]')).includes('run_command'));
    for (const tool of ['execute/runInTerminal', 'vscode/execute', 'Waymark/run_command'])
      assert.ok(left(persona(`tools: [${tool}]`)).includes('run_command'), tool);
  });

  it('is case-insensitive', () => {
    const { mode, confirmation, limits } = narrowByPersona(
      persona('Confirmation: Always\nLimits: { Steps: 3 }'),
      { ...given, mode: 'auto' },
      [],
    );
    assert.deepEqual([mode, confirmation, limits.steps], ['confirm', 'always', 3]);
    assert.deepEqual(left(persona('Tools: [READ_FILE]')), left(persona('tools: [read_file]')));
  });

  it('cannot be chosen while its front matter has an error, and the message says why', async () => {
    const text = '---\nname: p\ndescription: d\ntools: [read_file]\n---\nYou are p.';
    const broken: readonly [string, RegExp][] = [
      [text.replace('\n---\n', '\n'), /no closing line "---"/],
      [`<!-- ours -->\n${text}`, /first line of the file/],
      ['You are p.', /first line of the file/],
      ...['limits: 1', 'limits:', 'limits: [1]', 'limits: { step: 1 }', 'limits: { steps: }'].map(
        (line) => [text.replace('tools', `${line}\ntools`), /limit/] as [string, RegExp],
      ),
      ...['confirmation: sometimes', 'confirmation: [always]', 'confirmation:'].map(
        (line) => [text.replace('tools', `${line}\ntools`), /Use always, risky or never/] as [string, RegExp],
      ),
      [text.replace('tools', 'Tools: [all]\ntools'), /twice/],
      [text.replace('[read_file]', '{ read: true }'), /must be a name/],
    ];
    for (const [written, why] of broken) {
      const listed = listSkills([readSkill({ path: '.agent/agents/p.md', text: written, hash: 'h' })!]);
      const skills = {
        listUsed: async () => usedSkills(listed),
        listAll: async () => listed,
        resources: async () => [],
        resource: async () => '',
      };
      await assert.rejects(
        personaNamed('p', skills, ''),
        (error: Error) =>
          error.message.startsWith('The persona "p" of .agent/agents/p.md cannot be chosen.') &&
          why.test(error.message),
        written,
      );
    }
  });

  it('cannot name a server as its model, and the problem marks the address', () => {
    for (const value of [
      '"http://127.0.0.1:45671/v1 x"',
      'https://models.example/v1 x',
      '[gpt-5, "HTTP://models.example/v1 x"]',
    ]) {
      const { problems } = persona(`model: ${value}`);
      assert.deepEqual(
        problems.map(({ severity, code, from }) => [severity, code, from]),
        [['error', 'persona-model', { line: 4, column: 8 }]],
        value,
      );
    }
    assert.deepEqual(persona('model: qwen/qwen3:8b').problems, []);
  });

  it('loses only the tools in disallowedTools', () => {
    assert.deepEqual(left(persona('disallowedTools: Write, Bash')), [
      'read_file',
      'list_files',
      'search_text',
      'todo',
      'ask_user',
      'think',
      'finish',
      ...lookingInEditor,
      'fetch_url',
    ]);
    assert.deepEqual(
      left(persona("tools: [all]\ndisallowedTools: ['Bash(rm:*)', waymark/todo]")),
      left(persona('')).filter((name) => name !== 'run_command' && name !== 'todo'),
    );
    assert.deepEqual(left(persona('disallowedTools: ["*"]')), ['todo', 'ask_user', 'think', 'finish']);
    assert.deepEqual(left(persona('disallowedTools: [NobodyKnows]')), left(persona('')));
  });

  it('follows permissionMode into plan mode, and warns about wider modes without using them', () => {
    for (const mode of ['confirm', 'auto', 'plan'] as const)
      assert.equal(narrowByPersona(persona('permissionMode: plan'), { ...given, mode }, []).mode, 'plan');
    assert.equal(narrowByPersona(persona('permissionMode: plan'), { ...given, mode: 'human' }, []).mode, 'human');
    for (const word of ['default', 'acceptEdits', 'bypassPermissions', 'dontAsk']) {
      const one = persona(`permissionMode: ${word}`);
      assert.deepEqual(
        one.problems.map(({ severity, code, from }) => [severity, code, from.line]),
        [['warning', 'persona-permission-mode', 4]],
        word,
      );
      assert.deepEqual(narrowByPersona(one, given, everything), { ...given, disabledToolsets: ['delegate'] });
    }
    assert.deepEqual(
      persona('permissionMode: plna').problems.map(({ severity }) => severity),
      ['error'],
    );
  });

  it('is as narrow if empty lines precede its front matter', () =>
    assert.deepEqual(
      readSkill({
        path: '.agent/agents/p.md',
        text: '\n---\nname: p\ndescription: d\ntools: [read_file]\n---\nYou are p.',
        hash: 'h',
      })!.persona,
      { tools: ['read_file'] },
    ));

  it('is found by its name, and an unknown name lists the existing personas', async () => {
    const skills = { listUsed: async () => [persona('')], resources: async () => [], resource: async () => '' };
    assert.equal((await personaNamed('P', skills, '')).name, 'p');
    await assert.rejects(personaNamed('q', skills, ''), /There is no persona "q"\. There are: p\./);
    await assert.rejects(personaNamed('q', undefined, ''), /no file in \.agent\/agents/);
  });
});
