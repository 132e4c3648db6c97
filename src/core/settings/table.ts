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
 * ★ Everything that a person can set, in one table. From an entry come the setting of the window, the flag of the
 * command line, and their descriptions. A new setting is one entry in its group; then run `node scripts/settings.mjs`.
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

export type SettingKey = keyof typeof settings;

/** What each setting holds. */
export type SettingValues = {
  readonly [Key in SettingKey]: (typeof settings)[Key] extends Setting<infer T> ? T : never;
};

/** What a person set; the rest is as the table says. */
export type GivenSettings = Partial<SettingValues>;

/** As the settings editor shows them, in this order. */
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
