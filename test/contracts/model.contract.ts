import assert from 'node:assert/strict';
import { ModelProblem, type ChatMessage, type Model, type ReplyDelta } from '../../src/core/ports/model';

/** Replies of the model under test, in order. `pauseMs` is the delay between the pieces of a reply. */
export interface PlannedReply {
  readonly say?: string;
  readonly calls?: readonly { tool: string; input: Record<string, unknown> }[];
  readonly pauseMs?: number;
}
export interface ModelUnderTest {
  readonly model: Model;
  stop(): Promise<void>;
}

const start: ChatMessage[] = [
  { role: 'system', content: 'Help.' },
  { role: 'user', content: 'Begin.' },
];
const never = (): AbortSignal => new AbortController().signal;

/** The contract of every `Model`, whatever its implementation. */
export function modelContract(name: string, make: (replies: readonly PlannedReply[]) => Promise<ModelUnderTest>): void {
  describe(`${name} as a model`, () => {
    const using = async (replies: readonly PlannedReply[], use: (model: Model) => Promise<void>): Promise<void> => {
      const { model, stop } = await make(replies);
      try {
        await use(model);
      } finally {
        await stop();
      }
    };

    it('replies with the text that it streamed', () =>
      using([{ say: 'Grüße aus  Köln 🎉, two  spaces.' }], async (model) => {
        const deltas: ReplyDelta[] = [];
        const reply = await model.complete(
          { messages: start, tools: [], onDelta: (delta) => deltas.push(delta) },
          never(),
        );
        assert.equal(reply.text, 'Grüße aus  Köln 🎉, two  spaces.');
        assert.equal(deltas.map((delta) => (delta.kind === 'text' ? delta.text : '')).join(''), reply.text);
        assert.equal(reply.finishReason, 'stop');
        assert.deepEqual(reply.toolCalls, []);
      }));

    it('replies to a request without a delta listener', () =>
      using([{ say: 'quiet' }], async (model) => {
        assert.equal((await model.complete({ messages: start, tools: [] }, never())).text, 'quiet');
      }));

    it('gives each call a unique id and its arguments as JSON', () =>
      using(
        [
          {
            calls: [
              { tool: 'read_file', input: { path: 'a "b"\n' } },
              { tool: 'read_file', input: {} },
            ],
          },
        ],
        async (model) => {
          const { toolCalls, finishReason } = await model.complete({ messages: start, tools: [] }, never());
          assert.deepEqual(
            toolCalls.map(({ function: { name: tool, arguments: text } }) => [tool, JSON.parse(text)]),
            [
              ['read_file', { path: 'a "b"\n' }],
              ['read_file', {}],
            ],
          );
          assert.equal(new Set(toolCalls.map(({ id }) => id)).size, 2);
          assert.ok(toolCalls.every(({ id, type }) => id && type === 'function'));
          assert.equal(finishReason, 'tool_calls');
        },
      ));

    it('continues from the given conversation', () =>
      using([{ calls: [{ tool: 'think', input: {} }] }, { say: 'second' }], async (model) => {
        const first = await model.complete({ messages: start, tools: [] }, never());
        const id = first.toolCalls[0]!.id;
        const messages: ChatMessage[] = [
          ...start,
          { role: 'assistant', content: first.text, tool_calls: [...first.toolCalls] },
          { role: 'tool', tool_call_id: id, content: 'ok' },
        ];
        assert.equal((await model.complete({ messages, tools: [] }, never())).text, 'second');
      }));

    it('reports tokens and cost as numbers or as unknown', () =>
      using([{ say: 'x' }], async (model) => {
        const { usage } = await model.complete({ messages: start, tools: [] }, never());
        for (const [field, value] of Object.entries(usage))
          assert.ok(value === null || (Number.isFinite(value) && value >= 0), `${field} is ${String(value)}`);
        assert.deepEqual(Object.keys(usage).sort(), ['cachedTokens', 'cost', 'inputTokens', 'outputTokens']);
      }));

    it('does not start if the signal is already aborted', () =>
      using([{ say: 'x' }], async (model) => {
        const reason = new Error('stopped before');
        await assert.rejects(
          model.complete({ messages: start, tools: [] }, AbortSignal.abort(reason)),
          (error) => error === reason,
        );
      }));

    it('rejects with the signal’s own reason when stopped in the middle of a reply', () =>
      using([{ say: 'a long reply that would take a minute '.repeat(100), pauseMs: 200 }], async (model) => {
        const controller = new AbortController();
        const reason = new Error('stopped within');
        const onDelta = (): void => controller.abort(reason);
        await assert.rejects(
          model.complete({ messages: start, tools: [], onDelta }, controller.signal),
          (error) => error === reason,
        );
      }));

    it('fails with a problem that says what, why and what next if it has no reply', () =>
      using([], async (model) => {
        await assert.rejects(
          model.complete({ messages: start, tools: [] }, never()),
          (error) => error instanceof ModelProblem && Boolean(error.what && error.why && error.next),
        );
      }));
  });
}
