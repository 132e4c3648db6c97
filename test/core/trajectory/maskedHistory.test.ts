import { strict as assert } from 'node:assert';
import { secrets } from '../../../src/core/secrets/secrets';
import { maskedEvent } from '../../../src/core/secrets/masking';
import { findSteps } from '../../../src/core/trajectory/steps';
import { formatNamed, writtenFormats } from '../../../src/core/trajectory/formats/formats';
import { maskedHistory } from '../../../src/core/trajectory/maskedHistory';
import { Event } from '../../../src/protocol/events/event';
import { leastUsage } from '../../support/newEvents';
import { writeAtOnce, type WrittenFormat } from '../../../src/core/trajectory/format';

/** A key that no scanner of this file mistakes for a real one. */
const patterned = ['gh', 'p_', 'a1B2c3D4e5'.repeat(4)].join('');
const canary = ['zt', 'est', 'im4ges', 'Q7x9Lm2'].join('_');
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const context = { version: '1.2.3', session: 'session' };

const started = (more: object = {}): Event =>
  Event.parse({
    seq: 0,
    at: 1,
    type: 'task_started',
    task: 'Look.',
    title: 'Look',
    systemPrompt: '',
    model: { name: 'm', provider: 'p', contextWindow: null },
    tools: ['bash'],
    cwd: '/w',
    confirmation: 'never',
    limits: { steps: 0, cost: 0, seconds: 0 },
    ...more,
  });
const called = (input: object): Event =>
  Event.parse({
    seq: 1,
    at: 2,
    type: 'agent_response',
    readUpTo: 1,
    text: '',
    usage: leastUsage,
    model: 'm',
    finishReason: 'tool_calls',
    durationMs: 1,
    firstTokenMs: 1,
    actions: [{ id: 'c', tool: 'bash', input, summary: 's', group: 0, risk: { level: 'low', reasons: [] } }],
  });
const told = (format: WrittenFormat, history: readonly Event[]): string =>
  writeAtOnce(format, history, context)
    .map(({ text }) => text)
    .join('\n');
const writing = writtenFormats;

describe('maskedHistory', () => {
  it('masks what a tool was given as "images", in every format, and leaves pictures whole', () => {
    secrets.learn(canary);
    const history = [
      started({ images: [{ mediaType: 'image/png', data: picture }] }),
      called({ images: patterned, more: { images: [patterned, { mediaType: 'image/png', data: canary }] } }),
    ];
    for (const format of writing) {
      const text = told(format, history);
      for (const secret of [patterned, canary])
        assert.equal(text.includes(secret), false, `${format.name} tells ${secret.slice(0, 6)}…`);
    }
    const [first] = maskedHistory(history);
    assert.deepEqual(first, history[0]);
    assert.equal(JSON.stringify(maskedEvent(called({ images: canary }), secrets)).includes(canary), false);
    assert.deepEqual(maskedEvent(history[0]!, secrets), history[0]);
  });

  it('masks by its name what a foreign file says beside the run', () => {
    const drawn = ['Zq7Rt2Yw', '9Lp4Xc6Vb1Nm'].join('');
    const state = {
      id: '5d1f0c3e-0000-4000-8000-000000000001',
      agent: { llm: { model: 'm', api_key: drawn, base_url: 'https://h.example' }, kind: 'Agent' },
      auth_token: drawn,
      more: { token: [drawn] },
      workspace: { working_dir: '/w' },
    };
    const message = {
      id: 'e1',
      timestamp: '2026-01-01T00:00:00',
      source: 'user',
      llm_message: { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
      extra: { password: drawn },
      kind: 'MessageEvent',
    };
    const trajectory = {
      info: { config: { agent: {} }, secret: { api_key: drawn } },
      messages: [
        { role: 'user', content: 'Look.', api_key: drawn },
        { role: 'assistant', content: 'Done.', extra: { access_token: drawn } },
        { role: 'ghost', api_key: drawn },
      ],
      trajectory_format: 'mini-swe-agent-1.1',
      auth_token: drawn,
    };
    const files = {
      openhands: [
        { path: 'base_state.json', text: JSON.stringify(state) },
        { path: 'events/event-00000-e1.json', text: JSON.stringify(message) },
      ],
      mini: [{ path: 'a.traj.json', text: JSON.stringify(trajectory) }],
    };
    for (const [name, read] of Object.entries(files)) {
      const { events } = formatNamed(name).reader!.read(read);
      assert.ok(JSON.stringify(events).includes(drawn), 'it was read');
      for (const format of writing)
        assert.equal(told(format, events).includes(drawn), false, `${name} as ${format.name} tells it`);
      assert.match(told(formatNamed(name), events), /masked secret/);
    }
    const { events } = formatNamed('openhands').reader!.read(files.openhands);
    assert.match(
      told(formatNamed('openhands'), events),
      /"base_url":"https:\/\/h\.example"/,
      'what is no secret stays',
    );
  });

  it('shows and writes a run in which something is nested far too deeply', () => {
    const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const nested = (levels: number): string =>
      `{"messages":[{"role":"user","content":"Look."},{"role":"assistant","content":"","tool_calls":[{"id":"c","type":"function","function":{"name":"bash","arguments":"{\\"command\\":${deep(levels)}}"}}],"beside":${deep(levels)}}],"trajectory_format":"mini-swe-agent-1.1","info":{}}`;
    const mini = formatNamed('mini');
    for (const levels of [3000, 200_000]) {
      const { events } = mini.reader!.read([{ path: 'a.traj.json', text: nested(levels) }]);
      assert.equal(events.filter(({ type }) => type === 'agent_response').length, 1);
      assert.deepEqual(findSteps(events, 'look'), [0]);
      for (const format of writing) assert.match(told(format, events), /Look\./, `${format.name} at ${levels}`);
    }
    const log = Event.parse({
      ...JSON.parse(JSON.stringify(called({ command: 'x' }))),
      actions: [{ ...(called({}) as any).actions[0], input: { command: JSON.parse(deep(200_000)) } }],
    });
    for (const format of writing) assert.ok(told(format, [started(), log]).length > 0);
    assert.deepEqual(findSteps([started(), log], 'look'), [0]);
  });
});
