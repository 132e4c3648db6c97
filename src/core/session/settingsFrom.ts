import type { Asking, ConfirmationMode, Limits, Mode, RiskCategory } from '../../protocol/events/event';
import type { Model } from '../ports/model';
import type { Prices } from '../model/prices';
import { samplingDefaults, type SamplingSettings } from '../model/sampling/samplingSettings';
import type { ProfileOverrides } from '../profiles/profileWith';
import { settings as table, type GivenSettings, type SettingKey, type SettingValues } from '../settings/table';
import type { DialectChoice } from '../tools/dialects/dialect';

/** What a person set, in the shape that a session uses. */
export interface Settings {
  /** `auto`, a way to get a model that needs the editor, `compatible`, or the id of a provider in the list. */
  readonly provider: string;
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
  /** Whether a limit of cost may be one that cannot count. */
  readonly ignoreUnknownCost: boolean;
  /** By folder; see `wordsFor`. */
  readonly promptPrefix: Readonly<Record<string, string>>;
  readonly promptSuffix: Readonly<Record<string, string>>;
  /** The folder for the lines of Hermes Agent; "" for none. */
  readonly saveTrajectories: string;
  /** Those that a person set; the others are as the profile says. */
  readonly limits: Partial<Limits>;
  readonly overrides: ProfileOverrides;
  readonly sampling: SamplingSettings;
  /** Whether edits wait for review before they change a file. */
  readonly holdsEdits: boolean;
  /** Regular expressions for the beginning of commands that need no consent. */
  readonly allowPatterns: readonly string[];
  /** The folder of templates, as a person wrote it; "" for none. */
  readonly templates: string;
  readonly shell: string;
  readonly sandbox: 'auto' | 'on' | 'off';
  /** Limits of the sandbox that a person set. */
  readonly sandboxLimits: SettingValues['sandboxLimits'];
  readonly allowedDomains: readonly string[];
  /** Hosts of this machine and its network that pages may be read from. */
  readonly privateHosts: readonly string[];
  readonly environment: readonly string[];
}

/** Where the settings of a host are. */
export interface SettingSource {
  /** The value, checked, or the default. */
  get<Key extends SettingKey>(key: Key): SettingValues[Key];
  /** Whether a person set it, be it to the default. */
  isGiven(key: SettingKey): boolean;
}

/** The settings of a host where all that was set is in one object. */
export const givenSource = (given: GivenSettings): SettingSource => ({
  get: <Key extends SettingKey>(key: Key) => (given[key] ?? table[key].default) as SettingValues[Key],
  isGiven: (key) => given[key] !== undefined,
});

const categories: readonly RiskCategory[] = ['network', 'deletes', 'outside', 'git_history', 'packages', 'protected'];

/** Absent where the profile decides. */
export function wholeRepliesFrom({ get }: SettingSource): { readonly wholeReplies?: boolean } {
  const when = get('ask.wholeReplies');
  return when === 'profile' ? {} : { wholeReplies: when === 'on' };
}

/** The setting for a folder or for a folder that contains it; else the setting for all other folders. */
export function wordsFor(folder: string, byFolder: Readonly<Record<string, string>>): string {
  const holding = Object.keys(byFolder).filter((name) => {
    const end = name.replace(/[\\/]$/, '');
    return folder === end || folder.startsWith(`${end}/`) || folder.startsWith(`${end}\\`);
  });
  const [nearest = '*'] = holding.sort((a, b) => b.length - a.length);
  return byFolder[nearest] ?? '';
}

