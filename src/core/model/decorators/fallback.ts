import { ModelProblem, type Model, type ModelProblemKind } from '../../ports/model';
import { watchStreaming } from './watchStreaming';

/**
 * What another model can help against. A wrong key, name or request is the person's to mend, a
 * conversation that is too long the condenser's.
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
 * The first of these models that answers; every call begins with the first again. A notice says which one took over.
 * When none answers, the problem is the first one's. Put `retry` around each of them, not around the whole.
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
      throw new ModelProblem(
        kind,
        what,
        others.length > 0 ? `${why} The models that should take over failed as well (${others.join(' ')}).` : why,
        next,
        retryAfterMs,
        { cause },
      );
    },
  };
}
