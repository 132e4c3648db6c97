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
import type { McpServer, StdioServer } from '../../core/mcp/server';
import type { Elicited } from '../../core/mcp/elicitation';
import { boundedFetch } from './boundedFetch';
import { boundedLists, boundedMessages, tooManyMessages, boundedReplies, tooManyReplies } from './boundedTransport';
import { endWithStream } from './endWithStream';
import type { SignIn } from './signIn';
import { namesFolders } from './namesFolders';
import { onlySoundTools } from './soundTools';
import { StdioTransport } from './stdioTransport';

export interface Connection {
  readonly client: Client;
  /** How many processes of this machine it is. */
  processes(): number;
  /** Why it ended by itself, in words; undefined while it is there. */
  end(): string | undefined;
  close(): Promise<void>;
}

export interface ConnectParts {
  /** Absolute paths of the workspace folders, as they are now. */
  folders(): readonly string[];
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** For servers that want a person to sign in. */
  readonly signIn?: SignIn | undefined;
  onLog(text: string): void;
  /** One of its tools cannot be offered; why, in words for a person. */
  onLeftOut?(words: string): void;
  onClosed(): void;
  /** The server asks its person something. */
  onQuestion(
    params: { readonly message: string; readonly requestedSchema?: unknown },
    signal: AbortSignal,
  ): Promise<Elicited>;
  /** The server says that a list of its is another now. */
  onChanged(): void;
}

const debounceMs = 200;
/** How long the exchange of what a person came back with may take. */
const exchangeMs = 30_000;

/**
 * Connects to a server whose `${…}` are already filled in. Tries the current handshake first, then the newer one for
 * servers that know only that. If it throws, nothing is left running.
 */
export async function connect(server: McpServer, parts: ConnectParts): Promise<Connection> {
  try {
    return await connected(server, parts, 'legacy');
  } catch (error) {
    if (error instanceof UnauthorizedError && server.kind === 'http' && parts.signIn) {
      await signedIn(server.url, parts.signIn, parts.signal);
      return connected(server, parts, 'legacy');
    }
    if (!(error instanceof ProtocolError) || parts.signal.aborted) throw error;
    return connected(server, parts, 'auto');
  }
}

const ownFolders =
  '[Its arguments name folders, so it is not told the workspace folders. "roots": true in its entry tells it.]\n';

/** Whether a server gets the workspace folders: as its entry says, or else if its arguments name no folders. */
const isToldRoots = (server: McpServer): boolean => server.roots ?? !(server.kind === 'stdio' && namesFolders(server));

/** Waits until the person came back from the page where they sign in. */
async function signedIn(url: string, signIn: SignIn, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<never>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(new Error('It was stopped while somebody signed in.')), {
      once: true,
    }),
  );
  const answer = await Promise.race([signIn.answer, stopped]);
  // The exchange of the answer checks who gave it; only the package's own provider does that.
  await new StreamableHTTPClientTransport(new URL(url), {
    authProvider: signIn,
    fetch: until(AbortSignal.any([signal, AbortSignal.timeout(exchangeMs)])),
  }).finishAuth(answer);
}

async function connected(server: McpServer, parts: ConnectParts, mode: 'legacy' | 'auto'): Promise<Connection> {
  const gone = new AbortController();
  let flood: string | undefined;
  /** Ends a server that sends more than is taken, and keeps why, in words. */
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
      : httpTransport(server.url, server.headers, parts, until(over, endFlood));
  const leaveOut = (words: string): void => {
    parts.onLog(`[${words}]\n`);
    parts.onLeftOut?.(words);
  };
  onlySoundTools(transport, leaveOut);
  boundedLists(transport, leaveOut);
  boundedMessages(transport, () => endFlood(tooManyMessages));
  if (transport instanceof StreamableHTTPClientTransport) endWithStream(transport);
  boundedReplies(transport, () => endFlood(tooManyReplies));
  let closed = false;
  const hearsRoots = isToldRoots(server);
  if (!hearsRoots && server.roots === undefined) parts.onLog(ownFolders);
  const changed = { autoRefresh: false, debounceMs, onChanged: () => parts.onChanged() };
  const client = new Client(
    { name: 'waymark', version: process.env.WAYMARK_VERSION ?? '0' },
    {
      // Pages (URL mode) and the person's model (sampling) are not offered to servers, so none asks for them.
      capabilities: { ...(hearsRoots && { roots: { listChanged: true } }), elicitation: { form: {} } },
      versionNegotiation: { mode },
      listChanged: { tools: changed, prompts: changed, resources: changed },
      // What a server answers is text for the model; whether it fits a schema of the server's own helps nobody here.
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
  // Of a server that is ended for a flood, each of the messages that are read
  // still would fail to be answered, and say so.
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
    // A request that the package makes for itself, as for a sign-in, ends as well.
    gone.abort(new Error('The connection was closed.'));
  };
  try {
    await client.connect(transport as Transport, { timeout: parts.timeoutMs, signal: parts.signal });
  } catch (error) {
    const ended = end();
    await close();
    if (ended !== undefined) throw new Error(ended);
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout && !parts.signal.aborted)
      throw new Error(
        `It did not greet within ${parts.timeoutMs / 1000} s, as a server of the Model Context Protocol does, and was ended.`,
        { cause: error },
      );
    throw error;
  }
  return { client, processes: () => (transport instanceof StdioTransport ? transport.processes : 0), end, close };
}

function httpTransport(
  url: string,
  headers: Readonly<Record<string, string>>,
  { signIn }: ConnectParts,
  fetched: typeof boundedFetch,
): StreamableHTTPClientTransport {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Error('Its address is not one of http or https.');
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: fetched,
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

const shortestReconnectMs = 1000;

/**
 * Opens a stream again after the time that the server wants, but not at once: it could end
 * each stream and have it opened for ever.
 */
function reconnect(open: () => void, delayMs: number): () => void {
  const timer = setTimeout(open, Math.max(shortestReconnectMs, delayMs));
  return () => clearTimeout(timer);
}

/** `fetch` that ends with the connection that it is for. */
const until =
  (over: AbortSignal, onTooMuch?: (words: string) => void): typeof boundedFetch =>
  (url, init) => {
    const signal = init?.signal ? AbortSignal.any([init.signal, over]) : over;
    return boundedFetch(url, { ...init, signal }, onTooMuch);
  };

/** Sends what was signed in with; where that is wanted or outdated, renews it or begins a sign-in. */
const providerOf = (signIn: SignIn): AuthProvider => ({
  token: () => Promise.resolve(signIn.tokens()?.access_token),
  async onUnauthorized({ response, serverUrl, fetchFn }) {
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    await signIn.wanted();
    const more = { ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope !== undefined && { scope }) };
    if ((await auth(signIn, { serverUrl, fetchFn, ...more })) !== 'AUTHORIZED') throw new UnauthorizedError();
  },
});
