import type { ModelInfo } from '../../../protocol/events/event';
import { type Model, ModelProblem, type ModelProblemKind } from '../../ports/model';
import { discardableRequest } from './discardableRequest';
import { hasImages, withoutImages } from '../images';

/** Info of several models that share a chat. The context window is that of the smallest. */
function combinedModelInfo(models: readonly [Model, ...Model[]]): ModelInfo {
  const infos = models.map(({ info }) => info);
  const windows = infos.flatMap(({ contextWindow }) => contextWindow ?? []);
  return {
    name: [...new Set(infos.map(({ name }) => name))].join(' + '),
    provider: [...new Set(infos.map(({ provider }) => provider))].join(', '),
    contextWindow: windows.length > 0 ? Math.min(...windows) : null,
    ...(infos.some(({ scripted }) => scripted) && { scripted: true }),
    ...(infos.every(({ textOnly }) => textOnly) && { textOnly: true }),
  };
}

/** Picks a random one of these models for each call; they share the chat. `random` returns 0 ≤ x < 1. */
export function randomModelOf(models: readonly [Model, ...Model[]], random: () => number = Math.random): Model {
  return {
    info: combinedModelInfo(models),
    complete: (request, signal) => models[Math.floor(random() * models.length)]!.complete(request, signal),
  };
}

/**
 * Uses these models in turn. List a model twice to use it twice. The turn follows from the number of replies in the
 * chat, so that a resumed run continues with the right model.
 */
export function modelsInTurn(models: readonly [Model, ...Model[]]): Model {
  return {
    info: combinedModelInfo(models),
    complete(request, signal) {
      const replies = request.messages.filter(({ role }) => role === 'assistant').length;
      return models[replies % models.length]!.complete(request, signal);
    },
  };
}

/**
 * Problems for which another model may help. A wrong key, name or request has to be fixed by the person, and a
 * conversation that is too long by the condenser.
 */
const helps: ReadonlySet<ModelProblemKind> = new Set<ModelProblemKind>([
  'rate_limit',
  'quota',
  'server',
  'network',
  'stalled',
  'cut',
  'bad_stream',
]);

/**
 * Returns a model that tries these models in order; every call starts with the first again. A notice names the model
 * that took over. If all fail, throws the problem of the first. Wrap each of them in `withRetries`, not the result.
 */
export function withFallbacks(models: readonly [Model, ...Model[]]): Model {
  return {
    ...models[0],
    async complete(request, signal) {
      const problems: ModelProblem[] = [];
      for (const [index, model] of models.entries()) {
        const streaming = discardableRequest(request);
        try {
          return await model.complete(streaming.request, signal);
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof ModelProblem) || (!helps.has(error.kind) && index === 0)) throw error;
          problems.push(error);
          streaming.discard();
          const next = models[index + 1];
          if (next)
            request.onNotice?.(
              `${model.info.name} did not answer: ${error.what} ${error.why} ${next.info.name} takes over for this reply.`,
            );
        }
      }
      const [{ kind, what, why, next, retryAfterMs, contextWindow, cause }] = problems as [ModelProblem];
      const others = models.slice(1).map((model, index) => `${model.info.name}: ${problems[index + 1]!.what}`);
      throw new ModelProblem(kind, {
        what,
        why: others.length > 0 ? `${why} The fallback models failed as well (${others.join(' ')}).` : why,
        next,
        retryAfterMs,
        contextWindow,
        cause,
      });
    },
  };
}

/**
 * Sends chats with images to `seeing`, the model that accepts them. If there is none, replaces images with text and
 * sends a notice.
 */
export function withImageModel(model: Model, seeing?: Model): Model {
  let hasWarned = false;
  return {
    ...model,
    complete(request, signal) {
      if (!hasImages(request.messages)) return model.complete(request, signal);
      if (seeing) return seeing.complete(request, signal);
      if (!hasWarned)
        request.onNotice?.(
          `${model.info.name} cannot read images, so Waymark omits them. Name a model that can in the setting waymark.model.vision.`,
        );
      hasWarned = true;
      return model.complete({ ...request, messages: withoutImages(request.messages) }, signal);
    },
  };
}
