import type { Sampling, Usage } from '../../../protocol/events/event';
import { addUsage, tellsTokens } from '../../log/addUsage';
import { readCandidate, type CandidateReader } from './candidate';
import { candidateAsker } from './candidateReplies';
import type { Model } from '../../ports/model';
import type { SamplingSettings } from './samplingSettings';
import { promptsFor, type Render } from './verifiers/prompts';
import type { Choice, Verdict } from './verifiers/verifier';
import { verifiers } from './verifiers/verifiers';
import { wait } from '../decorators/wait';

export interface SamplingParts {
  readonly settings: SamplingSettings;
  readonly reader: CandidateReader;
  /** The model that judges, where it is not the one that acts. */
  readonly verifierModel?: Model | undefined;
  /** For the templates of the settings. */
  readonly render: Render;
  /** Between attempts. Rejects with the signal's reason when it aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * The same model, asked for several candidates of each reply, of which one is chosen. All of them, with scores and
 * reasons, are in the reply's `sampling`; its `usage` counts every call. No candidate streams, as it is not known which
 * will count: progress does. Throws an `Error` in words for the person when a pattern of the settings cannot be used.
 */
export function sampling(
  model: Model,
  { settings, reader, verifierModel = model, render, sleep = wait }: SamplingParts,
): Model {
  if (settings.candidates <= 1) return model;
  const ask = candidateAsker(model, settings);
  const verifier = verifiers[settings.verifier.kind]({
    settings: settings.verifier,
    model: verifierModel,
    prompts: promptsFor(settings.verifier.templates, render),
    parallel: settings.parallel,
    sleep,
  });
  return {
    get info() {
      return model.info;
    },
    async complete(request, signal) {
      const { replies, usages, problems } = await ask(request, signal);
      const candidates = replies.map((reply) => readCandidate(reply, reader));
      const choice: Choice = {
        candidates,
        messages: request.messages,
        progress: (done, of) => request.onDelta?.({ kind: 'progress', doing: 'judging', done, of }),
      };
      const {
        scores,
        usages: judging,
        ...verdict
      } = candidates.length === 1 ? onlyOne : await verifier.choose(choice, signal);
      const record: Sampling = {
        ...verdict,
        candidates: candidates.map((candidate, index) =>
          scores ? { ...candidate, score: scores[index] ?? null } : candidate,
        ),
        reason: [
          verdict.reason,
          ...problems.slice(-1).map((problem) => lost(problems.length, settings.candidates, problem)),
        ].join(' '),
        ...(judging.length > 0 && { verifierUsage: addUsage(judging) }),
      };
      const all = [...usages, ...judging];
      return { ...replies[record.chosen]!, usage: addUsage(all), sampling: { ...record, ...countUntold(all) } };
    },
  };
}

function countUntold(usages: readonly Usage[]): Pick<Sampling, 'untold'> {
  const tokens = usages.filter((usage) => !tellsTokens(usage)).length;
  const cost = usages.filter((usage) => usage.cost === null).length;
  return tokens + cost === 0 ? {} : { untold: { tokens, cost } };
}

const onlyOne: Verdict = {
  chosen: 0,
  by: 'first_valid',
  reason: 'It is the only candidate that came.',
  outputs: [],
  usages: [],
};

const lost = (count: number, of: number, problem: unknown): string =>
  `${count} of ${of} candidates failed: ${problem instanceof Error ? problem.message : String(problem)}`;
