import { pathToFileURL } from 'node:url';
import {
  auth,
  Client,
  extractWWWAuthenticateParams,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type AuthProvider,
  type Transport,
} from '@modelcontextprotocol/client';
import type { HttpServer, McpServer, StdioServer } from '../../core/mcp/server';
import type { Elicited } from '../../core/mcp/elicitation';
import { boundedFetch } from './boundedFetch';
import { boundedLists, boundedMessages, tooManyMessages, boundedReplies, tooManyReplies } from './boundedTransport';
import { endWithStream } from './endWithStream';
import type { SignIn } from './signIn';
import { namesFolders } from './namesFolders';
import { limitedElsewhere } from './requestsElsewhere';
import { dropMalformedTools } from './dropMalformedTools';
import { StdioTransport } from './stdioTransport';

export interface Connection {
  readonly client: Client;
  /** Number of local processes. */
  processes(): number;
  /** Why the connection ended by itself, as a message; undefined while it is open. */
  end(): string | undefined;
  close(): Promise<void>;
}

export interface ConnectParts {
  /** Absolute paths of the current workspace folders. */
  folders(): readonly string[];
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** For servers that require a sign-in. */
  readonly signIn?: SignIn | undefined;
  onLog(text: string): void;
  /** Called if a tool cannot be offered. The message is for people. */
  onLeftOut?(words: string): void;
  onClosed(): void;
  /** Called when the server asks the user something. */
  onQuestion(
    params: { readonly message: string; readonly requestedSchema?: unknown },
    signal: AbortSignal,
  ): Promise<Elicited>;
  /** Called when one of the server's lists has changed. */
  onChanged(): void;
}

const debounceMs = 200;
/** Time limit for exchanging the authorization code, in ms. */
const exchangeMs = 30_000;

/**
 * Connects to a server whose `${…}` are already filled in. Tries the current handshake first, then the newer one for
 * servers that support only that. If it throws, nothing is left running.
 */
export async function connect(server: McpServer, parts: ConnectParts): Promise<Connection> {
  try {
    return await connected(server, parts, 'legacy');
  } catch (error) {
    if (error instanceof UnauthorizedError && server.kind === 'http' && parts.signIn) {
      await signedIn(server, parts.signIn, parts.signal);
      return connected(server, parts, 'legacy');
    }
    if (!(error instanceof ProtocolError) || parts.signal.aborted) throw error;
    return connected(server, parts, 'auto');
  }
}

const ownFolders =
  '[Its arguments name folders, so it does not receive the workspace folders. To send them, set "roots": true in its entry.]\n';

/**
 * Returns whether a server receives the workspace folders: as its entry says, otherwise if its arguments name no
 * folders.
 */
const expectsRoots = (server: McpServer): boolean => server.roots ?? !(server.kind === 'stdio' && namesFolders(server));

/** Waits until the user has completed the sign-in in the browser. */
async function signedIn(server: HttpServer, signIn: SignIn, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<never>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(new Error('It was stopped during the sign-in.')), {
      once: true,
    }),
  );
  const answer = await Promise.race([signIn.answer, stopped]);
  // The code exchange verifies the issuer of the response; only the package's own provider does that.
  await new StreamableHTTPClientTransport(new URL(server.url), {
    authProvider: signIn,
    fetch: limitedElsewhere(server, until(AbortSignal.any([signal, AbortSignal.timeout(exchangeMs)]))),
  }).finishAuth(answer);
}

