import assert from 'node:assert/strict';
import { chatModel } from '../../../../src/adapters/models/chat/chatModel';
import {
  randomModelOf,
  modelsInTurn,
  withFallbacks,
  withImageModel,
} from '../../../../src/core/model/decorators/severalModels';
import type { ChatMessage, Model } from '../../../../src/core/ports/model';
import { seededRandom } from '../../../../src/core/model/sampling/seededRandom';
import { ask, problemFrom, question } from '../../../support/ask';
import {
  brokenAfter,
  failure,
  reply,
  startModelServer,
  type Answering,
  type ModelServer,
} from '../../../support/modelServer';

/** Models on separate servers, each with its answers. A model that always answers with its own name needs none. */
async function onServers<T>(
  answers: Record<string, readonly Answering[] | undefined>,
  use: (models: [Model, ...Model[]], servers: ModelServer[]) => Promise<T>,
): Promise<T> {
  const servers: ModelServer[] = [];
  try {
    const models: Model[] = [];
    for (const [name, given] of Object.entries(answers)) {
      const server = await startModelServer(given ?? (() => reply(name, { model: name })));
      servers.push(server);
      models.push(chatModel({ baseUrl: server.baseUrl, name, contextWindow: name.length * 1_000 }));
    }
    return await use(models as [Model, ...Model[]], servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

const asked = (servers: ModelServer[]): number[] => servers.map(({ requests }) => requests.length);
/** A chat in which the model has replied this many times. */
const after = (replies: number): ChatMessage[] => [
  ...question,
  ...Array.from({ length: replies }, (): ChatMessage[] => [
    { role: 'assistant', content: 'So.' },
    { role: 'user', content: 'And?' },
  ]).flat(),
];

describe('a list of models that stand in for each other', () => {
  it('is asked in order, from the first one for every call, and says who took over', () =>
    onServers(
      { first: [failure(503, 'warming up'), reply('first again')], second: undefined },
      async (models, servers) => {
        const notices: string[] = [];
        const model = withFallbacks(models);
        const onNotice = (words: string) => void notices.push(words);
        assert.equal((await ask(model, { onNotice })).reply.text, 'second');
        assert.equal((await ask(model, { onNotice })).reply.text, 'first again');
        assert.deepEqual(asked(servers), [2, 1]);
        assert.equal(notices.length, 1);
        assert.match(notices[0]!, /^first did not answer: .*warming up.* second takes over for this reply\.$/);
      },
    ));

  for (const [why, answer] of [
    ['a rate limit', failure(429)],
    ['no credit', failure(402)],
    ['a cut reply', brokenAfter(reply('half of it'), 400)],
  ] as const) {
    it(`helps against ${why}`, () =>
      onServers({ first: [answer], second: undefined }, async (models) => {
        const { reply: got, deltas } = await ask(withFallbacks(models));
        assert.equal(got.model, 'second');
        const discarded = deltas.findLastIndex(({ kind }) => kind === 'discard');
        assert.equal(
          deltas
            .slice(discarded + 1)
            .map((delta) => ('text' in delta ? delta.text : ''))
            .join(''),
          'second',
          'what the first one streamed is void',
        );
      }));
  }

  for (const [why, answer] of [
    ['a wrong key', failure(401)],
    ['a wrong request', failure(400)],
    ['a chat that is too long', failure(400, 'prompt is too long')],
    ['a wrong name', failure(404)],
  ] as const) {
    it(`does not hide ${why}`, () =>
      onServers({ first: [answer], second: undefined }, async (models, servers) => {
        await problemFrom(ask(withFallbacks(models)));
        assert.deepEqual(asked(servers), [1, 0]);
      }));
  }

  it('ends with the first one’s problem when none answers, and names what the others said', () =>
    onServers({ first: [failure(500, 'burnt')], second: [failure(401)] }, async (models) => {
      const problem = await problemFrom(ask(withFallbacks(models)));
      assert.equal(problem.kind, 'server');
      assert.match(problem.why, /burnt.*second: The model server did not accept the key/);
    }));

  it('stops where the caller stops', () =>
    onServers({ first: [{ ...reply('x'), delayMs: Infinity }], second: undefined }, async (models, servers) => {
      const reason = new Error('stop');
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 30);
      await assert.rejects(ask(withFallbacks(models), {}, controller.signal), (error) => error === reason);
      assert.equal(servers[1]!.requests.length, 0);
    }));
});

describe('models by chance', () => {
  it('are the same ones for the same seed, and all of them have their turn', () =>
    onServers({ a: undefined, b: undefined, c: undefined }, async (models) => {
      const played = async (seed: number): Promise<string> => {
        const model = randomModelOf(models, seededRandom(seed));
        let names = '';
        for (let call = 0; call < 12; call++) names += (await ask(model)).reply.model;
        return names;
      };
      const [one, again, other] = [await played(7), await played(7), await played(8)];
      assert.equal(one, again);
      assert.notEqual(one, other);
      assert.deepEqual([...new Set(one)].sort(), ['a', 'b', 'c']);
      assert.deepEqual(
        [randomModelOf(models).info.name, randomModelOf(models).info.contextWindow],
        ['a + b + c', 1_000],
      );
    }));
});

describe('models of which some never get images', () => {
  const model = (name: string, { textOnly }: { readonly textOnly: boolean }): Model => ({
    info: { name, provider: 'test', contextWindow: null, ...(textOnly && { textOnly }) },
    complete: () => Promise.reject(new Error('No request is sent.')),
  });

  it('never get images together only if none of them does', () => {
    assert.equal(randomModelOf([model('a', { textOnly: true }), model('b', { textOnly: true })]).info.textOnly, true);
    assert.equal(
      randomModelOf([model('a', { textOnly: true }), model('b', { textOnly: false })]).info.textOnly,
      undefined,
    );
  });
});

describe('models in turn', () => {
  it('follow from how far the chat is, also where it is resumed', () =>
    onServers({ a: undefined, bb: undefined }, async ([a, bb]) => {
      const turns = async (): Promise<string[]> => {
        const model = modelsInTurn([a, a, bb!]);
        const names: string[] = [];
        for (let replies = 0; replies < 5; replies++)
          names.push((await ask(model, { messages: after(replies) })).reply.model);
        return names;
      };
      assert.deepEqual(await turns(), ['a', 'a', 'bb', 'a', 'a']);
      assert.equal(
        (await ask(modelsInTurn([a, a, bb!]), { messages: after(2) })).reply.model,
        'bb',
        'a new process goes on at the same place',
      );
      assert.deepEqual(modelsInTurn([a, a, bb!]).info, {
        name: 'a + bb',
        provider: `${a.info.provider}, ${bb!.info.provider}`,
        contextWindow: 1_000,
      });
    }));
});

describe('a model beside one that can see', () => {
  const seen: ChatMessage[] = [
    question[0]!,
    {
      role: 'user',
      content: 'What is this?',
      images: [
        { mediaType: 'image/png', data: 'AAAA' },
        { mediaType: 'image/png', data: 'BBBB' },
      ],
    },
  ];

  it('reads chats without pictures, and the other one those with', () =>
    onServers({ reads: undefined, sees: undefined }, async ([reads, sees], servers) => {
      const model = withImageModel(reads, sees);
      assert.deepEqual(
        [(await ask(model)).reply.model, (await ask(model, { messages: seen })).reply.model],
        ['reads', 'sees'],
      );
      assert.match(servers[1]!.requests[0]!.text, /data:image\/png;base64,AAAA/);
    }));

  it('reads words in place of the pictures where nobody can see, and says so once', () =>
    onServers({ reads: undefined }, async ([reads], [server]) => {
      const model = withImageModel(reads);
      const notices: string[] = [];
      for (let call = 0; call < 2; call++)
        await ask(model, { messages: seen, onNotice: (words) => void notices.push(words) });
      assert.equal(
        server!.requests[1]!.body.messages[1]!.content,
        'What is this?\n\n[2 images were omitted: this model cannot read images.]',
      );
      assert.equal(notices.length, 1);
    }));
});
