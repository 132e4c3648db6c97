import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import * as z from 'zod';
import { secrets } from '../../core/secrets/secrets';
import { httpFor } from '../net/http';
import type { HttpServer } from '../../core/mcp/server';
import type { McpHost } from './host';

const signInTimeoutMs = 5 * 60_000;

const StoredSignIn = z.object({
  /** Where the client of the entry signs in, by its id: its secret goes nowhere else. */
  issuers: z.record(z.string(), z.string()).optional(),
  port: z.number().optional(),
  client: z.looseObject({}).optional(),
  tokens: z.looseObject({ access_token: z.string() }).optional(),
});
type StoredSignIn = z.infer<typeof StoredSignIn>;

/**
 * What a server remembers while it is restarted. `declined`: the user was asked and did not sign in. Nobody is asked
 * again until the server is stopped and started.
 */
export interface Refusal {
  declined: boolean;
}

/** How the user is asked to sign in. */
export interface SignInAsking {
  readonly refusal: Refusal;
  /** Called when the user is asked, and when that is over. */
  readonly onWaiting: ((waits: boolean) => void) | undefined;
}

/**
 * Signs in to one server with OAuth: the browser shows its page and returns to an address on this machine that listens
 * only in the meantime. Tokens are stored in the host's secret storage, by the address of the server, and are masked in
 * output.
 */
export class SignIn implements OAuthClientProvider {
  private stored: StoredSignIn | undefined;
  private verifier = '';
  private discovered: OAuthDiscoveryState | undefined;
  private expected = '';
  private listening:
    { readonly server: Server; readonly port: number; readonly answer: Promise<URLSearchParams> } | undefined;
  /** The page to sign in at, which names the scope. */
  private page: URL | undefined;
  private readonly over = new AbortController();
  /** A token of a sign-in by the user that the server has not accepted yet. */
  private untried: string | undefined;
  /** Scopes that the user was asked for during calls: a server that is never content does not ask forever. */
  private readonly scopesAsked = new Set<string>();
  /** The sign-in in progress: resolves to true if tokens could be renewed without the user. */
  private authorizing: Promise<boolean> | undefined;
  /** Resolves when the user has signed in and the tokens are stored. */
  private finishing: Promise<void> | undefined;
  /** True if the sign-in in progress must not involve the user. */
  private quiet = false;

  /** `server`: with its `${…}` filled in. `written`: its address as the entry writes it. */
  constructor(
    private readonly server: Pick<HttpServer, 'url' | 'name' | 'oauth'>,
    private readonly written: string,
    private readonly host: Pick<McpHost, 'keys' | 'signIn'>,
    private readonly asking: SignInAsking,
  ) {
    secrets.learn(server.oauth?.clientSecret);
  }

  /** Loads the stored tokens. Call this before the first use. */
  async prepare(): Promise<void> {
    const text = await this.host.keys.get(this.place);
    const read = text === undefined ? undefined : StoredSignIn.safeParse(JSON.parse(text) as unknown);
    this.stored = read?.success ? read.data : {};
    secrets.learn(
      this.stored.tokens?.access_token,
      this.stored.tokens?.['refresh_token'] as string | undefined,
      this.stored.client?.['client_secret'] as string | undefined,
    );
  }

  /**
   * Renews the tokens, or begins a sign-in in the browser; `finished` resolves when the user has completed it. `begin`
   * requests authorization, `exchange` trades the parameters of the redirect for tokens. Resolves to true if the user
   * was not needed. Concurrent calls share one sign-in. `mayAsk`: false for what happens in the background.
   */
  async authorize(
    begin: () => Promise<'AUTHORIZED' | 'REDIRECT'>,
    exchange: (answer: URLSearchParams) => Promise<void>,
    mayAsk = true,
  ): Promise<boolean> {
    if (this.authorizing && this.quiet && mayAsk)
      return this.authorizing.catch(() => this.authorize(begin, exchange, mayAsk));
    if (this.authorizing) return this.authorizing;
    this.over.signal.throwIfAborted();
    const isRenewable = this.stored?.tokens?.['refresh_token'] !== undefined;
    if (!isRenewable && (this.asking.refusal.declined || !mayAsk)) throw this.notSignedIn();
    this.quiet = !mayAsk || this.asking.refusal.declined;
    return (this.authorizing = this.begin(begin, exchange));
  }

  /** Notes that the server accepted a token. */
  accepted(token: string | undefined): void {
    if (token === this.untried) this.untried = undefined;
  }

  /** Throws if the user has just signed in and the server does not accept the result: asking again would not help. */
  checkTried(): void {
    if (this.untried === undefined || this.untried !== this.tokens()?.access_token) return;
    this.asking.refusal.declined = true;
    throw new Error(
      `${this.server.name} does not accept the sign-in that you completed. Stop it and start it to sign in again, perhaps with another account.`,
    );
  }

  /** Returns whether the user has already signed in for a scope that a call requires. */
  hasAskedFor(scope: string): boolean {
    return this.scopesAsked.has(scope);
  }
  /** Notes that the user has signed in for a scope that a call requires. */
  askedFor(scope: string): void {
    this.scopesAsked.add(scope);
  }

