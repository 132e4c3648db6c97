import { approvalSettings } from './groups/approvals';
import { checkpointSettings } from './groups/checkpoints';
import { contextSettings } from './groups/context';
import { interfaceSettings } from './groups/interface';
import { limitSettings } from './groups/limits';
import { modelSettings } from './groups/model';
import { samplingSettings } from './groups/sampling';
import { sandboxSettings } from './groups/sandbox';
import type { Setting } from './setting';

/**
 * ★ All settings. Each entry defines the setting of the window, the flag of the command line, and their descriptions.
 * To add a setting, add an entry to its group and run `node scripts/settings.mjs`.
 */
export const settings = {
  ...modelSettings,
  ...contextSettings,
  ...approvalSettings,
  ...limitSettings,
  ...sandboxSettings,
  ...checkpointSettings,
  ...samplingSettings,
  ...interfaceSettings,
};

/** Name of a setting, without the prefix `waymark.`. */
export type SettingKey = keyof typeof settings;

/** Type of each setting's value. */
export type SettingValues = {
  readonly [Key in SettingKey]: (typeof settings)[Key] extends Setting<infer T> ? T : never;
};

/** Settings given by the user. The rest are the defaults of the table. */
export type UserSettings = Partial<SettingValues>;

/** Groups in the order in which the settings editor shows them. */
export const groups: readonly {
  readonly title: string;
  readonly settings: Readonly<Record<string, Setting<unknown>>>;
}[] = [
  { title: 'Model', settings: modelSettings },
  { title: 'Context', settings: contextSettings },
  { title: 'Approvals', settings: approvalSettings },
  { title: 'Limits', settings: limitSettings },
  { title: 'Sandbox', settings: sandboxSettings },
  { title: 'Checkpoints', settings: checkpointSettings },
  { title: 'Sampling', settings: samplingSettings },
  { title: 'Interface', settings: interfaceSettings },
];
