import type { Setting } from './setting';
import { groups } from './table';
import type { SettingChoice, ChoiceLists, JsonSchema, SettingType } from './value';

/** The part of `package.json` that declares the settings, and its texts in `package.nls.json`. */
interface SettingsManifest {
  readonly configuration: readonly object[];
  /** Settings that are ignored in an untrusted folder. */
  readonly restrictedConfigurations: readonly string[];
  readonly strings: Readonly<Record<string, string>>;
}

/** Returns the settings as `contributes.configuration` of package.json, and their texts for package.nls.json. */
export function settingsManifest(lists: ChoiceLists): SettingsManifest {
  const strings: Record<string, string> = {};
  /** Stores a text under a name and returns the reference to it. */
  const say = (name: string, words: string): string => {
    strings[name] = words;
    return `%${name}%`;
  };
  const configuration = groups.map(({ title, settings }, groupIndex) => ({
    id: `waymark.${title.toLowerCase()}`,
    title: say(`settings.${title.toLowerCase()}`, title),
    order: groupIndex + 1,
    properties: Object.fromEntries(
      Object.entries(settings).map(([key, setting], index) => [
        `waymark.${key}`,
        { ...propertyOf(key, setting, lists, say), order: index + 1 },
      ]),
    ),
  }));
  const restrictedConfigurations = groups
    .flatMap(({ settings }) => Object.keys(settings).map((key) => `waymark.${key}`))
    .sort();
  return { configuration, restrictedConfigurations, strings };
}

type Say = (name: string, words: string) => string;

function propertyOf(key: string, setting: Setting<unknown>, lists: ChoiceLists, say: Say): object {
  const { value, default: usual, words, scope = 'machine' } = setting;
  return {
    ...shapeOf(key, value, lists, say),
    default: usual,
    scope,
    markdownDescription: say(`setting.${key}`, words),
  };
}

/** Returns the JSON Schema with texts for its choices and fields. */
function shapeOf(key: string, value: SettingType<unknown>, lists: ChoiceLists, say: Say): object {
  const { json, choiceWords, moreChoices, fieldWords = {} } = value;
  const own = Object.entries(choiceWords ?? {}).map(([name, words]): SettingChoice => ({ name, words }));
  const all = [...own, ...(moreChoices ? lists[moreChoices] : [])];
  const descriptions = all.map(({ name, words, isName }) =>
    isName ? words : say(`setting.${key}.${name.replaceAll('-', '_')}`, words),
  );
  if (json.items && all.length > 0) return { ...json, items: { ...json.items, enumDescriptions: descriptions } };
  if (all.length > 0) return { ...json, enum: all.map(({ name }) => name), markdownEnumDescriptions: descriptions };
  if (!json.properties) return json;
  const withWords = ([name, field]: [string, JsonSchema]): [string, object] => {
    const words = fieldWords[name];
    return [
      name,
      words === undefined ? field : { ...field, markdownDescription: say(`setting.${key}.${name}`, words) },
    ];
  };
  return { ...json, properties: Object.fromEntries(Object.entries(json.properties).map(withWords)) };
}
