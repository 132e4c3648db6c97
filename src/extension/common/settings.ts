import * as vscode from 'vscode';
import type { SandboxWanted } from '../../adapters/sandbox/sandbox';
import { limitsIn, type LimitsWanted } from '../../adapters/sandbox/limits';
import type { Prices } from '../../core/model/prices';
import { samplingDefaults, verifierKinds, type SamplingSettings } from '../../core/model/sampling/samplingSettings';
import type { ProfileOverrides } from '../../core/profiles/profileWith';
import { dialectNames, type DialectChoice } from '../../core/tools/dialects/dialect';
import type { Asking, ConfirmationMode, Limits, Mode, RiskCategory } from '../../protocol/events/event';

/** `auto`, a way to get a model that needs the editor, `compatible`, or the id of a provider in the list. */
export type Provider = string;

export interface Settings {
  readonly provider: Provider;
  readonly baseUrl: string;
  readonly modelName: string;
  /** Tokens; null when the setting is 0 and the provider must tell. */
  readonly contextWindow: number | null;
  /** US dollars per million tokens, by model name; wins over the built-in table. */
  readonly prices: Prices;
  readonly protocol: 'auto' | 'chat' | 'responses' | 'messages';
  /** "" when the server decides. */
  readonly reasoningEffort: string;
  /** Null when the server decides. */
  readonly temperature: number | null;
  /** As written: values may refer to variables and secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly extraBody: Readonly<Record<string, unknown>>;
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
  /** In which words the tools of a new session are offered. */
  readonly dialect: DialectChoice;
  readonly customToolsets: Readonly<Record<string, readonly string[]>>;
  readonly confirmation: ConfirmationMode;
  /** When `risky` asks. */
  readonly asking: Asking;
  /** Those that a person set; the others are as the profile says. */
  readonly limits: Partial<Limits>;
  readonly overrides: ProfileOverrides;
  readonly sampling: SamplingSettings;
  /** Regular expressions for the beginning of commands that need no consent. */
  readonly allowPatterns: readonly string[];
  /** The folder of templates, as a person wrote it; "" for none. */
  readonly templates: string;
  readonly shell: string;
  readonly sandbox: SandboxWanted;
  /** Limits of the sandbox that a person set. */
  readonly sandboxLimits: LimitsWanted;
  readonly allowedDomains: readonly string[];
  readonly environment: readonly string[];
}

const { verifier } = samplingDefaults;

const categories: readonly RiskCategory[] = ['network', 'deletes', 'outside', 'git_history', 'packages', 'protected'];

/** Only what is there. */
const known = <Key extends string>(values: Record<Key, number | undefined>): Partial<Record<Key, number>> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Record<Key, number>>;

/** The settings as they are now. Wrong values are the settings editor's to show; here they fall back to the default. */
export function readSettings(): Settings {
  const configuration = vscode.workspace.getConfiguration('waymark');
  const get = <Value>(key: string): Value | undefined => configuration.get<Value>(key);
  const number = (key: string, fallback: number) => {
    const value = get<number>(key);
    return typeof value === 'number' && value >= 0 ? value : fallback;
  };
  const given = (key: string) => {
    const { workspaceFolderValue, workspaceValue, globalValue } = configuration.inspect<unknown>(key) ?? {};
    const value = workspaceFolderValue ?? workspaceValue ?? globalValue;
    return typeof value === 'number' && value >= 0 ? value : undefined;
  };
  const texts = (key: string) => textsIn(get<unknown>(key));
  const oneOf = <Value extends string>(key: string, values: readonly Value[]) => {
    const value = get<Value>(key)!;
    return values.includes(value) ? value : values[0]!;
  };
  const toolsets = texts('toolsets');
  const wrapUp = oneOf('wrapUp', ['profile', 'on', 'off']);
  const critic = oneOf('critic', ['profile', 'off', 'agent_finished', 'empty_patch']);
  return {
    provider: (get<string>('model.provider') ?? '').trim() || 'auto',
    baseUrl: (get<string>('model.baseUrl') ?? '').trim(),
    modelName: (get<string>('model.name') ?? '').trim(),
    contextWindow: number('model.contextWindow', 0) || null,
    prices: get<Settings['prices']>('model.prices') ?? {},
    protocol: oneOf('model.protocol', ['auto', 'chat', 'responses', 'messages']),
    reasoningEffort: (get<string>('model.reasoningEffort') ?? '').trim(),
    temperature: get<number | null>('model.temperature') ?? null,
    headers: Object.fromEntries(
      Object.entries(get<object>('model.headers') ?? {}).filter(
        (header): header is [string, string] => typeof header[1] === 'string',
      ),
    ),
    extraBody: { ...get<object>('model.extraBody') },
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
    dialect: oneOf('tools.dialect', ['auto', ...dialectNames]),
    customToolsets: Object.fromEntries(
      Object.entries(get<object>('customToolsets') ?? {}).map(([name, tools]) => [name, textsIn(tools)]),
    ),
    confirmation: oneOf('confirmation', ['risky', 'always', 'never']),
    asking: {
      from: oneOf('ask.from', ['high', 'medium', 'low'] as const),
      about: categories.filter((category) => texts('ask.about').includes(category)),
    },
    limits: known({ steps: given('limits.steps'), cost: given('limits.cost'), seconds: given('limits.seconds') }),
    overrides: {
      stuck: known({
        sameResult: given('stuck.sameResult'),
        sameError: given('stuck.sameError'),
        alternating: given('stuck.alternating'),
        monologue: given('stuck.monologue'),
        window: given('stuck.window'),
      }),
      ...(wrapUp !== 'profile' && { wrapUp: wrapUp === 'on' }),
      ...(critic !== 'profile' && { critic }),
    },
    sampling: {
      candidates: Math.max(1, Math.round(number('candidates', 1))),
      useN: get<boolean>('sampling.useN') === true,
      parameters: get<SamplingSettings['parameters']>('sampling.parameters') ?? {},
      parallel: Math.max(1, number('sampling.parallel', samplingDefaults.parallel)),
      verifier: {
        kind: oneOf('verifier.kind', verifierKinds),
        model: (get<string>('verifier.model') ?? '').trim(),
        fallback: oneOf('verifier.fallback', ['first_candidate', 'first_valid']),
        historySteps: get<number>('verifier.historySteps') ?? verifier.historySteps,
        selectionRegex: get<string>('verifier.selectionRegex') || verifier.selectionRegex,
        indexBase: number('verifier.indexBase', verifier.indexBase),
        rewardRegex: get<string>('verifier.rewardRegex') || verifier.rewardRegex,
        attempts: Math.max(1, number('verifier.attempts', verifier.attempts)),
        similarity: number('verifier.similarity', verifier.similarity),
        checklist: oneOf('verifier.checklist', ['off', 'issue_progress']),
        seed: number('verifier.seed', verifier.seed),
        templates: {},
      },
    },
    allowPatterns: texts('allowPatterns'),
    templates: (get<string>('templates') ?? '').trim(),
    sandbox: oneOf('sandbox', ['auto', 'on', 'off']),
    sandboxLimits: limitsIn(get<unknown>('sandboxLimits')),
    allowedDomains: texts('allowedDomains'),
    shell: (get<string>('terminal.shell') ?? '').trim(),
    environment: get<string[]>('terminal.environment') ?? [],
  };
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string' && text.trim() !== '') : [];

export const writeSetting = (key: string, value: unknown): Thenable<void> =>
  vscode.workspace.getConfiguration('waymark').update(key, value, vscode.ConfigurationTarget.Global);
