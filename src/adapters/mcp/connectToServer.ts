import { pathToFileURL } from 'node:url';
import {
  auth,
  Client,
  extractWWWAuthenticateParams,
  InsufficientScopeError,
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
import {
  boundedFetch,
  boundedLists,
  boundedMessages,
  tooManyMessages,
  boundedReplies,
  tooManyReplies,
} from './boundedMessages';
import { endWithStream } from './endWithStream';
import { isRefusal, withoutPage } from './httpRefusal';
import { untilAborted } from '../processes/untilAborted';
import type { ProxyFor } from '../net/proxies';
import type { SignIn } from './signIn';
import { namesFolders } from './namesFolders';
import { directFetch, limitedElsewhere, proxiedFetch } from './requestsElsewhere';
import { dropUnusableTools } from './dropUnusableTools';
import { StdioTransport } from './stdioTransport';

/** An open connection to an MCP server. */
export interface McpConnection {
  readonly client: Client;
  /** Number of local processes. */
  processes(): number;
  /** Why the connection ended by itself, as a message; undefined while it is open. */
  end(): string | undefined;
  /**
   * Waits until the user has signed in, if a request failed because the server requires it; resolves to false after
   * another error. Rejects with a message for people if the user did not sign in.
   */
  signedInAfter(error: unknown): Promise<boolean>;
  close(): Promise<void>;
}

/** The side of the connection that Waymark provides, for as long as the connection lives. */
export interface ConnectParts {
  /** Absolute paths of the current workspace folders. */
  folders(): readonly string[];
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** For servers that require a sign-in. */
  readonly signIn?: SignIn | undefined;
  /** Returns the proxy for an address; if absent, requests go through that of VS Code or directly. */
  readonly proxyFor?: ProxyFor | undefined;
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
export async function connectToServer(server: McpServer, parts: ConnectParts): Promise<McpConnection> {
  try {
    return await connectOnce(server, parts, 'legacy').catch(async (error: unknown) => {
      const { signIn } = parts;
      if (server.kind === 'http' && signIn && (await signedInAfter(error, server, signIn, parts)))
        return connectOnce(server, parts, 'legacy');
      if (!(error instanceof ProtocolError) || parts.signal.aborted) throw error;
      return connectOnce(server, parts, 'auto');
    });
  } catch (error) {
    parts.signIn?.close();
    throw error instanceof Error ? refusalToConnect(error) : error;
  }
}

/** Adds what a refusal means before there is a session. Later, 404 says that the server forgot the session. */
function refusalToConnect(error: Error): Error {
  const { message } = withoutPage(error);
  const isNoServer = isRefusal(error) && (error.status === 404 || error.status === 405);
  if (!isNoServer) return withoutPage(error);
  const advice = 'No MCP server with streamable HTTP is at this address. The older transport "sse" is not supported.';
  return new Error(`${message} ${advice}`, { cause: error });
}

const ownFolders =
  '[Its arguments name folders, so it does not receive the workspace folders. To send them, set "roots": true in its entry.]\n';

/**
 * Returns whether a server receives the workspace folders: as its entry says, otherwise if its arguments name no
 * folders.
 */
const expectsRoots = (server: McpServer): boolean => server.roots ?? !(server.kind === 'stdio' && namesFolders(server));

/** Waits until the user has completed the sign-in in the browser. */
async function finishedOrStopped(signIn: SignIn, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await untilAborted(signIn.finished, signal).catch((error: unknown) => {
    throw signal.aborted ? new Error('It was stopped during the sign-in.') : error;
  });
}

async function connectOnce(server: McpServer, parts: ConnectParts, mode: 'legacy' | 'auto'): Promise<McpConnection> {
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
      : httpTransport(server, parts, fetchUntil(over, { onTooMuch: endFlood, proxyFor: parts.proxyFor }));
  const leaveOut = (words: string): void => {
    parts.onLog(`[${words}]\n`);
    parts.onLeftOut?.(words);
  };
  dropUnusableTools(transport, leaveOut);
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
  let isConnecting = true;
  client.onerror = (error) => {
    // When a flooding server is disconnected, replies to its remaining messages fail one by one.
    if (flood !== undefined) return;
    // `connect` rejects with it as well.
    if (isConnecting && isRefusal(error)) return;
    parts.onLog(`[${withoutPage(error).message}]\n`);
  };
  client.onclose = () => {
    if (!closed) {
      closed = true;
      parts.onClosed();
    }
  };
  const end = (): string | undefined => (transport instanceof StdioTransport ? transport.end : flood);
  const disconnect = async (): Promise<void> => {
    closed = true;
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
    // Also aborts requests that the package makes itself, for example to sign in.
    gone.abort(new Error('The connection was closed.'));
  };
  try {
    await client.connect(transport as Transport, { timeout: parts.timeoutMs, signal: parts.signal });
    isConnecting = false;
  } catch (error) {
    const ended = end();
    await disconnect();
    if (ended !== undefined) throw new Error(ended);
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout && !parts.signal.aborted)
      throw new Error(`It did not complete the MCP handshake within ${parts.timeoutMs / 1000} s and was ended.`, {
        cause: error,
      });
    throw error;
  }
  return {
    client,
    processes: () => (transport instanceof StdioTransport ? transport.processes : 0),
    end,
    signedInAfter: async (error) =>
      server.kind === 'http' && parts.signIn !== undefined && signedInAfter(error, server, parts.signIn, parts),
    close: async () => {
      parts.signIn?.close();
      await disconnect();
    },
  };
}

function httpTransport(
  server: HttpServer,
  parts: ConnectParts,
  fetched: ReturnType<typeof fetchUntil>,
): StreamableHTTPClientTransport {
  const { signIn } = parts;
  const { url, headers } = server;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Error('Its address is not an http or https URL.');
  const requests: Requests = new WeakMap();
  const limited = limitedTo(server, fetched, parts);
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: async (address, init) => {
      const response = await limited(address, init);
      const token = new Headers(init?.headers).get('authorization')?.replace(/^Bearer /, '');
      requests.set(response, { token, isStream: init?.method === 'GET' });
      if (response.status !== 401) signIn?.accepted(token);
      return response;
    },
    ...(signIn && { authProvider: providerOf(server, signIn, parts, requests) }),
    reconnectionScheduler: reconnect,
    reconnectionOptions: {
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 3,
    },
  });
}

