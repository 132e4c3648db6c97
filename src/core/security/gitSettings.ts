/** One setting of Git. */
interface GitSetting {
  /** Full name in lower case: `diff.image.textconv`. */
  readonly name: string;
  /** As written, including quotes and a trailing comment. */
  readonly value: string;
}

/**
 * Reads the settings in a Git configuration file. `[diff "image"]` and `textconv = exif` become `diff.image.textconv`.
 */
export function gitSettingsIn(text: string): GitSetting[] {
  let section = '';
  return text.split('\n').flatMap((line) => {
    const head = /^\s*\[\s*([\w.-]+)(?:\s+"((?:\\.|[^"\\])*)")?\s*\]([^]*)$/.exec(line);
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
    return [{ name: `${section}.${key.toLowerCase()}`, value }];
  });
}
