import { chatModel } from '../../src/adapters/models/chat/chatModel';
import type { EndpointOptions } from '../../src/adapters/models/endpoint/endpoint';
import { responsesModel } from '../../src/adapters/models/responses/responsesModel';
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

/** Starts a server with these answers, passes a model for it to `use`, and always stops the server. */
export async function withServer<T>(
  answers: readonly Answering[],
  use: (model: Model, server: ModelServer) => Promise<T>,
  options: Partial<EndpointOptions> = {},
  serverOptions: ModelServerOptions = {},
): Promise<T> {
  const server = await startModelServer(answers, serverOptions);
  try {
    return await use(
      chatModel({ baseUrl: server.baseUrl, name: 'test-model', idleTimeoutMs: 20_000, ...options }),
      server,
    );
  } finally {
    await server.stop();
  }
}

/** Like `withServer`, for a model that uses the Responses API. */
export async function withResponses<T>(
  answers: readonly Answering[],
  use: (model: Model, server: ModelServer) => Promise<T>,
  options: Partial<EndpointOptions> = {},
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

interface Asked {
  readonly reply: ModelReply;
  readonly deltas: ReplyDelta[];
  readonly notices: string[];
}

/** Asks one question. Returns the reply with its deltas and the notices for the user. */
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

/** Returns the model's reply to one question. */
export const replyTo = (answers: readonly Answering[], options: Partial<EndpointOptions> = {}): Promise<Asked> =>
  withServer(answers, (model) => ask(model), options);

/** Returns the `ModelProblem` with which a promise rejects. Fails if it resolves or rejects with anything else. */
export async function problemFrom(promise: Promise<unknown>): Promise<ModelProblem> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof ModelProblem) return error;
    throw error;
  }
  throw new Error('It ended well, but a ModelProblem was expected.');
}
