import type { Asking, ConfirmationMode, Limits, Mode, RiskCategory } from '../../protocol/events/event';
import type { Model } from '../ports/model';
import type { Prices } from '../model/prices';
import { samplingDefaults, type SamplingSettings } from '../model/sampling/samplingSettings';
import type { ProfileOverrides } from '../profiles/profileWith';
import { settings as table, type UserSettings, type SettingKey, type SettingValues } from '../settings/table';
import type { DialectChoice } from '../tools/dialects/dialect';

/** The user's settings in the form that sessions use. */
export interface Settings {
  /** `auto`, a way to get a model that needs the editor, `compatible`, or the id of a listed provider. */
  readonly provider: string;
  readonly baseUrl: string;
  readonly modelName: string;
  /** In tokens. Null if the setting is 0, so that the provider's value is used. */
  readonly contextWindow: number | null;
  /** US dollars per million tokens, by model name. Overrides the built-in table. */
  readonly prices: Prices;
  readonly protocol: 'auto' | 'chat' | 'responses' | 'messages';
  /** "" if the server decides. */
  readonly reasoningEffort: string;
  /** Null if the server decides. */
  readonly temperature: number | null;
  /** As written. Values may refer to variables and secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly extraBody: Readonly<Record<string, unknown>>;
  /** Maximum tokens per reply. Null if the server decides. */
  readonly maxOutputTokens: number | null;
  readonly promptCaching: 'auto' | 'on' | 'off';
  /** Further models, as "name" or "address name". */
  readonly fallbacks: readonly string[];
  readonly alternates: readonly string[];
  readonly alternation: 'in_turn' | 'by_lot';
  /** "" if the model itself sees images, "none" if no model does. */
  readonly vision: string;
  readonly mode: Mode;
  /** Name of an agent profile. */
  readonly profile: string;
  /** Undefined: the profile's toolsets. */
  readonly toolsets?: readonly string[];
  readonly disabledToolsets: readonly string[];
  /** Names under which the tools of a new session are offered. */
  readonly dialect: DialectChoice;
  readonly customToolsets: Readonly<Record<string, readonly string[]>>;
  readonly confirmation: ConfirmationMode;
  /** When the `risky` policy asks. */
  readonly asking: Asking;
  /** If true, a cost limit is accepted although the price of the model is unknown. */
  readonly ignoreUnknownCost: boolean;
  /** By folder; see `settingForFolder`. */
  readonly promptPrefix: Readonly<Record<string, string>>;
  readonly promptSuffix: Readonly<Record<string, string>>;
  /** Folder for trajectories in Hermes Agent's format; "" for none. */
  readonly saveTrajectories: string;
  /** Limits that the user set. The others are the profile's. */
  readonly limits: Partial<Limits>;
  readonly overrides: ProfileOverrides;
  readonly sampling: SamplingSettings;
  /** True if edits wait for review before they change a file. */
  readonly holdsEdits: boolean;
  /** Regular expressions for the start of commands that need no approval. */
  readonly allowPatterns: readonly string[];
  /** Template folder, as written; "" for none. */
  readonly templates: string;
  readonly shell: string;
  readonly sandbox: 'auto' | 'on' | 'off';
  /** Limits of the sandbox that the user set. */
  readonly sandboxLimits: SettingValues['sandboxLimits'];
  readonly allowedDomains: readonly string[];
  /** Hosts of this machine and its network from which pages may be read. */
  readonly privateHosts: readonly string[];
  readonly environment: readonly string[];
}

/** Access to the settings of a host. */
interface SettingSource {
  /** Returns the checked value, or the default. */
  get<Key extends SettingKey>(key: Key): SettingValues[Key];
  /** Returns whether the user set it, even to the default. */
  isGiven(key: SettingKey): boolean;
}

/** Returns the source for settings given as one object. */
export const settingSource = (userSettings: UserSettings): SettingSource => ({
  get: <Key extends SettingKey>(key: Key) => (userSettings[key] ?? table[key].default) as SettingValues[Key],
  isGiven: (key) => userSettings[key] !== undefined,
});

const categories: readonly RiskCategory[] = ['network', 'deletes', 'outside', 'git_history', 'packages', 'protected'];

/** Returns no value if the profile decides. */
export function wholeRepliesSetting({ get }: SettingSource): { readonly wholeReplies?: boolean } {
  const when = get('ask.wholeReplies');
  return when === 'profile' ? {} : { wholeReplies: when === 'on' };
}

/** Returns the setting for a folder or its nearest parent that has one, else the setting for "*". */
export function settingForFolder(folder: string, byFolder: Readonly<Record<string, string>>): string {
  const holding = Object.keys(byFolder).filter((name) => {
    const end = name.replace(/[\\/]$/, '');
    return folder === end || folder.startsWith(`${end}/`) || folder.startsWith(`${end}\\`);
  });
  const [nearest = '*'] = holding.sort((a, b) => b.length - a.length);
  return byFolder[nearest] ?? '';
}

/** Returns the settings of a session. Values come from VS Code, or from flags of the command line. */
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
      ...wholeRepliesSetting(source),
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

/** Returns the limits that the user set. */
export const limitsFrom = (source: SettingSource): Partial<Limits> => ({
  ...(source.isGiven('limits.steps') && { steps: source.get('limits.steps') }),
  ...(source.isGiven('limits.cost') && { cost: source.get('limits.cost') }),
  ...(source.isGiven('limits.seconds') && { seconds: source.get('limits.seconds') }),
});

/** Returns the user's overrides of the profile. */
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

/** Returns how replies are sampled and how one of several is chosen. */
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

/** Adds the judging model, if it differs from the acting one. */
export async function withVerifierModel(
  settings: SamplingSettings,
  modelNamed: (name: string) => Promise<Model>,
): Promise<{ readonly settings: SamplingSettings; readonly verifierModel?: Model }> {
  const { kind, model } = settings.verifier;
  const isOther = kind !== 'first_valid' && model !== '';
  return { settings, ...(isOther && { verifierModel: await modelNamed(model) }) };
}
