import { isPlainName, reference, reservedNames, type McpServer, type OAuthClient } from './server';

/** Resolves names in `${…}` when a server starts. */
export interface Lookups {
  /** Returns an environment variable of this machine. */
  variable(name: string): string | undefined;
  /** Returns what a person entered for an input. */
  input(id: string): string | undefined;
  readonly home: string;
  readonly separator: string;
}

/** Inputs that a server refers to. */
export const inputsOf = (server: McpServer): McpServer['inputs'] => {
  const all = JSON.stringify(
    server.kind === 'http'
      ? [server.url, server.headers, server.oauth]
      : [server.command, server.args, server.env, server.cwd],
  );
  const wanted = [...new Set([...all.matchAll(/\$\{input:([^{}]+)\}/g)].map(([, id]) => id!))];
  return wanted.map((id) => server.inputs.find((input) => input.id === id) ?? { id, description: id, secret: true });
};

/**
 * Replaces every `${…}` in a text. Adds values from variables and inputs to `secret`. Throws an `Error` with a message
 * for people if one is missing.
 */
export const interpolator =
  (folder: string, lookups: Lookups, secret: string[] = []) =>
  (text: string): string =>
    text.replace(reference, (whole, kind: string | undefined, name: string, fallback: string | undefined) => {
      if (kind === undefined && reservedNames.has(name)) return builtInValue(name, folder, lookups);
      if (kind === undefined && !isPlainName(name)) return whole;
      const value = kind === 'input' ? lookups.input(name) : lookups.variable(name);
      if (value === undefined && fallback !== undefined) return fallback;
      if (value === undefined)
        throw new Error(
          kind === 'input'
            ? `The value "${name}" was not given. Enter it when you are asked. Where nobody can be asked, write \${env:NAME} instead.`
            : `The variable ${name} is not set. Set it and start the server again.`,
        );
      secret.push(value);
      return value;
    });

/**
 * Returns the server with every `${…}` replaced. `secret`: values from variables and inputs. Throws an `Error` with a
 * message for people if one is missing.
 */
export function resolveVariables<Server extends McpServer>(
  server: Server,
  lookups: Lookups,
): { readonly server: Server; readonly secret: readonly string[] } {
  const secret: string[] = [];
  const fill = interpolator(server.folder, lookups, secret);
  const record = (values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fill(value)]));
  const filled =
    server.kind === 'http'
      ? {
          ...server,
          url: fill(server.url),
          headers: record(server.headers),
          ...(server.oauth && { oauth: filledClient(server.oauth, fill) }),
        }
      : {
          ...server,
          command: fill(server.command),
          args: server.args.map(fill),
          env: record(server.env),
          ...(server.cwd !== undefined && { cwd: fill(server.cwd) }),
        };
  return { server: filled, secret };
}

const filledClient = (
  { clientId, clientSecret, callbackPort }: OAuthClient,
  fill: (text: string) => string,
): OAuthClient => ({
  clientId: fill(clientId),
  ...(clientSecret !== undefined && { clientSecret: fill(clientSecret) }),
  ...(callbackPort !== undefined && { callbackPort }),
});

function builtInValue(name: string, folder: string, { home, separator }: Lookups): string {
  switch (name) {
    case 'workspaceFolder':
      return folder;
    case 'workspaceFolderBasename':
      return folder.split(/[/\\]/).filter(Boolean).at(-1) ?? '';
    case 'userHome':
      return home;
    default:
      return separator;
  }
}
