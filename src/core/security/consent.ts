import type { Action, Assessment } from '../../protocol/event';
import { shellFolder } from '../agent/history';
import type { History } from '../agent/projection';

/**
 * What a person consents to, as 64 hexadecimal digits: this one action with its exact input, the folder that a command runs in, and the
 * scripts and settings that it runs as they are at this moment. Whatever of it changes gives another hash, and no two actions share one.
 */
export async function consentHash({ id, tool, input, rawInput, effect, problem }: Action, { pins = {} }: Assessment, history: History): Promise<string> {
  const sorted = Object.entries(pins).sort(([a], [b]) => (a < b ? -1 : 1));
  const executes = problem !== undefined ? [] : effect === 'executes' ? [shellFolder(history), sorted] : sorted.length > 0 ? [sorted] : [];
  const bytes = new TextEncoder().encode(JSON.stringify([id, tool, input, rawInput ?? null, ...executes]));
  return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), byte => byte.toString(16).padStart(2, '0')).join('');
}
