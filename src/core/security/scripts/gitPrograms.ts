import { settingsOf } from '../../log/runSettings';
import type { History } from '../../log/projection';
import type { CutOff } from '../../ports/cutOff';
import type { GitSettingsVerdict } from '../../shell/effects/context';
import { programSettingNamed } from '../../shell/programs/git/programSettings';
import { gitSettingsIn, namesIncluded } from '../gitSettings';
import type { SettingsBelow } from '../../ports/scripts';
import { gitPin, gitPinBelow, isAgreed, compareScript } from './pins';

/** Judges the settings of a repository by their text and its hash. */
export function judgeGitSettings(settings: string, hash: string, history: History, cutOff: CutOff): GitSettingsVerdict {
  // In plan mode, the shell prevents Git from starting any of them.
  const startsNone = isAgreed(gitPin, hash, history) || settingsOf(history)?.mode === 'plan';
  return {
    isChanged: compareScript(gitPin, hash, history) === 'changed',
    programs: startsNone ? [] : cutOff(settings, () => gitProgramsIn(settings)),
  };
}

/** What the settings of a repository below the workspace's folder mean: the names of those that start programs. */
export function judgeSettingsBelow(
  { folder, settings, isOpen }: SettingsBelow,
  hash: string,
  history: History,
): readonly string[] {
  if (isAgreed(gitPinBelow(folder), hash, history) || settingsOf(history)?.mode === 'plan') return [];
  const programs = gitProgramsIn(settings);
  if (!isOpen) return programs;
  // Other files could hold more settings, and hooks run for every verb that refreshes the index.
  const [own, hooks] = JSON.parse(settings) as [string, unknown[][]];
  const names = gitSettingsIn(own).map(({ name }) => name);
  const others = names.filter((name) => namesIncluded(name) || name === 'core.hookspath');
  return [...programs, ...others, ...(hooks.flat().length > 0 ? ['hooks'] : [])];
}

/**
 * Returns the names of repository settings that make Git start a program. `settings` is the text of everything that can
 * do so. Aliases and hooks are excluded, because commands that read never run them.
 */
export function gitProgramsIn(settings: string): string[] {
  let texts: unknown[];
  try {
    const [own, , included] = JSON.parse(settings) as [unknown, unknown, unknown[]];
    texts = [own, ...(Array.isArray(included) ? included : [])];
  } catch {
    return [];
  }
  const readable = texts.filter((text) => typeof text === 'string');
  const starting = readable
    .flatMap(gitSettingsIn)
    .filter(({ name, value }) => programSettingNamed(name)?.harmless.test(value) === false);
  const names = new Set(starting.map(({ name }) => name));
  if (readable.some((text) => unreadable.test(text))) names.add('settings that cannot be read');
  return [...names];
}

/** The line that stands for a file which exists but cannot be read. Git accepts no such line. */
const unreadable = /^\?$/m;
