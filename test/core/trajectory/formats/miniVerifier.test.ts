import { strict as assert } from 'node:assert';
import { mini } from '../../../../src/core/trajectory/formats/mini';
import type { Candidate, Event, EventOf, Sampling } from '../../../../src/protocol/events/event';
import { fullRun } from '../../../support/trajectory';
import { writeAtOnce } from '../../../../src/core/trajectory/format';

const context = { version: '1.2.3', session: 'session' };
const fenced = (command: string): string => `THOUGHT: next.\n\n\`\`\`bash\n${command}\n\`\`\``;

/** A trajectory as the fork of version 1 writes it, with one reply chosen by a verifier. */
const fileWith = (verifier: unknown, content = fenced('echo two')): string =>
  JSON.stringify({
    info: { exit_status: 'Submitted', submission: 'done\n', model_stats: { instance_cost: 0.2, api_calls: 1 } },
    messages: [
      { role: 'system', content: 'Solve it.' },
      { role: 'user', content: 'Print two.' },
      { role: 'assistant', content, extra: { response: { model: 'actor' }, verifier } },
      { role: 'user', content: '<returncode>0</returncode>\n<output>\ntwo\n</output>' },
    ],
    trajectory_format: 'mini-swe-agent-1',
  });

const candidate = (index: number, content: string, more: object = {}): object => ({
  index,
  content,
  action: content.split('\n').at(-2),
  n_actions: 1,
  parse_error: null,
  ...more,
});

const judged = {
  enabled: true,
  type: 'llm',
  selected_index: 1,
  selection_index_base: 1,
  candidates: [
    candidate(0, 'No command.', { action: null, n_actions: 0, parse_error: 'FormatError: found 0 actions.' }),
    candidate(1, fenced('echo two')),
    candidate(2, fenced('echo three')),
  ],
  verifier_output: { verifier_type: 'llm', raw_output: 'The second one. 2', parsed_index: 1 },
};

const read = (text: string) => mini.reader!.read([{ path: 'x.traj.json', text }]);
const replyIn = (events: readonly Event[]): EventOf<'agent_response'> =>
  events.find((event) => event.type === 'agent_response')!;

describe('what a verifier of mini-swe-agent chose', () => {
  it('is read with its candidates, the judge’s words and the reason why one cannot be run', () => {
    const text = fileWith(judged);
    const { events, problems } = read(text);
    assert.deepEqual(problems, []);
    const { sampling } = replyIn(events);
    assert.deepEqual([sampling!.by, sampling!.chosen, sampling!.outputs], ['llm', 1, ['The second one. 2']]);
    assert.deepEqual(
      sampling!.candidates.map(({ summary, problem }) => [summary, problem]),
      [
        ['No command.', 'FormatError: found 0 actions.'],
        ['echo two', undefined],
        ['echo three', undefined],
      ],
    );
    assert.deepEqual(JSON.parse(writeAtOnce(mini, events, context)[0]!.text), JSON.parse(text), 'written as it was');
  });

  it('is read with the scores of a reward model', () => {
    const verifier = {
      ...judged,
      type: 'reward_model',
      verifier_output: {
        verifier_type: 'reward_model',
        raw_outputs: ['REWARD: 0', 'REWARD: 9', 'I cannot tell.'],
        rewards: [0, 9, null],
      },
    };
    const { sampling } = replyIn(read(fileWith(verifier)).events);
    assert.deepEqual(
      sampling!.candidates.map(({ score }) => score),
      [0, 9, null],
    );
    assert.deepEqual(sampling!.outputs, ['REWARD: 0', 'REWARD: 9', 'I cannot tell.']);
  });

  it('is left alone, and written back, where it cannot be used', () => {
    for (const verifier of [
      { enabled: true, type: 'oracle', selected_index: 0, candidates: [candidate(0, 'x')] },
      { ...judged, selected_index: 7 },
      { ...judged, candidates: 'three' },
      'llm',
    ]) {
      const text = fileWith(verifier);
      const { events, problems } = read(text);
      assert.deepEqual(problems, []);
      assert.equal(replyIn(events).sampling, undefined);
      assert.deepEqual(JSON.parse(writeAtOnce(mini, events, context)[0]!.text), JSON.parse(text));
    }
  });

  it('comes back as it was from a run of Waymark: fenced commands, and calls of a tool', () => {
    const usage = { inputTokens: 10, outputTokens: 5, cachedTokens: 0, cost: 0.1 };
    const call = (command: string) => ({
      type: 'function',
      function: { name: 'bash', arguments: JSON.stringify({ command }) },
    });
    const candidateOf = (text: string, calls: unknown[], more: Partial<Candidate> = {}): Candidate => ({
      text,
      calls,
      usage,
      model: 'qwen3-coder',
      finishReason: 'stop',
      summary: 'Run it',
      ...more,
    });
    const sampling: Sampling = {
      candidates: [
        candidateOf('', [call('ls')]),
        candidateOf(fenced('pwd'), []),
        candidateOf('Hm.', [], { problem: 'None.' }),
      ],
      chosen: 1,
      by: 'llm',
      reason: 'It looks first.',
      outputs: ['2'],
      fallback: 'The judge wrote no number.',
    };
    const history = fullRun().map((event) => (event.type === 'agent_response' ? { ...event, sampling } : event));
    const files = writeAtOnce(mini, history, context);
    const { events } = mini.reader!.read(files);
    const back = replyIn(events).sampling!;
    assert.deepEqual(
      [back.by, back.chosen, back.reason, back.outputs, back.fallback],
      [sampling.by, sampling.chosen, sampling.reason, sampling.outputs, sampling.fallback],
    );
    assert.deepEqual(
      back.candidates.map(({ text, calls, problem }) => ({ text, calls, problem })),
      sampling.candidates.map(({ text, calls, problem }) => ({ text, calls, problem })),
    );
    assert.deepEqual(writeAtOnce(mini, events, context), files);
  });
});
