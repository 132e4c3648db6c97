import { ModelProblem, type Model, type ModelProblemKind } from '../../ports/model';
import { watchStreaming } from './watchStreaming';

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
 * that took over. If all fail, throws the problem of the first. Wrap each of them in `retry`, not the result.
 */
export function fallback(models: readonly [Model, ...Model[]]): Model {
  return {
    info: models[0].info,
    async complete(request, signal) {
      const problems: ModelProblem[] = [];
      for (const [index, model] of models.entries()) {
        const streaming = watchStreaming(request);
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
      const [{ kind, what, why, next, retryAfterMs, cause }] = problems as [ModelProblem];
      const others = models.slice(1).map((model, index) => `${model.info.name}: ${problems[index + 1]!.what}`);
      throw new ModelProblem(kind, {
        what,
        why: others.length > 0 ? `${why} The fallback models failed as well (${others.join(' ')}).` : why,
        next,
        retryAfterMs,
        cause,
      });
    },
  };
}
