import { inputsOf, resolveVariables } from '../../core/mcp/interpolation';
import type { HttpServer, McpServer } from '../../core/mcp/server';
import { secrets } from '../../core/secrets/secrets';
import type { McpConnection, ConnectParts } from './connectToServer';
import type { McpHost } from './host';
import { machineLookups } from './machineLookups';
import type { Refusal, SignIn, SignInAsking } from './signIn';

const startMs = 60_000;

/**
 * Starts a server or connects to it over the network: asks for its inputs, fills them in, signs in if necessary.
 * Rejects with an `Error` with a message for people.
 */
export async function openConnection(
  named: McpServer,
  host: McpHost,
  parts: Omit<ConnectParts, 'folders' | 'signIn' | 'timeoutMs' | 'proxyFor'> & { onSignIn?(waits: boolean): void },
  refusal: Refusal,
): Promise<McpConnection> {
  const values = await askedValues(named, host);
  const { server, secret } = resolveVariables(
    named,
    machineLookups((id) => values.get(id)),
  );
  secrets.learn(...secret, ...(server.kind === 'http' ? headerSecrets(server) : []));
  const signIn =
    server.kind === 'http' ? await signInFor(server, named, host, { refusal, onWaiting: parts.onSignIn }) : undefined;
  await signIn?.prepare();
  const { connectToServer } = await import('./connectToServer');
  const { proxyFor } = host;
  return connectToServer(server, {
    ...parts,
    folders: () => host.folders() ?? [],
    timeoutMs: startMs,
    signIn,
    proxyFor,
  });
}

/** Asks for each input of the server. Inputs without an answer or a fallback are absent. */
async function askedValues(named: McpServer, host: McpHost): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  for (const input of inputsOf(named)) {
    const value = (await host.ask(input, named.name)) ?? input.fallback;
    if (value !== undefined) values.set(input.id, value);
  }
  return values;
}

/** The values of headers, also without the scheme: for "Bearer abc" also "abc". */
const headerSecrets = ({ headers }: HttpServer): string[] =>
  Object.values(headers).flatMap((value) => [value, value.replace(/^\S+\s+/, '')]);

/** Creates a sign-in, unless a header already authorizes. */
async function signInFor(
  server: HttpServer,
  named: McpServer,
  host: McpHost,
  asking: SignInAsking,
): Promise<SignIn | undefined> {
  const isAuthorized = Object.keys(server.headers).some((name) => /^authorization$/i.test(name));
  if (isAuthorized) return undefined;
  const { SignIn } = await import('./signIn');
  return new SignIn(server, named.kind === 'http' ? named.url : server.url, host, asking);
}
