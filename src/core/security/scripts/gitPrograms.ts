import { settingsOf } from '../../log/history';
import type { History } from '../../log/projection';
import type { CutOff } from '../../ports/cutOff';
import { gitSettingsIn } from '../gitSettings';
import { gitPin, isAgreed, compareScript } from './pins';

/** What the settings of a repository mean for a command that only reads. */
export interface GitSettingsVerdict {
  /** True if they changed since a person last approved them. */
  readonly isChanged: boolean;
  /** Names of settings that make Git start a program. Empty if a person approved them. */
  readonly programs: readonly string[];
}

/** Judges the settings of a repository by their text and its hash. */
export function judgeGitSettings(settings: string, hash: string, history: History, cutOff: CutOff): GitSettingsVerdict {
  // In plan mode, the shell prevents Git from starting any of them.
  const startsNone = isAgreed(gitPin, hash, history) || settingsOf(history)?.mode === 'plan';
  return {
    isChanged: compareScript(gitPin, hash, history) === 'changed',
    programs: startsNone ? [] : cutOff(settings, () => gitProgramsIn(settings)),
  };
}

/** Settings whose value Git starts as a program even for reading, with the values that start none. */
const programs: readonly (readonly [name: RegExp, harmless: RegExp])[] = [
  [/^core\.fsmonitor$/, /^(?:true|false|yes|no|on|off|0|1|)$/i],
  [/^(?:core\.pager|pager\..+)$/, /^(?:cat|less|more|true|false|)$/i],
  [/^core\.(?:sshcommand|gitproxy|askpass|alternaterefscommand)$/, /^$/],
  [/^diff\.(?:external|.+\.(?:command|textconv))$/, /^$/],
  [/^filter\..+\.(?:clean|smudge|process)$/, /^git-lfs [\w-]+(?: -- %f)?$/],
  [/^(?:gpg\.program|gpg\..+\.program)$/, /^(?:gpg2?|ssh-keygen|)$/],
  [/^man\..+\.(?:cmd|path)$/, /^$/],
  [/^trailer\..+\.(?:cmd|command)$/, /^$/],
  [/^(?:uploadpack\.packobjectshook|remote\..+\.(?:uploadpack|vcs))$/, /^$/],
];

/**
 * Returns the names of repository settings that make Git start a program where it would only read. `settings` is the
 * text of everything that can do so. Aliases and hooks are excluded, because commands that read never run them.
 */
export function gitProgramsIn(settings: string): string[] {
  let texts: unknown[];
  try {
    const [own, , included] = JSON.parse(settings) as [unknown, unknown, unknown[]];
    texts = [own, ...(Array.isArray(included) ? included : [])];
  } catch {
    return [];
  }
  const found = texts.flatMap((text) => (typeof text === 'string' ? gitSettingsIn(text) : []));
  const starting = found.filter(({ name, value }) =>
    programs.some(([names, harmless]) => names.test(name) && !harmless.test(withoutQuotes(value))),
  );
  return [...new Set(starting.map(({ name }) => name))];
}

const withoutQuotes = (value: string): string => value.replace(/^"(.*)"$/, '$1');
