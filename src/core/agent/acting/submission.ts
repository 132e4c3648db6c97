import type { Action } from '../../../protocol/events/event';
import type { Profile } from '../../ports/profile';
import { submittedAfter } from '../../text/submittedAfter';
import type { Ran } from './runAction';

/** What an action hands in as the result of the task; undefined while the task goes on. */
export function submissionIn(
  { effect }: Action,
  { outcome, result }: Ran,
  { end: { markers } }: Pick<Profile, 'end'>,
): string | undefined {
  if (outcome !== 'ok') return undefined;
  if (effect === 'ends') return result.content;
  if (effect !== 'executes' || result.details?.kind !== 'command' || result.details.exitCode !== 0) return undefined;
  const { outputCharacters = result.content.length } = result.details;
  return submittedAfter(markers, result.content.slice(0, outputCharacters));
}
