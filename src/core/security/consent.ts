import type { Action, Assessment, RunPlace } from '../../protocol/event';
import { shellFolder } from '../agent/history';
import type { History } from '../agent/projection';

/**
 * What a person consents to, as 64 hexadecimal digits: this one action with its exact input, the folder that a command runs in, and the
 * scripts and settings that it runs as they are at this moment, and where it runs. Whatever of it changes gives another hash, and no
 * two actions share one.
 */
export async function consentHash(action: Action, risk: Assessment, history: History, place: RunPlace | undefined): Promise<string> {
  const { id, tool, input, rawInput } = action;
  const parts = [id, tool, input, rawInput ?? null, ...whatItRuns(action, risk, history), ...(place ? [place.runs, place.words] : [])];
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), byte => byte.toString(16).padStart(2, '0')).join('');
}

function whatItRuns({ effect, problem }: Action, { pins = {} }: Assessment, history: History): unknown[] {
  if (problem !== undefined) return [];
  const sorted = Object.entries(pins).sort(([a], [b]) => (a < b ? -1 : 1));
  if (effect === 'executes') return [shellFolder(history), sorted];
  return sorted.length > 0 ? [sorted] : [];
}
