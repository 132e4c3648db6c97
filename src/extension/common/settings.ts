import * as vscode from 'vscode';
import { settingsFrom, type Settings } from '../../core/session/settingsFrom';
import { checkedSetting } from '../../core/settings/check';
import { settings as table, type UserSettings, type SettingKey, type SettingValues } from '../../core/settings/table';

export type { Settings };

/**
 * Returns the current settings. Of an invalid value the valid parts are used, else the default; `settingProblems`
 * reports it.
 */
export function readSettings(): Settings {
  const configuration = vscode.workspace.getConfiguration('waymark');
  return settingsFrom({
    get: <Key extends SettingKey>(key: Key) => checkedSetting(key, valueOf(key, configuration)).value,
    isGiven: (key) => isGiven(key, configuration),
  });
}

/** Returns one setting, validated. */
export function readSetting<Key extends SettingKey>(key: Key): SettingValues[Key] {
  return checkedSetting(key, valueOf(key, vscode.workspace.getConfiguration('waymark'))).value;
}

/** Returns the settings that the user set, by name. The others have their defaults. */
export function userSettings(): UserSettings {
  const configuration = vscode.workspace.getConfiguration('waymark');
  const keys = (Object.keys(table) as SettingKey[]).filter((key) => isGiven(key, configuration));
  return Object.fromEntries(keys.map((key) => [key, checkedSetting(key, valueOf(key, configuration)).value]));
}

/** Returns the problems of the current settings, one or two sentences each. */
function settingProblems(): string[] {
  const configuration = vscode.workspace.getConfiguration('waymark');
  return (Object.keys(table) as SettingKey[]).flatMap((key) => {
    const { value, problem } = checkedSetting(key, valueOf(key, configuration));
    if (problem === undefined) return [];
    return [vscode.l10n.t('Invalid setting waymark.{0}. {1} Used instead: {2}', key, problem, JSON.stringify(value))];
  });
}

/** Null and undefined mean that the setting is not set. */
const valueOf = (key: SettingKey, configuration: vscode.WorkspaceConfiguration): unknown =>
  configuration.get<unknown>(key) ?? table[key].default;

function isGiven(key: SettingKey, configuration: vscode.WorkspaceConfiguration): boolean {
  const { workspaceFolderValue, workspaceValue, globalValue } = configuration.inspect<unknown>(key) ?? {};
  const value = workspaceFolderValue ?? workspaceValue ?? globalValue;
  return value !== undefined && value !== null && checkedSetting(key, value).problem === undefined;
}

export const writeSetting = (key: SettingKey, value: unknown): Thenable<void> =>
  vscode.workspace.getConfiguration('waymark').update(key, value, vscode.ConfigurationTarget.Global);

/** Warns about invalid settings, once per problem: at the start and whenever the settings change. */
export function warnOfSettings(): vscode.Disposable {
  const shown = new Set<string>();
  const warn = (): void => {
    const problems = settingProblems().filter((problem) => !shown.has(problem));
    for (const problem of problems) {
      shown.add(problem);
      void offerSettings(problem);
    }
  };
  warn();
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('waymark')) warn();
  });
}

async function offerSettings(problem: string): Promise<void> {
  const open = vscode.l10n.t('Open Settings');
  const picked = await vscode.window.showWarningMessage(problem, open);
  if (picked === open) await vscode.commands.executeCommand('waymark.openSettings');
}
