import { strict as assert } from 'node:assert';
import { toolsOf } from '../../../../src/core/session/sessionAgent';
import { profiles } from '../../../../src/core/profiles/profiles';
import { dialectFor, dialects } from '../../../../src/core/tools/dialects/dialects';
import { toolsOffered } from '../../../../src/core/agent/toolsOffered';
import { type Dialect, namesOfDialect, offeredForm, offeredTools } from '../../../../src/core/tools/dialects/dialect';
import { understand } from '../../../../src/core/tools/dialects/understand';
import { editFile } from '../../../../src/core/tools/native/editFile';
import { exampleCall } from '../../../../src/core/tools/calls/inputFaults';
import { withSelfRating } from '../../../../src/core/tools/calls/withSelfRating';
import { knownToolsets } from '../../../../src/core/tools/toolsets';
import { useSkill } from '../../../../src/core/tools/native/useSkill';
import { toolBench } from '../../../support/toolBench';

describe('every tool of every profile, in every dialect', () => {
  for (const profile of profiles) {
    for (const { name: choice } of dialects) {
      it(`${profile.name}, ${choice}: can be called as the example says that a refusal shows, and is told nothing beside its result`, () => {
        const given = [...toolsOf({}, profile, { trusted: true }), useSkill];
        const tools = profile.selfRating ? given.map(withSelfRating) : given;
        const dialect = dialectFor(choice, 'any', given);
        for (const tool of tools) {
          const offered = offeredForm(tool, dialect, tools);
          if (!offered) continue;
          const input = JSON.parse(exampleCall(offered).slice(offered.name.length)) as Record<string, unknown>;
          const { problem, called, intended } = understand({ id: 'c', tool: offered.name, input }, { tools, dialect });
          assert.deepEqual([offered.name, problem, called?.note], [offered.name, undefined, undefined]);
          assert.ok(intended && given.some(({ name }) => name === intended.name));
        }
      });
    }
  }
});

describe('the example of a refusal', () => {
  for (const tool of new Set(knownToolsets.flatMap((set) => set.tools))) {
    it(`of ${tool.name} (${Object.keys(tool.parameters['properties'] as object).join(', ')}) is a call that it takes`, () => {
      tool.bind(JSON.parse(exampleCall(tool).slice(tool.name.length)));
    });
  }
});

describe('the dialect of a session', () => {
  const own = toolsOf({}, profiles[0]!, { trusted: true });
  const rows: [model: string, dialect: string][] = [
    ['gpt-5', 'codex'],
    ['openai/gpt-5.2-codex', 'codex'],
    ['gpt-4.1-mini', 'codex'],
    ['codex-mini-latest', 'codex'],
    ['o3', 'codex'],
    ['openai/o4-mini', 'codex'],
    ['gpt-10', 'codex'],
    ['gpt-4o', 'waymark'],
    ['gpt-oss-120b', 'waymark'],
    ['gpt-3.5-turbo', 'waymark'],
    ['claude-opus-4-5', 'claude'],
    ['anthropic/claude-sonnet-4.5', 'claude'],
    ['qwen3-coder:30b', 'claude'],
    ['moonshotai/kimi-k2', 'claude'],
    ['glm-4.6', 'claude'],
    ['MiniMax-M2', 'claude'],
    ['deepseek-chat', 'claude'],
    ['grok-code-fast-1', 'claude'],
    ['gemini-3-pro-preview', 'gemini'],
    ['google/gemini-2.5-flash', 'gemini'],
    ['mistral-large-latest', 'waymark'],
    ['llama3.3', 'waymark'],
    ['test-model', 'waymark'],
    ['', 'waymark'],
  ];
  for (const [model, dialect] of rows)
    it(`of ${model || 'a model without a name'} is ${dialect}`, () =>
      assert.equal(dialectFor('auto', model, own).name, dialect));
});

describe('what an edit that was not made is told in', () => {
  const refused = async (dialect: Dialect): Promise<string> => {
    const bench = toolBench();
    try {
      bench.place('a.txt', 'same old_text\nsame old_text\n');
      const result = await editFile
        .bind({ path: 'a.txt', edits: [{ old_text: 'same', new_text: 'x' }] })
        .run({ ...bench.context(), words: namesOfDialect(dialect) });
      return result.content;
    } finally {
      bench.stop();
    }
  };

  it('are the words of the dialect', async () => {
    const told = Object.fromEntries(
      await Promise.all(dialects.map(async (dialect) => [dialect.name, await refused(dialect)] as const)),
    );
    assert.match(told['waymark']!, /old_text occurs 2 times, .* or set all\.$/);
    assert.match(told['claude']!, /old_string occurs 2 times, .* or set replace_all\.$/);
    assert.match(told['gemini']!, /old_string occurs 2 times, .* or set allow_multiple\.$/);
  });
});

describe('what a request with the everyday tools costs', () => {
  for (const dialect of dialects) {
    it(`in ${dialect.name} leaves room for the system prompt within 9,000 bytes`, () => {
      const everyday = toolsOffered(toolsOf({}, profiles[0]!, { trusted: true }), 'confirm', []);
      const tools = offeredTools(everyday, dialect).map((each) => ({
        type: 'function',
        function: each,
      }));
      assert.ok(JSON.stringify(tools).length <= 7000, `${dialect.name}: ${JSON.stringify(tools).length} bytes`);
    });
  }
});
