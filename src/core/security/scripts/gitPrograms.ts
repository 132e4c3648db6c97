import { gitSettingsIn } from '../gitSettings';

/** Settings whose value Git starts as a program while it only reads, each with the values that start none. */
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
 * The names of the settings of a repository that have Git start a program where it would only read, from the text
 * that holds everything
 * that can do so. Aliases and hooks are not among them: no command that reads runs these.
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
