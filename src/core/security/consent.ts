import type { Action } from '../../protocol/event';
import type { AgentParts } from '../agent/agent';
import { shellFolder } from '../agent/history';
import type { History } from '../agent/projection';
import { assessWith } from './analyzers';

/**
 * What a person consents to, as 64 hexadecimal digits: this one action with its exact input, the folder that a command runs in, and the
 * scripts and settings that it runs as they are at this moment. Whatever of it changes gives another hash, and no two actions share one.
 */
export async function consentHash({ id, tool, input, rawInput, effect, problem }: Action, parts: Pick<AgentParts, 'tools' | 'environment' | 'analyzers'>, history: History): Promise<string> {
  const executes = effect === 'executes' && problem === undefined ? [shellFolder(history), await pinsOf(tool, input, parts, history)] : [];
  const bytes = new TextEncoder().encode(JSON.stringify([id, tool, input, rawInput ?? null, ...executes]));
  return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), byte => byte.toString(16).padStart(2, '0')).join('');
}

async function pinsOf(name: string, input: unknown, { tools, environment, analyzers }: Pick<AgentParts, 'tools' | 'environment' | 'analyzers'>, history: History): Promise<[string, string][]> {
  const tool = tools.find(known => known.name === name);
  if (!tool) return [];
  const { pins = {} } = await assessWith(analyzers, tool, tool.bind(input), environment, history);
  return Object.entries(pins).sort(([a], [b]) => (a < b ? -1 : 1));
}
