import { openAiModel, type OpenAiModelOptions } from '../../src/adapters/models/openai/openAiModel';
import { responsesModel } from '../../src/adapters/models/openai/responsesModel';
import {
  ModelProblem,
  type ChatMessage,
  type Model,
  type ModelReply,
  type ModelRequest,
  type ReplyDelta,
} from '../../src/core/ports/model';
import { startModelServer, type Answering, type ModelServer, type ModelServerOptions } from './modelServer';

export const question: ChatMessage[] = [
  { role: 'system', content: 'Answer.' },
  { role: 'user', content: 'What is it?' },
];

/** Starts a server with these answers, hands a model for it to `use` and stops the server whatever happens. */
export async function withServer<T>(
  answers: readonly Answering[],
  use: (model: Model, server: ModelServer) => Promise<T>,
  options: Partial<OpenAiModelOptions> = {},
  serverOptions: ModelServerOptions = {},
): Promise<T> {
  const server = await startModelServer(answers, serverOptions);
  try {
    return await use(
      openAiModel({ baseUrl: server.baseUrl, name: 'test-model', idleTimeoutMs: 20_000, ...options }),
      server,
    );
  } finally {
    await server.stop();
  }
}

/** The same for a model that speaks the Responses API. */
export async function withResponses<T>(
  answers: readonly Answering[],
  use: (model: Model, server: ModelServer) => Promise<T>,
  options: Partial<OpenAiModelOptions> = {},
): Promise<T> {
  const server = await startModelServer(answers);
  try {
    return await use(
      responsesModel({ baseUrl: server.baseUrl, name: 'test-model', idleTimeoutMs: 20_000, ...options }),
      server,
    );
  } finally {
    await server.stop();
  }
}

export interface Asked {
  readonly reply: ModelReply;
  readonly deltas: ReplyDelta[];
  readonly notices: string[];
}

/** One question, with the deltas that came and what the person was told. */
export async function ask(
  model: Model,
  request: Partial<ModelRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Asked> {
  const deltas: ReplyDelta[] = [];
  const notices: string[] = [];
  const listeners = {
    onDelta: (delta: ReplyDelta) => void deltas.push(delta),
    onNotice: (words: string) => void notices.push(words),
  };
  const reply = await model.complete({ messages: question, tools: [], ...listeners, ...request }, signal);
  return { reply, deltas, notices };
}

/** The answers' effect: what the model replies to one question. */
export const replyTo = (answers: readonly Answering[], options: Partial<OpenAiModelOptions> = {}): Promise<Asked> =>
  withServer(answers, (model) => ask(model), options);

/** The problem that a promise ends with; fails when it ends well or with anything else. */
export async function problemFrom(promise: Promise<unknown>): Promise<ModelProblem> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof ModelProblem) return error;
    throw error;
  }
  throw new Error('It ended well, but a ModelProblem was expected.');
}
