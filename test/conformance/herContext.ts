import { strict as assert } from 'node:assert';
import { chatModel } from '../../src/adapters/models/chat/chatModel';
import { statusOf } from '../../src/core/log/status';
import { toMessages } from '../../src/core/model/messages';
import { readEvents } from '../../src/core/condense/readEvents';
import { withFallbacks } from '../../src/core/model/decorators/severalModels';
import { ModelProblem, type Model, type ModelRequest } from '../../src/core/ports/model';
import type { Event } from '../../src/protocol/events/event';
import {
  chunksOf,
  failure,
  reply,
  startModelServer,
  stream,
  toolCall,
  type Answering,
  type ModelServer,
} from '../support/modelServer';
import { conforms } from './support/conforms';
import { call, playsEach, says, usage, type Line } from './support/script';
import { assertAccepted, observed, ofType, replies, types } from './support/telling';
import type { World } from './support/world';

const window = 12_000;
const isSummary = ({ messages, tools }: ModelRequest): boolean =>
  tools.length === 0 && /memory of a coding agent/.test(messages[0]!.content);
const tokensIn = ({ messages, tools }: ModelRequest): number => Math.ceil(JSON.stringify([messages, tools]).length / 4);

/**
 * A model that counts its input at four characters per token, with a window of 12,000 tokens by default. Summaries have
 * their own lines.
 */
function counting(script: readonly Line[], summaries: readonly Line[], contextWindow = window) {
  const [left, leftSummaries] = [[...script], [...summaries]];
  const model = playsEach((request) => (isSummary(request) ? leftSummaries : left).shift());
  const complete: Model['complete'] = async (request, signal) => {
    const said = await model.complete(request, signal);
    return { ...said, usage: { ...usage, inputTokens: tokensIn(request), outputTokens: 10 } };
  };
  return {
    requests: model.requests,
    info: { ...model.info, contextWindow },
    complete,
    steps: () => model.requests.filter((request) => !isSummary(request)),
    summaries: () => model.requests.filter(isSummary),
  };
}

/** A step whose result has about a thousand tokens. */
const long = (name: string): Line =>
  says(
    `Step ${name}.`,
    call(
      'terminal',
      { command: `echo begin ${name}; head -c 4000 /dev/zero | tr '\\0' x; echo; echo end ${name}` },
      `call_${name}`,
    ),
  );
const longs = (count: number): Line[] => Array.from({ length: count }, (_, index) => long(String(index)));
const condensations = (history: readonly Event[]) => ofType(history, 'condensation');

/** A server with these answers, and a model that uses it. */
async function served(
  world: World,
  answers: readonly Answering[],
  options: Partial<Parameters<typeof chatModel>[0]> = {},
  takes: readonly string[] = [],
): Promise<{ server: ModelServer; model: Model }> {
  const server = await startModelServer(answers, { takes });
  world.after(() => server.stop());
  return { server, model: chatModel({ baseUrl: server.baseUrl, name: 'test-model', ...options }) };
}
const assistantIn = (server: ModelServer, request: number) =>
  server.requests[request]!.body.messages.find(({ role }) => role === 'assistant')!;

