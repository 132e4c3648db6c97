import * as vscode from 'vscode';
import type { Prices } from '../core/model/prices';
import type { ConfirmationMode, Limits, Mode } from '../protocol/event';

export type Provider = 'auto' | 'openai' | 'vscode' | 'tutorial';

export interface Settings {
  readonly provider: Provider;
  readonly baseUrl: string;
  readonly modelName: string;
  /** Tokens; null when the setting is 0 and the provider must tell. */
  readonly contextWindow: number | null;
  /** US dollars per million tokens, by model name; wins over the built-in table. */
  readonly prices: Prices;
  readonly protocol: 'chat' | 'responses';
  /** Tokens of one reply; null when the server decides. */
  readonly maxOutputTokens: number | null;
  readonly promptCaching: 'auto' | 'on' | 'off';
  /** Further models by "name" or "address name". */
  readonly fallbacks: readonly string[];
  readonly alternates: readonly string[];
  readonly alternation: 'in_turn' | 'by_lot';
  /** "" when the model itself sees, "none" when no model does. */
  readonly vision: string;
  readonly mode: Mode;
  /** The name of an agent profile. */
  readonly profile: string;
  /** Undefined: as the profile says. */
  readonly toolsets?: readonly string[];
  readonly disabledToolsets: readonly string[];
  readonly customToolsets: Readonly<Record<string, readonly string[]>>;
  readonly confirmation: ConfirmationMode;
  readonly limits: Limits;
  readonly shell: string;
  readonly environment: readonly string[];
}

/** The settings as they are now. Wrong values are the settings editor's to show; here they fall back to the default. */
export function readSettings(): Settings {
  const { get } = vscode.workspace.getConfiguration('waymark');
  const number = (key: string, fallback: number) => { const value = get<number>(key); return typeof value === 'number' && value >= 0 ? value : fallback; };
  const texts = (key: string) => textsIn(get<unknown>(key));
  const oneOf = <Value extends string>(key: string, values: readonly Value[]) => { const value = get<Value>(key)!; return values.includes(value) ? value : values[0]!; };
  const toolsets = texts('toolsets');
  return {
    provider: oneOf('model.provider', ['auto', 'openai', 'vscode', 'tutorial']),
    baseUrl: (get<string>('model.baseUrl') ?? '').trim(),
    modelName: (get<string>('model.name') ?? '').trim(),
    contextWindow: number('model.contextWindow', 0) || null,
    prices: get<Settings['prices']>('model.prices') ?? {},
    protocol: oneOf('model.protocol', ['chat', 'responses']),
    maxOutputTokens: number('model.maxOutputTokens', 0) || null,
    promptCaching: oneOf('model.promptCaching', ['auto', 'on', 'off']),
    fallbacks: texts('model.fallbacks'),
    alternates: texts('model.alternates'),
    alternation: oneOf('model.alternation', ['in_turn', 'by_lot']),
    vision: (get<string>('model.vision') ?? '').trim(),
    mode: oneOf('mode', ['confirm', 'auto', 'plan', 'human']),
    profile: (get<string>('profile') ?? '').trim() || 'waymark',
    ...(toolsets.length > 0 && { toolsets }),
    disabledToolsets: texts('disabledToolsets'),
    customToolsets: Object.fromEntries(Object.entries(get<object>('customToolsets') ?? {}).map(([name, tools]) => [name, textsIn(tools)])),
    confirmation: oneOf('confirmation', ['risky', 'always', 'never']),
    limits: { steps: number('limits.steps', 100), cost: number('limits.cost', 5), seconds: number('limits.seconds', 0) },
    shell: (get<string>('terminal.shell') ?? '').trim(),
    environment: get<string[]>('terminal.environment') ?? [],
  };
}

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string' && text.trim() !== '') : []);

export const writeSetting = (key: string, value: unknown): Thenable<void> => vscode.workspace.getConfiguration('waymark').update(key, value, vscode.ConfigurationTarget.Global);
