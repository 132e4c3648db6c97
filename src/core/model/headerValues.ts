/** The sources of header values, by name; undefined if there is none. */
export interface HeaderSources {
  env(name: string): string | undefined;
  /** Absent where no secrets are kept. */
  secret?(name: string): string | undefined;
}

const reference = /\$\{(env|secret):([^{}]*)\}/g;

export interface HeaderValues {
  readonly headers: Readonly<Record<string, string>>;
  /** The values that stood behind references: nothing may repeat them. */
  readonly hidden: readonly string[];
}

/**
 * Further headers with every `${env:NAME}` and `${secret:NAME}` replaced by its value. Throws an `Error` in words for
 * the person that names the header where a value is missing or a name or value cannot be sent.
 */
export function headerValues(written: Readonly<Record<string, string>>, sources: HeaderSources): HeaderValues {
  const hidden: string[] = [];
  const headers = Object.entries(written).map(([name, text]) => {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      throw new Error(`“${name}” is no name of a header. Write headers as "Name: value".`);
    const value = text.replace(reference, (_whole, kind: 'env' | 'secret', key: string) => {
      const found = kind === 'env' ? sources.env(key) : sources.secret?.(key);
      if (found === undefined)
        throw new Error(
          `${places[kind]} ${key} is not set, so the header ${name} has no value. Set it, or remove the header.`,
        );
      hidden.push(found);
      return found;
    });
    if (/[\r\n\0]/.test(value))
      throw new Error(`The value of the header ${name} has a line break. A header is one line.`);
    return [name, value];
  });
  return { headers: Object.fromEntries(headers) as Record<string, string>, hidden };
}

const places = { env: 'The environment variable', secret: 'The secret' };

/** The names of the secrets that headers refer to. */
export const secretsIn = (headers: Readonly<Record<string, string>>): string[] => [
  ...new Set(
    Object.values(headers).flatMap((text) =>
      [...text.matchAll(reference)].flatMap(([, kind, name]) => (kind === 'secret' ? [name!] : [])),
    ),
  ),
];
