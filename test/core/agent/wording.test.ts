import { strict as assert } from 'node:assert';
import { firstEvents } from '../../../src/core/session/firstEvents';
import { systemPrompt } from '../../../src/core/agent/prompt';
import { systemPromptOf } from '../../../src/protocol/plain/systemPrompt';
import { wordingFor } from '../../../src/core/agent/wording';
import type { Profile } from '../../../src/core/ports/profile';
import { profileNamed, profiles, withTemplates } from '../../../src/core/profiles/profiles';
import { bash } from '../../../src/core/tools/native/bash';
import type { Event } from '../../../src/protocol/events/event';
import { plays, task, usage } from './story';

const surroundings = { root: '/project', otherFolders: [], platform: 'linux', shell: 'bash', mayAct: true };
const history = [
  { seq: 0, at: 1, ...task },
  ...[1, 2].map((seq) => ({
    seq,
    at: 2,
    type: 'agent_response',
    readUpTo: seq,
    text: '',
    actions: [],
    usage: { ...usage, cost: 1 },
    model: 'm',
    finishReason: 'stop',
    durationMs: 500,
    firstTokenMs: 1,
  })),
] as Event[];
const shell = {
  id: 'a',
  tool: 'bash',
  input: { command: 'ls -la' },
  summary: 'Run ls -la',
  group: 0,
  risk: { level: 'low' as const, reasons: [] },
};
const wordingOf = (profile: Profile) => wordingFor({ profile, tools: [bash], surroundings });

/** Returns the start of a run: system prompt and first message. */
async function begun(
  profile: Profile,
  { text = 'Make it work.', mayAct = true } = {},
): Promise<{ systemPrompt: string; prompt?: string | undefined }> {
  const [first] = await firstEvents(
    text,
    { profile, model: plays(), tools: [bash] },
    { ...surroundings, mayAct },
    { mode: 'confirm', confirmation: 'risky', limits: profile.limits },
  );
  assert.ok(first?.type === 'task_started');
  return { systemPrompt: systemPromptOf(first), prompt: first.prompt };
}

describe('what the model is told', () => {
  it('knows how many calls were made and what they cost', async () => {
    const profile = withTemplates(profileNamed('mini'), {
      observation:
        'Calls: {{ n_model_calls }}, Cost: {{ model_cost }}, {{ elapsed_seconds }} s, {{ action }}, {{ task }}',
    });
    assert.equal(
      await wordingOf(profile).observation(shell, 'ok', { content: '' }, history),
      'Calls: 2, Cost: 2.0, 1.0 s, ls -la, Do it.',
    );
  });

  it('knows of a bad reply what was wrong, what was found and how it ended', async () => {
    const profile = withTemplates(profileNamed('mini-text'), {
      formatError: '{{ error }} {{ actions }} {{ has_tool_calls }} {{ finish_reason }}',
    });
    const calls = [
      { tool: 'bash', input: { command: 'ls' } },
      { tool: 'bash', input: { command: 'pwd' } },
    ];
    assert.equal(
      await wordingOf(profile).formatError('Two.', { calls, hasToolCalls: false, finishReason: 'stop' }, history),
      "Two. ['ls', 'pwd'] False stop",
    );
    assert.equal(
      await wordingOf(profile).formatError(
        'Bad.',
        {
          calls: [{ id: '1', type: 'function', function: { name: 'sh', arguments: '{' } }],
          hasToolCalls: true,
          finishReason: 'length',
        },
        history,
      ),
      "Bad. ['sh {'] True length",
    );
  });

  it('of a reply that was cut is other than of one that is wrong', async () => {
    const tell = (finishReason: string) =>
      wordingOf(profileNamed('mini')).formatError(
        'No call of bash.',
        { calls: [], hasToolCalls: false, finishReason },
        history,
      );
    assert.match(await tell('stop'), /^No call of bash\.\n\nEvery reply needs at least one call/);
    assert.match(await tell('length'), /^The reply was cut at the token limit/);
  });

  it('is the plain reason where the profile has no words for it', async () => {
    assert.equal(
      await wordingOf(profileNamed('waymark')).formatError(
        'Plain.',
        { calls: [], hasToolCalls: false, finishReason: 'stop' },
        history,
      ),
      'Plain.',
    );
  });

  it('begins for waymark with the prompt of Waymark and the task itself', async () => {
    const { systemPrompt: system, prompt } = await begun(profileNamed('waymark'));
    assert.deepEqual([system, prompt], [systemPrompt(surroundings), undefined]);
  });

  it('holds the task as it is, whatever it looks like', async () => {
    const { prompt } = await begun(profileNamed('mini'), { text: 'Replace {{ a }} and {% if b %} in x.html' });
    assert.match(prompt!, /\nReplace \{\{ a \}\} and \{% if b %\} in x\.html\n/);
  });

  it('is not begun with a broken template, also one that is needed later', async () => {
    const late = { timeout: 'late\n{{ comand }}' };
    const inFile = withTemplates(profileNamed('mini'), late, { timeout: '.agent/profiles/mini.timeout.jinja' });
    await assert.rejects(
      begun(inFile),
      /^TemplateProblem: \.agent\/profiles\/mini\.timeout\.jinja, line 2: The variable comand does not exist\./,
    );
    await assert.rejects(
      begun(withTemplates(profileNamed('mini'), late)),
      /^TemplateProblem: profile mini, template timeout, line 2: /,
    );
  });

  for (const profile of profiles) {
    it(`begins for ${profile.name} with words that leave nothing open`, async () => {
      const { systemPrompt: system, prompt = '' } = await begun(profile);
      const all = `${system}\n${prompt}`;
      assert.doesNotMatch(all, /\{\{|\{%|undefined|\[object|\bNone\b/);
      if (profile.templates.instance !== undefined) assert.ok(prompt.includes('Make it work.'));
      for (const marker of profile.end.markers.slice(0, 1)) assert.ok(prompt.includes(`echo ${marker}`), marker);
      if (profile.format.kind === 'workgraph')
        assert.match(
          system,
          /- bash: Run a command .*\. Arguments: \{"properties": \{"command": \{"type": "string"\}\}, "required": \["command"\], "type": "object"\}/,
        );
    });
  }

  for (const profile of profiles.filter(({ toolsets }) => !toolsets.includes('mini'))) {
    it(`says for ${profile.name} where the folder is not trusted`, async () => {
      assert.match((await begun(profile, { mayAct: false })).systemPrompt, /not trusted yet/);
      assert.doesNotMatch((await begun(profile)).systemPrompt, /not trusted yet/);
    });
  }
});