const minReconnectMs = 200;

/**
 * Reopens a stream after the delay that the server asks for, with a minimum: a server could end each stream at once and
 * have it reopened forever.
 */
function reconnect(open: () => void, delayMs: number): () => void {
  const timer = setTimeout(open, Math.max(minReconnectMs, delayMs));
  return () => clearTimeout(timer);
}

/** How servers are reached, and for how long. */
type Reach = Pick<ConnectParts, 'signal' | 'proxyFor'>;

interface FetchParts extends Pick<ConnectParts, 'proxyFor'> {
  readonly onTooMuch?: (words: string) => void;
}

/**
 * A `fetch` that is aborted when its connection ends. A proxy takes the place of `connect`: it looks up names itself.
 * The global `fetch` does not say which proxy failed, and never ends if one closes each connection.
 */
const fetchUntil =
  (over: AbortSignal, { onTooMuch, proxyFor }: FetchParts): Parameters<typeof limitedElsewhere>[1] =>
  (url, init, connect) => {
    const signal = init?.signal ? AbortSignal.any([init.signal, over]) : over;
    const proxy = proxyFor?.(new URL(url));
    return boundedFetch(url, { ...init, signal }, onTooMuch, proxy ? proxiedFetch(proxy) : (connect ?? directFetch));
  };

/** A `fetch` for a server, with the limits of requests to other places. */
const limitedTo = (
  server: HttpServer,
  get: ReturnType<typeof fetchUntil>,
  { proxyFor }: Pick<ConnectParts, 'proxyFor'>,
): ReturnType<typeof limitedElsewhere> =>
  // VS Code may have a proxy for any of them.
  limitedElsewhere(server, get, undefined, (url) => !proxyFor || proxyFor(url) !== undefined);

/** What the request of a response was: its token, and whether it opened a stream in the background. */
type Requests = WeakMap<Response, { readonly token: string | undefined; readonly isStream: boolean }>;

/**
 * Sends the stored tokens. If a token is required or has expired, renews it or begins a sign-in, unless that has
 * happened since the request. A stream in the background begins none.
 */
const providerOf = (server: HttpServer, signIn: SignIn, reach: Reach, requests: Requests): AuthProvider => ({
  token: () => Promise.resolve(signIn.tokens()?.access_token),
  async onUnauthorized({ response, fetchFn }) {
    const { token, isStream = false } = requests.get(response) ?? {};
    const current = signIn.tokens()?.access_token;
    if (current !== undefined && current !== token) return;
    if (!isStream) signIn.checkTried();
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    const challenge = { ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope !== undefined && { scope }) };
    if (!(await authorize(server, signIn, { ...reach, challenge: { fetchFn, ...challenge }, mayAsk: !isStream })))
      throw new UnauthorizedError();
  },
});

type Challenge = Omit<Parameters<typeof auth>[1], 'serverUrl'>;

/** Renews the tokens or begins a sign-in in the browser. Resolves to true if the user is not needed. */
const authorize = (
  server: HttpServer,
  signIn: SignIn,
  {
    signal,
    proxyFor,
    challenge,
    mayAsk = true,
  }: Reach & { readonly challenge: Challenge; readonly mayAsk?: boolean | undefined },
): Promise<boolean> =>
  signIn.authorize(
    () => auth(signIn, { serverUrl: server.url, ...challenge }),
    // The code exchange verifies the issuer of the response; only the package's own provider does that.
    (answer) =>
      new StreamableHTTPClientTransport(new URL(server.url), {
        authProvider: signIn,
        fetch: limitedTo(server, fetchUntil(AbortSignal.any([signal, AbortSignal.timeout(exchangeMs)]), { proxyFor }), {
          proxyFor,
        }),
      }).finishAuth(answer),
    mayAsk,
  );

/** See `Connection.signedInAfter`. */
async function signedInAfter(
  error: unknown,
  server: HttpServer,
  signIn: SignIn,
  { signal, proxyFor }: Reach,
): Promise<boolean> {
  if (error instanceof InsufficientScopeError) {
    const { requiredScope = '', resourceMetadataUrl } = error;
    if (signIn.hasAskedFor(requiredScope)) return true;
    const isRenewed = await authorize(server, signIn, {
      signal,
      proxyFor,
      challenge: {
        fetchFn: limitedTo(server, fetchUntil(signal, { proxyFor }), { proxyFor }),
        forceReauthorization: true,
        scope: [...new Set(`${signIn.tokens()?.scope ?? ''} ${requiredScope}`.split(' ').filter(Boolean))].join(' '),
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
      },
    });
    if (isRenewed) return true;
    await finishedOrStopped(signIn, signal);
    signIn.askedFor(requiredScope);
    return true;
  }
  if (!(error instanceof UnauthorizedError)) return false;
  await finishedOrStopped(signIn, signal);
  return true;
}