async function connected(server: McpServer, parts: ConnectParts, mode: 'legacy' | 'auto'): Promise<Connection> {
  const gone = new AbortController();
  let flood: string | undefined;
  /** Disconnects a server that sends too much, and remembers the reason. */
  const endFlood = (words: string): void => {
    if (flood !== undefined) return;
    flood = words;
    parts.onLog(`[${words}]\n`);
    void (transport instanceof StdioTransport ? transport.kill(words) : transport.close());
  };
  const over = AbortSignal.any([parts.signal, gone.signal]);
  const transport =
    server.kind === 'stdio'
      ? new StdioTransport(server as StdioServer, parts.onLog)
      : httpTransport(server, parts, until(over, endFlood));
  const leaveOut = (words: string): void => {
    parts.onLog(`[${words}]\n`);
    parts.onLeftOut?.(words);
  };
  dropMalformedTools(transport, leaveOut);
  boundedLists(transport, leaveOut);
  boundedMessages(transport, () => endFlood(tooManyMessages));
  if (transport instanceof StreamableHTTPClientTransport) endWithStream(transport);
  boundedReplies(transport, () => endFlood(tooManyReplies));
  let closed = false;
  const hearsRoots = expectsRoots(server);
  if (!hearsRoots && server.roots === undefined) parts.onLog(ownFolders);
  const changed = { autoRefresh: false, debounceMs, onChanged: () => parts.onChanged() };
  const client = new Client(
    { name: 'waymark', version: process.env.WAYMARK_VERSION ?? '0' },
    {
      // URL-mode elicitation and sampling are not offered, so no server requests them.
      capabilities: { ...(hearsRoots && { roots: { listChanged: true } }), elicitation: { form: {} } },
      versionNegotiation: { mode },
      listChanged: { tools: changed, prompts: changed, resources: changed },
      // Results are text for the model; validating them against the server's own schema has no benefit.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  );
  if (hearsRoots)
    client.setRequestHandler('roots/list', () => ({
      roots: parts
        .folders()
        .map((folder) => ({ uri: pathToFileURL(folder).href, name: folder.split(/[/\\]/).at(-1)! })),
    }));
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
    if (params.mode === 'url') return { action: 'decline' as const };
    const { action, ...more } = await parts.onQuestion(params, mcpReq.signal);
    return { action, ...more };
  });
  // When a flooding server is disconnected, replies to its remaining messages fail one by one; these errors are not
  // logged.
  client.onerror = (error) => {
    if (flood === undefined) parts.onLog(`[${error.message}]\n`);
  };
  client.onclose = () => {
    if (!closed) {
      closed = true;
      parts.onClosed();
    }
  };
  const end = (): string | undefined => (transport instanceof StdioTransport ? transport.end : flood);
  const close = async (): Promise<void> => {
    closed = true;
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
    // Also aborts requests that the package makes itself, for example to sign in.
    gone.abort(new Error('The connection was closed.'));
  };
  try {
    await client.connect(transport as Transport, { timeout: parts.timeoutMs, signal: parts.signal });
  } catch (error) {
    const ended = end();
    await close();
    if (ended !== undefined) throw new Error(ended);
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout && !parts.signal.aborted)
      throw new Error(`It did not complete the MCP handshake within ${parts.timeoutMs / 1000} s and was ended.`, {
        cause: error,
      });
    throw error;
  }
  return { client, processes: () => (transport instanceof StdioTransport ? transport.processes : 0), end, close };
}

function httpTransport(
  server: HttpServer,
  { signIn }: ConnectParts,
  fetched: ReturnType<typeof until>,
): StreamableHTTPClientTransport {
  const { url, headers } = server;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Error('Its address is not an http or https URL.');
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: limitedElsewhere(server, fetched),
    ...(signIn && { authProvider: providerOf(signIn) }),
    reconnectionScheduler: reconnect,
    reconnectionOptions: {
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 3,
    },
  });
}

const minReconnectMs = 1000;

/**
 * Reopens a stream after the delay that the server asks for, with a minimum: a server could end each stream at once and
 * have it reopened forever.
 */
function reconnect(open: () => void, delayMs: number): () => void {
  const timer = setTimeout(open, Math.max(minReconnectMs, delayMs));
  return () => clearTimeout(timer);
}

/** A `fetch` that is aborted when its connection ends. */
const until =
  (over: AbortSignal, onTooMuch?: (words: string) => void): Parameters<typeof limitedElsewhere>[1] =>
  (url, init, connect) => {
    const signal = init?.signal ? AbortSignal.any([init.signal, over]) : over;
    return boundedFetch(url, { ...init, signal }, onTooMuch, connect);
  };

/** Sends the stored tokens. If a token is required or has expired, renews it or begins a sign-in. */
const providerOf = (signIn: SignIn): AuthProvider => ({
  token: () => Promise.resolve(signIn.tokens()?.access_token),
  async onUnauthorized({ response, serverUrl, fetchFn }) {
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    await signIn.wanted();
    const more = { ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope !== undefined && { scope }) };
    if ((await auth(signIn, { serverUrl, fetchFn, ...more })) !== 'AUTHORIZED') throw new UnauthorizedError();
  },
});
