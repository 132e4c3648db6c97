import type { Action, Assessment, RunPlace } from '../../protocol/events/event';
import { shellFolder } from '../log/history';
import type { History } from '../log/projection';

/** What may be another by the time that somebody answers. */
export interface AtThisMoment {
  readonly risk: Assessment;
  /** Where a command would run. */
  readonly place: RunPlace | undefined;
  /**
   * Path and version of each file that an edit changes and that the model never read; the version is null where there
   * is no such file.
   */
  readonly unreadFiles?: readonly (readonly [path: string, version: string | null])[] | undefined;
}

/**
 * What a person consents to, as 64 hexadecimal digits: this one action with its exact input, the folder that a
 * command runs in, and the
 * scripts and settings that it runs as they are at this moment, and where it runs. Whatever of it changes gives
 * another hash, and no
 * two actions share one. An edit of files that the model never read is bound to what they hold: nothing else ties it
 * to the lines that
 * the person was shown.
 */
export async function consentHash(action: Action, now: AtThisMoment, history: History): Promise<string> {
  const { id, tool, input, rawInput } = action;
  const { risk, place, unreadFiles = [] } = now;
  const whereItRuns = place ? [place.runs, place.words] : [];
  const parts = [
    id,
    tool,
    input,
    rawInput ?? null,
    ...whatItRuns(action, risk, history),
    ...whereItRuns,
    ...unreadFiles,
  ];
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

function whatItRuns({ effect, problem }: Action, { pins = {} }: Assessment, history: History): unknown[] {
  if (problem !== undefined) return [];
  const sorted = Object.entries(pins).sort(([a], [b]) => (a < b ? -1 : 1));
  if (effect === 'executes') return [shellFolder(history), sorted];
  return sorted.length > 0 ? [sorted] : [];
}
