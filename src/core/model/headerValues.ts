/** Looks up values for headers by name. Returns undefined if there is none. */
interface HeaderSources {
  env(name: string): string | undefined;
  /** Absent if secrets are not stored. */
  secret?(name: string): string | undefined;
}

const reference = /\$\{(env|secret):([^{}]*)\}/g;

interface HeaderValues {
  readonly headers: Readonly<Record<string, string>>;
  /** Values of references, which must not appear in any output. */
  readonly hidden: readonly string[];
}

/**
 * Returns additional headers with every `${env:NAME}` and `${secret:NAME}` replaced. Throws an `Error` with a message
 * for people that names the header if a value is missing or a name or value is invalid.
 */
export function headerValues(written: Readonly<Record<string, string>>, sources: HeaderSources): HeaderValues {
  const hidden: string[] = [];
  const headers = Object.entries(written).map(([name, text]) => {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      throw new Error(`“${name}” is not a valid header name. Write headers as "Name: value".`);
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

/** Names of the secrets that headers refer to. */
export function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  const references = Object.values(headers).flatMap((text) => [...text.matchAll(reference)]);
  const secrets = references.filter(([, kind]) => kind === 'secret');
  return [...new Set(secrets.map(([, , name]) => name!))];
}