  /** Resolves when the sign-in that `authorize` began is complete. Rejects if the user did not sign in. */
  get finished(): Promise<void> {
    return this.finishing ?? Promise.resolve();
  }

  /** Cancels a sign-in in progress, when the connection ends. */
  close(): void {
    this.over.abort(new Error(`The sign-in to ${this.server.name} was canceled.`));
    this.endListening();
  }

  private endListening(): void {
    this.authorizing = undefined;
    this.listening?.server.close();
    this.listening?.server.closeAllConnections();
    this.listening = undefined;
  }

  private async begin(
    begin: () => Promise<'AUTHORIZED' | 'REDIRECT'>,
    exchange: (answer: URLSearchParams) => Promise<void>,
  ): Promise<boolean> {
    try {
      // The redirect address is part of the registration.
      if (!this.quiet) await this.listen();
      if ((await begin()) === 'AUTHORIZED') {
        this.endListening();
        return true;
      }
      this.finishing = this.finish(exchange);
      this.finishing.catch(() => undefined);
      return false;
    } catch (error) {
      this.endListening();
      throw /not support dynamic client registration/.test((error as Error).message) ? this.notRegistered() : error;
    }
  }

  private async finish(exchange: (answer: URLSearchParams) => Promise<void>): Promise<void> {
    this.asking.onWaiting?.(true);
    try {
      await exchange(await this.waitForAnswer(this.page!, this.listening!.answer));
      this.untried = this.stored?.tokens?.access_token;
    } catch (error) {
      if (!this.over.signal.aborted) this.asking.refusal.declined = true;
      throw error;
    } finally {
      this.page = undefined;
      this.endListening();
      this.asking.onWaiting?.(false);
    }
  }

  /** Shows the page to the user, and waits for the redirect. */
  private async waitForAnswer(page: URL, answer: Promise<URLSearchParams>): Promise<URLSearchParams> {
    const shown = this.host.signIn(page, this.server.name, this.over.signal).then((isShown) => {
      if (!isShown) throw new Error(`Nobody signed in to ${this.server.name}. Stop it and start it to be asked again.`);
      return answer;
    });
    return Promise.race([shown, answer]);
  }

  private notRegistered(): Error {
    return new Error(
      `Applications cannot register themselves where ${this.server.name} signs in. Register one there, with the redirect address http://127.0.0.1/callback, and add "oauth": { "clientId": "…" } to its entry.`,
    );
  }

  private notSignedIn(): Error {
    return new Error(`${this.server.name} requires you to sign in. Stop it and start it to be asked again.`);
  }

  get redirectUrl(): string {
    return `http://127.0.0.1:${this.listening?.port ?? this.server.oauth?.callbackPort ?? this.stored?.port ?? 0}/callback`;
  }

  get clientMetadata() {
    return {
      client_name: 'Waymark',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  state(): string {
    return (this.expected = randomBytes(24).toString('base64url'));
  }
  /** The client of the entry is bound to the issuer of its first sign-in. The package binds one that it registered. */
  async clientInformation(context?: { readonly issuer: string }): Promise<StoredOAuthClientInformation | undefined> {
    const { clientId, clientSecret } = this.server.oauth ?? {};
    if (clientId === undefined) return this.stored?.client as StoredOAuthClientInformation | undefined;
    const stored = this.stored?.issuers?.[clientId];
    const issuer = stored ?? context?.issuer;
    if (context && context.issuer !== issuer)
      throw new Error(
        `${this.server.name} wants a sign-in at ${context.issuer}, but the client of its entry has signed in at ${issuer}. If this is right, revoke the approval of the server and start it again.`,
      );
    if (stored === undefined && issuer !== undefined)
      await this.store({ ...this.stored, issuers: { ...this.stored?.issuers, [clientId]: issuer } });
    return {
      client_id: clientId,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
      ...(issuer !== undefined && { issuer }),
    };
  }
  saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    secrets.learn((client as { client_secret?: string }).client_secret);
    return this.store({ ...this.stored, client, port: this.listening?.port });
  }
  tokens(): StoredOAuthTokens | undefined {
    return this.stored?.tokens as StoredOAuthTokens | undefined;
  }

  /** A response without a scope grants the one that was asked for, or that of the renewed token. */
  saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    secrets.learn(tokens.access_token, tokens.refresh_token);
    const scope = tokens.scope ?? this.page?.searchParams.get('scope') ?? this.tokens()?.scope;
    return this.store({ ...this.stored, tokens: { ...tokens, ...(scope !== undefined && { scope }) } });
  }