export function settingsFrom(source: SettingSource): Settings {
  const get = source.get.bind(source);
  const toolsets = get('toolsets');
  const about = get('ask.about');
  const consented = [...get('ask.consented')];
  return {
    provider: get('model.provider') || 'auto',
    baseUrl: get('model.baseUrl'),
    modelName: get('model.name'),
    contextWindow: get('model.contextWindow') || null,
    prices: get('model.prices'),
    protocol: get('model.protocol'),
    reasoningEffort: get('model.reasoningEffort'),
    temperature: get('model.temperature'),
    headers: get('model.headers'),
    extraBody: get('model.extraBody'),
    maxOutputTokens: get('model.maxOutputTokens') || null,
    promptCaching: get('model.promptCaching'),
    fallbacks: get('model.fallbacks'),
    alternates: get('model.alternates'),
    alternation: get('model.alternation'),
    vision: get('model.vision'),
    mode: get('mode'),
    profile: get('profile') || 'waymark',
    ...(toolsets.length > 0 && { toolsets }),
    disabledToolsets: get('disabledToolsets'),
    dialect: get('tools.dialect'),
    customToolsets: get('customToolsets'),
    confirmation: get('confirmation'),
    asking: {
      from: get('ask.from'),
      about: categories.filter((category) => about.includes(category)),
      ...(consented.length > 0 && { consented }),
      ...wholeRepliesFrom(source),
    },
    ignoreUnknownCost: get('limits.ignoreUnknownCost'),
    promptPrefix: get('prompt.prefix'),
    promptSuffix: get('prompt.suffix'),
    saveTrajectories: get('saveTrajectories'),
    limits: limitsFrom(source),
    overrides: overridesFrom(source),
    sampling: samplingFrom(source),
    holdsEdits: get('edits.apply') === 'afterReview',
    allowPatterns: get('allowPatterns'),
    templates: get('templates'),
    sandbox: get('sandbox'),
    sandboxLimits: get('sandboxLimits'),
    allowedDomains: get('allowedDomains'),
    privateHosts: get('web.privateHosts'),
    shell: get('terminal.shell'),
    environment: get('terminal.environment'),
  };
}

/** The limits that a person set. */
export const limitsFrom = (source: SettingSource): Partial<Limits> => ({
  ...(source.isGiven('limits.steps') && { steps: source.get('limits.steps') }),
  ...(source.isGiven('limits.cost') && { cost: source.get('limits.cost') }),
  ...(source.isGiven('limits.seconds') && { seconds: source.get('limits.seconds') }),
});

/** What a person wants otherwise than the profile says. */
export function overridesFrom({ get }: SettingSource): ProfileOverrides {
  const stuck = {
    sameResult: get('stuck.sameResult'),
    sameError: get('stuck.sameError'),
    alternating: get('stuck.alternating'),
    monologue: get('stuck.monologue'),
    window: get('stuck.window'),
  };
  const wrapUp = get('wrapUp');
  const critic = get('critic');
  return {
    stuck: Object.fromEntries(Object.entries(stuck).filter(([, value]) => value !== null)),
    ...(wrapUp !== 'profile' && { wrapUp: wrapUp === 'on' }),
    ...(critic !== 'profile' && { critic }),
  };
}

/** How replies are sampled, and how one of several is chosen. */
export function samplingFrom({ get }: SettingSource): SamplingSettings {
  const usual = samplingDefaults.verifier;
  return {
    candidates: get('candidates'),
    useN: get('sampling.useN'),
    parameters: get('sampling.parameters'),
    parallel: get('sampling.parallel'),
    verifier: {
      kind: get('verifier.kind'),
      model: get('verifier.model'),
      fallback: get('verifier.fallback'),
      historySteps: get('verifier.historySteps'),
      selectionRegex: get('verifier.selectionRegex') || usual.selectionRegex,
      indexBase: get('verifier.indexBase'),
      rewardRegex: get('verifier.rewardRegex') || usual.rewardRegex,
      attempts: get('verifier.attempts'),
      similarity: get('verifier.similarity'),
      checklist: get('verifier.checklist'),
      seed: get('verifier.seed'),
      templates: {},
    },
  };
}

/** With the model that judges, where that is another one. */
export async function withVerifierModel(
  settings: SamplingSettings,
  modelNamed: (name: string) => Promise<Model>,
): Promise<{ readonly settings: SamplingSettings; readonly verifierModel?: Model }> {
  const { kind, model } = settings.verifier;
  const isOther = kind !== 'first_valid' && model !== '';
  return { settings, ...(isOther && { verifierModel: await modelNamed(model) }) };
}
