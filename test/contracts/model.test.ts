import { chatModel } from '../../src/adapters/models/chat/chatModel';
import { scriptedModel } from '../../src/adapters/models/scriptedModel';
import { withRetries } from '../../src/core/model/decorators/withRetries';
import { answer, startModelServer } from '../support/modelServer';
import { modelContract, type ModelUnderTest, type PlannedReply } from './model.contract';

async function overHttp(replies: readonly PlannedReply[]): Promise<ModelUnderTest> {
  const answers = replies.map(({ say, calls, pauseMs }) => ({
    ...answer({ ...(say && { text: say }), ...(calls && { calls }) }),
    ...(pauseMs && { pauseMs, pieceBytes: 150 }),
  }));
  const server = await startModelServer(answers);
  return { model: chatModel({ baseUrl: server.baseUrl, name: 'test-model' }), stop: server.stop };
}

modelContract('an OpenAI-compatible server', overHttp);
modelContract('a script', async (replies) => ({
  model: scriptedModel(replies.map(({ calls, ...line }) => ({ ...line, ...(calls && { calls: [...calls] }) }))),
  stop: async () => {},
}));
modelContract('a server with retries', async (replies) => {
  const { model, stop } = await overHttp(replies);
  return { model: withRetries(model, { maxAttempts: 2, baseMs: 1 }), stop };
});
