import type { Sampling, Usage } from '../../../protocol/events/event';
import { addUsage, hasTokenCounts } from '../../log/spending';
import { readCandidate, type CandidateReader, candidateAsker } from './candidate';
import type { Model } from '../../ports/model';
import type { SamplingSettings } from './samplingSettings';
import { promptsFor, type Render } from './verifiers/prompts';
import type { CandidateChoice, CandidateVerdict } from './verifiers/verifier';
import { verifiers } from './verifiers/verifiers';
import { abortableDelay } from '../abortableDelay';
import { errorMessage } from '../../text/errorMessage';

/** What is needed to ask for several candidates and to choose one. */
export interface SamplingParts {
  readonly settings: SamplingSettings;
  readonly reader: CandidateReader;
  /** Model that judges, if it is not the one that acts. */
  readonly verifierModel?: Model | undefined;
  /** Renders the templates of the settings. */
  readonly render: Render;
  /** Waits between attempts. If aborted, rejects with the signal's reason. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Requests several candidates of each reply and chooses one. The reply's `sampling` contains all of them with scores
 * and reasons, and its `usage` covers every call. Candidates do not stream, because it is not known which one will be
 * chosen; progress is reported instead. Throws an `Error` with a message for people if a pattern in the settings is
 * invalid.
 */
export function sampling(
  model: Model,
  { settings, reader, verifierModel = model, render, sleep = abortableDelay }: SamplingParts,
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
      const choice: CandidateChoice = {
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
          ...problems.slice(-1).map((problem) => lostWords(problems.length, settings.candidates, problem)),
        ].join(' '),
        ...(judging.length > 0 && { verifierUsage: addUsage(judging) }),
      };
      const all = [...usages, ...judging];
      return { ...replies[record.chosen]!, usage: addUsage(all), sampling: { ...record, ...countUnreported(all) } };
    },
  };
}

function countUnreported(usages: readonly Usage[]): Pick<Sampling, 'untold'> {
  const tokens = usages.filter((usage) => !hasTokenCounts(usage)).length;
  const cost = usages.filter((usage) => usage.cost === null).length;
  return tokens + cost === 0 ? {} : { untold: { tokens, cost } };
}

const onlyOne: CandidateVerdict = {
  chosen: 0,
  by: 'first_valid',
  reason: 'Only one candidate arrived.',
  outputs: [],
  usages: [],
};

const lostWords = (count: number, of: number, problem: unknown): string =>
  `${count} of ${of} candidates failed: ${errorMessage(problem)}`;