  /** The page is shown later, outside the request that requires the sign-in, whose timeout would end it. */
  async redirectToAuthorization(address: URL): Promise<void> {
    if (this.quiet) throw this.notSignedIn();
    this.over.signal.throwIfAborted();
    if (!/^https?:$/.test(address.protocol))
      throw new Error(`${this.server.name} requires a sign-in at an address that is not http or https.`);
    this.page = address;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }
  codeVerifier(): string {
    return this.verifier;
  }
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovered = state;
  }
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovered;
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'discovery' || scope === 'all') this.discovered = undefined;
    const { client, tokens, port, issuers } = this.stored ?? {};
    await this.store({
      ...(issuers && { issuers }),
      ...(scope !== 'all' && scope !== 'client' && client && { client, port }),
      ...(scope !== 'all' && scope !== 'tokens' && tokens && { tokens }),
    });
  }

  /** Deletes what is stored for an address as the entry writes it, for all that its `${…}` stood for. */
  static async forget(written: string, { keys }: Pick<McpHost, 'keys'>): Promise<void> {
    if (URL.canParse(written)) await keys.set(secretName(written), undefined);
    for (const place of await placesOf(written, keys)) await keys.set(place, undefined);
    await keys.set(placesName(written), undefined);
  }

  private get place(): string {
    return secretName(this.server.url);
  }

  private async store(next: StoredSignIn): Promise<void> {
    this.stored = next;
    await this.rememberPlace();
    await this.host.keys.set(this.place, Object.keys(next).length > 0 ? JSON.stringify(next) : undefined);
  }

  /** What `${…}` stands for may be another value when the approval is revoked. */
  private async rememberPlace(): Promise<void> {
    const { place, written } = this;
    if (written === this.server.url) return;
    const { keys } = this.host;
    const known = await placesOf(written, keys);
    if (!known.includes(place)) await keys.set(placesName(written), JSON.stringify([...known, place]));
  }

  /**
   * Listens on the registered port. If that is taken, uses another one and registers again, unless the port is
   * configured.
   */
  private async listen(): Promise<void> {
    const { callbackPort } = this.server.oauth ?? {};
    if (callbackPort !== undefined) {
      this.listening = await this.open(callbackPort).catch((error: Error) => {
        throw new Error(
          `Port ${callbackPort}, which "callbackPort" of ${this.server.name} names, cannot be used: ${error.message}. End the program that uses it, or choose another port.`,
        );
      });
      return;
    }
    const storedPort = this.stored?.port;
    const listening =
      (storedPort === undefined ? undefined : await this.open(storedPort).catch(() => undefined)) ??
      (await this.open(0));
    if (storedPort !== listening.port && this.stored?.client && !this.server.oauth)
      this.stored = {
        ...(this.stored.issuers && { issuers: this.stored.issuers }),
        ...(this.stored.tokens && { tokens: this.stored.tokens }),
      };
    this.listening = listening;
    if (this.over.signal.aborted) throw this.over.signal.reason;
  }

  private open(port: number): Promise<NonNullable<SignIn['listening']>> {
    return new Promise((resolve, reject) => {
      let come = (_answer: URLSearchParams): void => undefined;
      let fail = (_why: Error): void => undefined;
      const answer = new Promise<URLSearchParams>((arrived, gone) => {
        come = arrived;
        fail = gone;
      });
      answer.catch(() => undefined);
      const server = httpFor('http:').createServer((request, response) => {
        const [pathname, query = ''] = (request.url ?? '').split('?', 2);
        const searchParams = new URLSearchParams(query);
        const ours = pathname === '/callback' && isSameSecret(searchParams.get('state') ?? '', this.expected);
        response.writeHead(ours ? 200 : 404, {
          'content-type': 'text/plain; charset=utf-8',
          'content-security-policy': "default-src 'none'",
          connection: 'close',
        });
        const answer = searchParams.has('code') ? 'Signed in.' : 'Not signed in.';
        response.end(ours ? `${answer} You can close this page.` : 'Not found.');
        if (!ours) return;
        if (searchParams.has('code')) come(searchParams);
        else
          fail(
            new Error(
              `The sign-in to ${this.server.name} was refused: ${secrets.mask(searchParams.get('error_description') ?? searchParams.get('error') ?? 'no reason was given').slice(0, 300)}`,
            ),
          );
      });
      const timer = setTimeout(
        () =>
          fail(
            new Error(
              `Nobody signed in to ${this.server.name} within ${signInTimeoutMs / 60_000} minutes. Stop it and start it to be asked again.`,
            ),
          ),
        signInTimeoutMs,
      ).unref();
      server.once('close', () => {
        clearTimeout(timer);
        fail(new Error(`The sign-in to ${this.server.name} was canceled.`));
      });
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => resolve({ server, port: (server.address() as AddressInfo).port, answer }));
    });
  }
}

const secretName = (address: string): string => {
  const { origin, pathname } = new URL(address);
  return `mcp ${origin}${pathname}`;
};

/** Where the names of what is stored for an address with `${…}` are stored. The address may contain a secret. */
const placesName = (written: string): string => `mcp places ${createHash('sha256').update(written).digest('hex')}`;

async function placesOf(written: string, keys: McpHost['keys']): Promise<readonly string[]> {
  const text = await keys.get(placesName(written));
  return text === undefined ? [] : z.array(z.string()).catch([]).parse(JSON.parse(text));
}

function isSameSecret(a: string, b: string): boolean {
  const [actual, expected] = [Buffer.from(a), Buffer.from(b)];
  return b !== '' && actual.length === expected.length && timingSafeEqual(actual, expected);
}
