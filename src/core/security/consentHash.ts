import type { Action, Assessment, RunPlace } from '../../protocol/events/event';
import { shellFolder } from '../log/shellState';
import type { History } from '../log/projection';
import { compareTexts } from '../text/order';

/** Facts that may change before a person answers. */
export interface CurrentFacts {
  readonly risk: Assessment;
  /** Where a command would run. */
  readonly place: RunPlace | undefined;
  /**
   * Path and version of each file that an edit changes and whose current text the model was not shown. The version is
   * null if the file does not exist.
   */
  readonly unreadFiles?: readonly (readonly [path: string, version: string | null])[] | undefined;
}

/**
 * Returns a hash of what a person consents to, as 64 hexadecimal digits: this one action with its exact input, where it
 * runs, its folder, and the current scripts and settings that it uses. Any change gives another hash, and no two
 * actions share one. For an edit of files whose current text the model was not shown, the hash includes their versions,
 * because nothing else ties the edit to the lines shown to the person.
 */
export async function consentHash(action: Action, now: CurrentFacts, history: History): Promise<string> {
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
  const sorted = Object.entries(pins).sort(([a], [b]) => compareTexts(a, b));
  if (effect === 'executes') return [shellFolder(history), sorted];
  return sorted.length > 0 ? [sorted] : [];
}
