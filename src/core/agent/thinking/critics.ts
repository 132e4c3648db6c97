import type { Profile } from '../../ports/profile';
import { Feedback } from '../interrupt';
import type { History } from '../../log/projection';
import { agentResults, eventsSinceLastMessage } from '../../log/agentResults';

/** Quality of the work of a run, 0 … 1, with a reason for the model. */
interface Verdict {
  readonly score: number;
  readonly why: string;
}

/** How a run would end: an action declares that the task is done, or the model only answers with text. */
export type Ending = 'declared' | 'answered';

/** Judges the work when the run would end. */
type Critic = (history: History, ending: Ending) => Verdict;

const good: Verdict = { score: 1, why: '' };

/** ★ Critics by name. They only read the log, so they cost nothing. */
const critics: Readonly<Record<NonNullable<Profile['critic']>['name'], Critic>> = {
  /** Commands that may have changed something count as changes, too. */
  empty_patch: (history) =>
    agentResults(history).some(
      ({ outcome, action, details }) =>
        outcome === 'ok' && (details?.kind === 'edit' || (action.effect === 'executes' && action.risk.level !== 'low')),
    )
      ? good
      : { score: 0, why: 'Nothing was changed.' },
  agent_finished: (_history, ending) =>
    ending === 'declared' ? good : { score: 0, why: 'The task ended without a statement that it is done.' },
};

const enough = 0.6;

/**
 * Sends the model back to work if the critic is not satisfied. Returns undefined if the work is good enough or the
 * maximum number of rounds is reached.
 */
export function reviewByCritic(
  { critic }: Pick<Profile, 'critic'>,
  history: History,
  ending: Ending,
): Feedback | undefined {
  if (!critic || roundsIn(history) >= critic.rounds) return undefined;
  const { score, why } = critics[critic.name](history, ending);
  return score >= enough
    ? undefined
    : new Feedback('not_enough', `${why} Continue until the task is complete, or say why nothing is left to do.`);
}

/** Number of times the critic sent the model back since a person last spoke. */
const roundsIn = (history: History): number =>
  eventsSinceLastMessage(history).filter((event) => event.type === 'feedback' && event.cause === 'not_enough').length;
