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
 * The names of the settings of a repository that have Git start a program where it would only read, from the text that holds everything
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
  const found = texts.flatMap((text) => (typeof text === 'string' ? settingsOf(text) : []));
  const starting = found.filter(({ name, value }) =>
    programs.some(([names, harmless]) => names.test(name) && !harmless.test(value)),
  );
  return [...new Set(starting.map(({ name }) => name))];
}

interface Setting {
  readonly name: string;
  readonly value: string;
}

/** `[diff "image"]` and `textconv = exif` make `diff.image.textconv`. Names are in lower case. */
function settingsOf(text: string): Setting[] {
  let section = '';
  return text.split('\n').flatMap((line) => {
    const head = /^\s*\[\s*([\w.-]+)(?:\s+"((?:\\.|[^"\\])*)")?\s*\](.*)$/.exec(line);
    if (head)
      section = [head[1]!, head[2]]
        .filter((part) => part !== undefined)
        .join('.')
        .toLowerCase();
    const rest = (head ? head[3]! : line).trim();
    const equals = rest.indexOf('=');
    const key = (equals < 0 ? rest : rest.slice(0, equals)).trim();
    const value = equals < 0 ? 'true' : rest.slice(equals + 1).trim();
    if (!/^[A-Za-z][\w-]*$/.test(key)) return [];
    return [{ name: `${section}.${key.toLowerCase()}`, value: value.replace(/^"(.*)"$/, '$1') }];
  });
}