describe('as in Hermes Agent, what the model reads', () => {
  conforms('HER-21', 'a run is condensed when half of the window is full, and continues', async (world) => {
    const model = counting(
      [...longs(10), says('Done.')],
      [says('Summary one.'), says('Summary two.'), says('Summary three.')],
    );
    const {
      conversation: { history },
    } = await (await world.begin({ profile: 'hermes', model })).go();
    assert.equal(statusOf(history), 'idle');
    assert.ok(
      condensations(history).length > 0 && condensations(history).every(({ reasons }) => reasons?.join() === 'tokens'),
      types(history).join(' '),
    );
    assert.deepEqual(
      model
        .steps()
        .map(tokensIn)
        .filter((tokens) => tokens > window / 2),
      [],
      'a request is longer than half of the window',
    );
    assert.ok(Math.max(...model.steps().map(tokensIn)) > window / 3, 'it is condensed long before');
    assertAccepted(history);
  });

  conforms('HER-22', 'a run whose request is refused as too long is condensed and sends it again', async (world) => {
    const tooLong = failure(400, {
      message: 'This model’s maximum context length is 4096 tokens. However, your messages resulted in 9000 tokens.',
      code: 'context_length_exceeded',
    });
    const { model, server } = await served(world, [
      toolCall('terminal', { command: 'echo one' }),
      toolCall('terminal', { command: 'echo two' }),
      toolCall('terminal', { command: 'echo three' }),
      tooLong,
      reply('One and two ran.'),
      reply('Done.'),
    ]);
    const {
      conversation: { history },
    } = await (await world.begin({ profile: 'hermes', model })).go();
    assert.deepEqual(
      ofType(history, 'condensation_requested').map(({ by }) => by),
      ['context_overflow'],
    );
    assert.equal(condensations(history).length, 1);
    assert.equal(statusOf(history), 'idle');
    assert.match(JSON.stringify(server.requests.at(-1)!.body.messages), /One and two ran\./);
    assertAccepted(history);
  });

  conforms(
    'HER-23',
    'a condensed run keeps its beginning and its latest steps, and no call without its result',
    async (world) => {
      const short = (name: string): Line =>
        says(
          `Step ${name}.`,
          call(
            'terminal',
            { command: `echo begin ${name}; head -c 1500 /dev/zero | tr '\\0' x; echo; echo end ${name}.` },
            `call_${name}`,
          ),
        );
      const model = counting(
        [...Array.from({ length: 40 }, (_, index) => short(String(index))), says('Done.')],
        Array.from({ length: 20 }, () => says('What went before.')),
        24_000,
      );
      const {
        conversation: { history },
      } = await (await world.begin({ profile: 'hermes', model, task: 'The very task.' })).go();
      assert.ok(condensations(history).length > 0, types(history).join(' '));
      for (const { forgotten, seq } of condensations(history)) {
        const read = readEvents(history.slice(0, seq));
        assert.ok(read.length > 30, 'there is enough to forget');
        assert.deepEqual(
          read.slice(0, 3).filter((event) => forgotten.includes(event.seq)),
          [],
          'the first three stay',
        );
        assert.deepEqual(
          read.slice(-19).filter((event) => forgotten.includes(event.seq)),
          [],
          'the last twenty stay, moved to where no call loses its result',
        );
        assertAccepted(history.slice(0, seq + 1));
      }
      const after = model.steps().find(({ messages }) => JSON.stringify(messages).includes('What went before.'))!;
      assert.match(JSON.stringify(after.messages), /The very task\..*end 0\..*What went before\./);
      assert.doesNotMatch(JSON.stringify(after.messages), /end 1\./);
      const called = after.messages.flatMap((message) =>
        message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [],
      );
      assert.deepEqual(
        after.messages.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : [])),
        called,
      );
    },
  );

  conforms('HER-24', 'a condensed run still reads the open steps of its list, word for word', async (world) => {
    const todos = [
      { id: 'a', content: 'Sharpen the saw', status: 'in_progress' },
      { id: 'b', content: 'Fell the oak', status: 'pending' },
      { id: 'c', content: 'Find a forest', status: 'completed' },
    ];
    const model = counting(
      [long('0'), says('', call('todo', { todos })), ...longs(8), says('', call('todo', {})), says('Done.')],
      [says('Work went on.'), says('Work went on.')],
    );
    const {
      conversation: { history },
    } = await (await world.begin({ profile: 'hermes', model })).go();
    const { summary } = condensations(history)[0]!;
    assert.match(summary, /Open todos:\n.*Sharpen the saw\n.*Fell the oak/);
    assert.doesNotMatch(summary, /Find a forest/);
    assert.match(
      observed(history).at(-1)!,
      /Sharpen the saw[\s\S]*Fell the oak[\s\S]*Find a forest/,
      'the list itself is whole',
    );
  });

  conforms('HER-25', 'a run condensed again updates the earlier summary instead of adding one', async (world) => {
    const model = counting(
      [...longs(14), says('Done.')],
      [says('Summary one.'), says('Summary two.'), says('Summary three.'), says('Summary four.')],
    );
    const {
      conversation: { history },
    } = await (await world.begin({ profile: 'hermes', model })).go();
    assert.ok(condensations(history).length > 1);
    assert.match(model.summaries()[1]!.messages[1]!.content, /<earlier_summary>\nSummary one\.\n<\/earlier_summary>/);
    assert.doesNotMatch(model.summaries()[0]!.messages[1]!.content, /<earlier_summary>/);
    assert.equal(toMessages(history).filter(({ content }) => /Summary (one|two|three|four)\./.test(content)).length, 1);
    assertAccepted(history);
  });

  conforms(
    'HER-26',
    'a run whose summary cannot be written says so and loses nothing; the original silently drops the middle',
    async (world) => {
      const broken = new ModelProblem('server', {
        what: 'The server failed.',
        why: 'It said 500.',
        next: 'Try again.',
      });
      const model = counting([...longs(7), says('Done.')], [broken, broken, broken]);
      const {
        conversation: { history },
      } = await (await world.begin({ profile: 'hermes', model })).go();
      assert.deepEqual([statusOf(history), condensations(history).length], ['idle', 0]);
      assert.ok(
        ofType(history, 'notice').some(
          ({ about, text }) => about === 'condensation_failed' && /all of it is kept/.test(text),
        ),
      );
      for (const name of ['0', '3', '6'])
        assert.match(JSON.stringify(model.steps().at(-1)!.messages), new RegExp(`end ${name}`));
    },
  );

  conforms('HER-27', 'a run reads reasoning from three fields and sends it back with its reply', async (world) => {
    const next = toolCall('terminal', { command: 'true' });
    const details = [{ type: 'reasoning.text', index: 0, text: 'Detailed.', signature: 's' }];
    const [head, ...rest] = chunksOf({ calls: [{ tool: 'terminal', input: { command: 'true' } }] });
    const detailed = stream([
      head!,
      {
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'test-model',
        choices: [{ index: 0, delta: { reasoning_details: details }, finish_reason: null }],
      },
      ...rest,
      '[DONE]',
    ]);
    const variants: [Answering, string, object][] = [
      [
        toolCall('terminal', { command: 'true' }, { reasoning: 'Thought.' }),
        'Thought.',
        { reasoning_content: 'Thought.' },
      ],
      [
        toolCall('terminal', { command: 'true' }, { reasoning: 'Thought.', reasoningField: 'reasoning' }),
        'Thought.',
        { reasoning: 'Thought.' },
      ],
      [detailed, 'Detailed.', { reasoning_details: details }],
    ];
    for (const [first, words, back] of variants) {
      const { model, server } = await served(world, [first, next, reply('Done.')]);
      const {
        conversation: { history },
      } = await (await world.begin({ profile: 'hermes', model })).go();
      assert.equal(ofType(history, 'agent_response')[0]!.reasoning?.text, words);
      for (const request of [1, 2]) {
        const { reasoning_content, reasoning, reasoning_details } = assistantIn(server, request) as Record<
          string,
          unknown
        >;
        assert.deepEqual(JSON.parse(JSON.stringify({ reasoning_content, reasoning, reasoning_details })), back);
      }
    }
  });

  conforms(
    'HER-28',
    'a run sends a space as missing reasoning to providers that require it, and to no others',
    async (world) => {
      const demanding: Answering = ({ body: { messages } }) => {
        if (messages.some((message) => message.role === 'assistant' && !message.reasoning_content))
          return failure(400, 'The reasoning_content in the thinking mode must be passed back to the API.');
        return messages.some(({ role }) => role === 'tool')
          ? reply('Done.')
          : toolCall('terminal', { command: 'true' });
      };
      const { model, server } = await served(world, Array<Answering>(4).fill(demanding), {}, ['reasoning_content']);
      const {
        conversation: { history },
      } = await (await world.begin({ profile: 'hermes', model })).go();
      assert.equal(statusOf(history), 'idle');
      assert.equal(assistantIn(server, server.requests.length - 1).reasoning_content, ' ');
      const other = await served(world, [toolCall('terminal', { command: 'true' }), reply('Done.')]);
      await (await world.begin({ profile: 'hermes', model: other.model })).go();
      assert.ok(!('reasoning_content' in assistantIn(other.server, 1)));
    },
  );

  conforms(
    'HER-29',
    'a run marks the system prompt and the last three messages for the provider’s cache',
    async (world) => {
      const steps = [1, 2, 3].map((number) => toolCall('terminal', { command: `echo ${number}` }));
      const { model, server } = await served(world, [...steps, reply('Done.')], { name: 'claude-test' }, [
        'cache_control',
      ]);
      await (await world.begin({ profile: 'hermes', model })).go();
      const { messages } = server.requests.at(-1)!.body;
      const marked = messages.flatMap((message, index) =>
        JSON.stringify(message).includes('"cache_control"') ? [index] : [],
      );
      assert.deepEqual(marked, [0, messages.length - 3, messages.length - 2, messages.length - 1]);
      const plain = await served(world, [reply('Done.')]);
      await (await world.begin({ profile: 'hermes', model: plain.model })).go();
      assert.ok(!plain.server.requests[0]!.text.includes('cache_control'));
    },
  );

  conforms('HER-30', 'a run whose model does not answer uses the fallback, and says so', async (world) => {
    const first = await served(world, [failure(503, 'overloaded'), failure(503, 'overloaded')], {
      name: 'first-model',
    });
    const second = await served(
      world,
      [
        toolCall('terminal', { command: 'echo helped' }, { model: 'second-model' }),
        reply('Done.', { model: 'second-model' }),
      ],
      { name: 'second-model' },
    );
    const {
      conversation: { history },
    } = await (await world.begin({ profile: 'hermes', model: withFallbacks([first.model, second.model]) })).go();
    assert.deepEqual([statusOf(history), replies(history), first.server.requests.length], ['idle', 2, 2]);
    assert.deepEqual(
      ofType(history, 'agent_response').map(({ model }) => model),
      ['second-model', 'second-model'],
    );
    assert.match(ofType(history, 'notice')[0]!.text, /first-model.*second-model takes over/);
    assert.match(observed(history)[0]!, /helped/);
  });
});
