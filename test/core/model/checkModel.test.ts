import assert from 'node:assert/strict';
import { checkModel, type ModelReport } from '../../../src/core/model/checkModel';
import { withServer } from '../../support/ask';
import {
  failure,
  reply,
  silence,
  toolCall,
  unstreamed,
  type Answering,
  type ModelServer,
} from '../../support/modelServer';

const right = toolCall(
  'report_word',
  { word: 'lighthouse' },
  {
    reasoning: 'I call it.',
    usage: { prompt_tokens: 90, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 0 } },
  },
);
const check = (
  answers: readonly Answering[],
  images = false,
  name = 'test-model',
  use: (report: ModelReport, server: ModelServer) => void = () => {},
): Promise<ModelReport> =>
  withServer(
    answers,
    async (model, server) => {
      const report = await checkModel(model, new AbortController().signal, { images });
      use(report, server);
      return report;
    },
    { name },
  );
const states = ({ findings }: ModelReport): string => findings.map(({ item, state }) => `${item}: ${state}`).join(', ');
const words = ({ findings }: ModelReport, item: string): string => findings.find((found) => found.item === item)!.words;

describe('the check of a model', () => {
  it('tells with one call what an endpoint can do', async () => {
    const report = await check([right], false, 'gpt-5', (_, { requests }) =>
      assert.deepEqual([requests.length, requests[0]!.body.tools?.length], [1, 1]),
    );
    assert.equal(
      states(report),
      'answers: yes, tools: yes, streaming: yes, reasoning: yes, usage: yes, cached tokens: yes, cost: yes, context window: yes',
    );
    assert.equal(words(report, 'usage'), 'It counts tokens: 90 read, 9 written.');
    assert.match(words(report, 'context window'), /400,000/);
  });

  it('tells what is missing or cannot be told', async () => {
    const report = await check([unstreamed({ text: 'I cannot call tools, sorry.', usage: null })]);
    assert.equal(
      states(report),
      'answers: yes, tools: no, streaming: no, reasoning: unknown, usage: no, cached tokens: unknown, cost: unknown, context window: unknown',
    );
    assert.match(words(report, 'tools'), /“I cannot call tools, sorry\.”/);
  });

  it('asks once more without tools where a server takes none', async () => {
    const report = await check([failure(400, 'test-model does not support tools'), reply('lighthouse, I would say')]);
    assert.match(states(report), /^answers: yes, tools: no, streaming: yes/);
    assert.match(words(report, 'tools'), /does not support tools/);
  });

  it('is a report, too, when nothing answers', async () => {
    const report = await check([failure(401, 'no such key')]);
    assert.equal(states(report), 'answers: no');
    assert.equal(report.problem?.kind, 'authentication');
    assert.match(words(report, 'answers'), /did not accept the key.*Set API Key/);
  });

  it('does not call a wrong call right', async () => {
    assert.match(states(await check([toolCall('report_word', '{"word":"lightho')])), /tools: unknown/);
    assert.match(states(await check([toolCall('other', { word: 'lighthouse' })])), /tools: unknown/);
  });

  for (const [answer, state, sentence] of [
    [reply('Red.'), 'yes', /saw the red square/],
    [reply('A bored cat'), 'unknown', /“A bored cat”/],
    [failure(500, 'image input is not supported'), 'no', /does not support pictures/],
  ] as const) {
    it(`shows a picture only when asked to; pictures are ${state} where that says so`, async () => {
      const report = await check([right, answer, reply('What picture?')], true);
      assert.match(states(report), new RegExp(`reasoning: yes, pictures: ${state}, usage: yes`));
      assert.match(words(report, 'pictures'), sentence);
    });
  }

  it('ends with the reason of who stops it', () =>
    withServer([silence], async (model) => {
      const reason = new Error('stop');
      await assert.rejects(
        checkModel(model, AbortSignal.any([AbortSignal.timeout(50), AbortSignal.abort(reason)])),
        (error) => error === reason,
      );
    }));
});
