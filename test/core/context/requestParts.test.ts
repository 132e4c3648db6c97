import { strict as assert } from 'node:assert';
import { toMessages } from '../../../src/core/model/messages';
import { contextFill } from '../../../src/core/condense/contextFill';
import { contextPart } from '../../../src/core/context/contextPart';
import { requestParts } from '../../../src/core/context/requestParts';
import { skillsPrompt } from '../../../src/core/skills/skillsPrompt';
import { readSkill } from '../../../src/core/skills/readSkill';
import { memorySnapshot } from '../../../src/core/tools/memory/memory';
import { Event, type NewEvent } from '../../../src/protocol/events/event';
import { agentResponse, taskStarted, uncounted } from '../../support/newEvents';

const tools = [{ name: 'read_file', description: 'Reads a file.', parameters: { type: 'object' } }];

async function history(): Promise<Event[]> {
  const rule = readSkill({ path: 'AGENTS.md', text: 'Use tabs.', hash: 'h' })!;
  const notes = await memorySnapshot({
    read: (store) => Promise.resolve(store === 'memory' ? 'npm test runs all\n§\nNode 20' : ''),
    update: () => Promise.resolve(),
  });
  const events: NewEvent[] = [
    taskStarted('Mend it.', {
      title: 'Mend it',
      promptParts: [
        { kind: 'own', text: 'You are Waymark.' },
        { kind: 'skills', text: skillsPrompt([rule], { useSkill: false, delegate: false }) },
        { kind: 'memory', text: notes },
      ],
      cwd: '/w',
    }),
    agentResponse('A look first.', {
      readUpTo: 1,
      actions: [
        {
          id: 'a',
          tool: 'read_file',
          input: { path: 'x' },
          summary: 'Read x',
          group: 0,
          risk: { level: 'low', reasons: [] },
        },
      ],
      usage: uncounted,
      finishReason: 'tool_calls',
      firstTokenMs: null,
    }),
    { type: 'observation', actionId: 'a', outcome: 'ok', content: 'x is here' },
    {
      type: 'user_message',
      text: 'And @src/a.ts',
      context: [
        contextPart('file', { label: '@src/a.ts: src/a.ts', text: '1\ta', source: 'src/a.ts', trust: 'project' }),
      ],
      images: [{ mediaType: 'image/png', data: 'AAAA' }],
    },
    {
      type: 'skill_woken',
      name: 'a',
      path: '.agent/a.md',
      hash: 'h',
      by: 'keyword',
      what: 'a',
      text: 'Words of the skill',
    },
  ];
  return events.map((event, seq) => Event.parse({ ...event, seq, at: seq }));
}

describe('the parts of the next request', () => {
  it('have the kinds of what the model reads, in order', async () => {
    const parts = requestParts(await history(), tools);
    assert.deepEqual(
      parts.map(({ kind, name }) => [kind, name].filter(Boolean).join(' ')),
      [
        'system',
        'skills',
        'memory',
        'tool read_file',
        'message Mend it.',
        'reply A look first.',
        'result Read x',
        'message And @src/a.ts',
        'context @src/a.ts: src/a.ts',
        'image image/png',
        'skill .agent/a.md',
      ],
    );
  });

  it('cover exactly the text that is sent', async () => {
    const log = await history();
    const sent = toMessages(log)
      .map(({ content }) => content)
      .join('\n\n')
      .replace(/\s+/g, ' ');
    let rest = sent;
    for (const { kind, text } of requestParts(log, []).filter((each) => each.kind !== 'reply')) {
      const plain = text.replace(/\s+/g, ' ');
      assert.ok(rest.includes(plain), `${kind}: ${plain}`);
      rest = rest.replace(plain, '');
    }
    assert.equal(rest.replace('A look first.', '').trim(), '');
  });

  it('are estimated like the context meter, without images', async () => {
    const log = await history();
    const parts = requestParts(log, tools);
    const sum = parts.reduce((all, { tokens }) => all + (tokens ?? 0), 0);
    const carried = JSON.stringify(tools[0]).length;
    assert.ok(
      Math.abs(sum - contextFill(log, carried).tokens) <= parts.length,
      `${sum} and ${contextFill(log, carried).tokens}`,
    );
    assert.equal(parts.find(({ kind }) => kind === 'image')!.tokens, null);
  });

  it('get their kind from the log, even if a file quotes a heading', () => {
    const quoting =
      'Use tabs.\n\nNotes of earlier sessions about this work\n\nSkills. Before work that one of them is for';
    const begun: NewEvent = {
      type: 'task_started',
      task: 'Mend it.',
      title: 'Mend it',
      promptParts: [
        { kind: 'prefix', text: 'Speak Dutch.' },
        { kind: 'own', text: 'You are Waymark.' },
        { kind: 'skills', text: quoting },
        { kind: 'suffix', text: 'Notes of earlier sessions about the user' },
      ],
      model: { name: 'm', provider: 'p', contextWindow: null },
      tools: [],
      cwd: '/w',
      confirmation: 'risky',
      limits: { steps: 0, cost: 0, seconds: 0 },
    };
    const log = [Event.parse({ ...begun, seq: 0, at: 0 })];
    assert.deepEqual(
      requestParts(log, []).map(({ kind, text }) => [kind, text]),
      [
        ['system', 'Speak Dutch.'],
        ['system', 'You are Waymark.'],
        ['skills', quoting],
        ['system', 'Notes of earlier sessions about the user'],
        ['message', 'Mend it.'],
      ],
    );
    const [system] = toMessages(log);
    assert.equal(
      system!.content,
      ['Speak Dutch.', 'You are Waymark.', quoting, 'Notes of earlier sessions about the user'].join('\n\n'),
    );
  });
});
