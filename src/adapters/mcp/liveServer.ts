import type { Approval, LaunchFingerprint, DescribedTool, ToolChanges } from '../../core/mcp/approval';
import { serverSource } from '../../core/mcp/mcpTool';
import type { Prompt, Resource, ResourceTemplate } from '../../core/mcp/offers';
import type { McpServer } from '../../core/mcp/server';
import type { Tool } from '../../core/ports/tool';
import { secrets } from '../../core/secrets/secrets';
import { cleanText } from '../terminal/output/cleanText';
import type { McpConnection } from './connectToServer';
import type { McpHost } from './host';
import { withoutPage } from './httpRefusal';
import { OfferedTools, listsOf } from './offeredTools';
import { openConnection } from './openConnection';
import { Restarts } from './restarts';
import { ServerAgreement, type ServerApprovals } from './serverAgreement';
import { ServerCalls } from './serverCalls';
import type { Refusal } from './signIn';
import { withCommas } from '../../core/text/withCommas';

/**
 * The state of a server. `off`: disabled. `asks`: its current configuration is not approved. `stopped`: starts when it
 * is needed. `failed`: retried when it is needed.
 */
export type ServerState = 'off' | 'asks' | 'stopped' | 'starting' | 'running' | 'failed';

interface Parts {
  readonly approvals: ServerApprovals;
  readonly host: McpHost;
  /** Prefix of the names of its tools. */ readonly prefix: string;
  /** Prefixes of other servers that begin with it. */ readonly longer: readonly string[];
  changed(): void;
}

/**
 * One server: its configuration, its approvals, and what it offers while it runs. Errors that reach a run have messages
 * for the model.
 */
export class LiveServer {
  readonly log = new ServerLog();
  state: ServerState;
  /** True while it waits for the user to sign in. */
  awaitsSignIn = false;
  /** True if the user stopped the server: tasks do not start it until the user does. */
  isStoppedByUser = false;
  /** Calls to the server, which start it if necessary. */
  readonly calls: ServerCalls;
  /** Why it failed, as a message. */
  reason: string | undefined;
  prompts: readonly Prompt[] = [];
  resources: readonly Resource[] = [];
  templates: readonly ResourceTemplate[] = [];
  /** Messages about tools that cannot be offered. */
  readonly leftOut = new Set<string>();
  private readonly agreement: ServerAgreement;
  private readonly offered: OfferedTools;
  private readonly restarts = new Restarts();
  private connection: McpConnection | undefined;
  /** The approved hash with which it was started last. */
  private launched = '';
  private starting: Promise<void> | undefined;
  private abort = new AbortController();
  private refusal: Refusal = { declined: false };
  private refreshing = false;
  /** True if its lists changed while they were being read. */
  private changedAgain = false;

  constructor(
    readonly named: McpServer,
    private readonly parts: Parts,
  ) {
    this.state = named.disabled ? 'off' : 'asks';
    this.agreement = new ServerAgreement(named, parts.approvals);
    this.calls = new ServerCalls({
      named,
      host: parts.host,
      liveConnection: () => this.connected(),
      dropConnection: (connection, why) => this.lost(connection, why),
      answered: () => this.restarts.answered(),
      isAgreed: (tool, launch) => this.offered.isAgreed(tool, launch),
      log: (words) => this.log.add(words),
      lastWords: () => this.lastWords,
    });
    this.offered = new OfferedTools(named.name, parts.prefix, parts.longer, (launch) => this.calls.tool(launch));
  }

  /** The tools that the model may see. They are kept while the server restarts. */
  get tools(): readonly Tool[] {
    return ['running', 'starting', 'failed'].includes(this.state) ? this.offered.list : [];
  }

  /** How the listed tools differ from the approved ones. */
  get changes(): ToolChanges {
    return this.offered.changes;
  }

  /** The tools as they were when they were approved. */
  get agreedTools(): Approval['tools'] {
    return this.agreement.tools;
  }

  /** True if it failed long enough ago to be retried. */
  get mayRetry(): boolean {
    return this.state === 'failed' && !this.restarts.isGivenUp && this.restarts.waitMs <= 0;
  }

  get processes(): number {
    return this.connection?.processes() ?? 0;
  }

  /** True if its tools have the same names with these prefixes. */
  isNamedBy(prefix: string, longer: readonly string[]): boolean {
    return JSON.stringify([prefix, longer]) === JSON.stringify([this.parts.prefix, this.parts.longer]);
  }

  /** Determines whether it may start with its current configuration. */
  async refreshState(): Promise<ServerState> {
    if (this.state === 'off' || this.state === 'running' || this.state === 'starting') return this.state;
    if ((await this.approvedLaunch()) === undefined) this.become('asks');
    else if (this.state === 'asks') this.become('stopped');
    return this.state;
  }

  /** Returns the current values that an approval to start it is bound to. */
  launch(): Promise<{ readonly hash: string; readonly bound: LaunchFingerprint }> {
    return this.agreement.launch();
  }

  /** Approves starting the server with this hash. Resolves to false if the hash has changed since. */
  async agreeToStart(hash: string): Promise<boolean> {
    if (!(await this.agreement.addLaunch(hash))) return false;
    if (this.state === 'asks' || this.state === 'off') this.become('stopped');
    return true;
  }

  /** Approves the tools as they are listed. */
  async agreeToTools(tools: readonly DescribedTool[]): Promise<void> {
    if (this.agreement.addTools(tools)) await this.offer(this.offered.listed);
  }

  /** Revokes all approvals and stops the server. */
  async revoke(): Promise<void> {
    this.agreement.revoke();
    await this.stop();
    const { named } = this;
    if (named.kind === 'http') {
      const { SignIn } = await import('./signIn');
      await SignIn.forget(named.url, this.parts.host);
    }
    this.become('asks');
  }

  /**
   * Resolves when the server runs. Rejects with an `Error` with a message if it does not; never starts anything without
   * approval.
   */
  start(): Promise<void> {
    return (this.starting ??= this.begin().finally(() => {
      this.starting = undefined;
    }));
  }

  /** Starts the server at the user's request, regardless of earlier failures. */
  startAnew(): Promise<void> {
    this.isStoppedByUser = false;
    this.refusal = { declined: false };
    this.restarts.forget();
    return this.start();
  }

  /** Notifies the server that the workspace folders changed. */
  async foldersChanged(): Promise<void> {
    await this.connection?.client.sendRootsListChanged().catch(() => undefined);
  }

  /** Stops its processes. It starts again on demand. Resolves to the number of processes that were stopped. */
  async stop(): Promise<number> {
    this.abort.abort(new Error('It was stopped.'));
    const { connection, processes } = this;
    this.connection = undefined;
    await connection?.close();
    await this.starting?.catch(() => undefined);
    this.refusal = { declined: false };
    this.offered.clear();
    this.prompts = [];
    this.resources = [];
    this.templates = [];
    if (this.state !== 'off' && this.state !== 'asks') this.become('stopped');
    return processes;
  }

  private async begin(): Promise<void> {
    if (this.state === 'running' || this.state === 'off') return;
    const launch = await this.approvedLaunch();
    if (launch === undefined) {
      this.become('asks');
      throw new Error(`${this.source} was not started: its current configuration has not been approved.`);
    }
    this.abort = new AbortController();
    const { signal } = this.abort;
    this.become('starting');
    try {
      this.launched = launch;
      await this.connect(signal);
      await this.offer(await this.readOffers());
      signal.throwIfAborted();
      this.restarts.started();
      this.reason = undefined;
      this.become('running');
    } catch (error) {
      await this.connection?.close();
      this.connection = undefined;
      if (signal.aborted) {
        this.become('stopped');
        throw new Error(`${this.source} was stopped.`);
      }
      this.restarts.failed();
      const why = (error as Error).message.replace(/(?<!\.)\.*$/, '.');
      this.fail(`${why} ${this.lastWords}`.trim());
      throw new Error(`${this.source.replace(/^t/, 'T')} did not start. ${this.reason}`);
    }
  }

  private async connect(signal: AbortSignal): Promise<void> {
    // A server that fails to start is closed before there is a connection.
    let connection: McpConnection | undefined = undefined;
    const parts = {
      signal,
      onLog: (text: string) => this.log.add(text),
      onLeftOut: (words: string) => this.leaveOut(words),
      onClosed: () => {
        if (connection && this.connection === connection) this.ended(connection);
      },
      onChanged: () => this.refresh(),
      onSignIn: (waits: boolean) => {
        this.awaitsSignIn = waits;
        if (waits) this.calls.awaitSignIn();
        this.parts.changed();
      },
      onQuestion: (...question: Parameters<ServerCalls['answerQuestion']>) => this.calls.answerQuestion(...question),
    };
    connection = await openConnection(this.named, this.parts.host, parts, this.refusal);
    this.connection = connection;
  }

  private leaveOut(words: string): void {
    if (this.leftOut.size < maxOmittedNamed) this.leftOut.add(`MCP server ${this.named.name}: ${words}`);
    else this.leftOut.add(`MCP server ${this.named.name}: More of its tools are not offered. The last are in its log.`);
  }

  /** Returns the connection, reopened if it has ended. Rejects with an `Error` with a message. */
  private async connected(): Promise<McpConnection> {
    if (this.connection) return this.connection;
    const reason = this.reason ?? '';
    const { crashes, isGivenUp, waitMs } = this.restarts;
    if (isGivenUp)
      throw new Error(
        `${this.source} ended ${crashes} times in a row without answering, so it is not restarted automatically. ` +
          `${reason} A person can read its log and start it in the list of MCP servers.`,
      );
    if (waitMs > 0)
      throw new Error(`${this.source} is not running. ${reason} Waymark retries in ${Math.ceil(waitMs / 1000)} s.`);
    await this.start();
    if (!this.connection) throw new Error(`${this.source} is not running.`);
    return this.connection;
  }

  private ended(connection: McpConnection): void {
    this.connection = undefined;
    if (this.state === 'running')
      this.crashed(`${connection.end() ?? 'The connection was closed.'} ${this.lastWords}`.trim());
  }

  /** Drops a dead connection; the next call opens another one. */
  private async lost(connection: McpConnection, why?: string): Promise<void> {
    if (this.connection !== connection) return;
    this.connection = undefined;
    if (why === undefined) return this.become('failed');
    this.crashed(why);
    await connection.close();
  }

  private crashed(reason: string): void {
    this.restarts.crashed();
    this.fail(reason);
  }

  private fail(reason: string): void {
    this.reason = reason;
    this.become('failed');
  }

  /** Runs one read at a time. Notifications during a read trigger one more. */
  private refresh(): void {
    if (this.refreshing) {
      this.changedAgain = true;
      return;
    }
    this.refreshing = true;
    void this.readLists().finally(() => {
      this.refreshing = false;
      if (!this.changedAgain) return;
      this.changedAgain = false;
      if (this.connection) this.refresh();
    });
  }

  private async readLists(): Promise<void> {
    try {
      await this.offer(await this.readOffers());
    } catch (error) {
      this.log.add(`[Its lists could not be read: ${withoutPage(error as Error).message}]\n`);
    }
    this.parts.changed();
  }

  /** Reads all lists, and returns the tools, including those not approved. */
  private async readOffers(): Promise<DescribedTool[]> {
    const { tools, prompts, resources, templates } = await listsOf(this.connection!);
    this.prompts = prompts;
    this.resources = resources;
    this.templates = templates;
    return tools;
  }

  /** Offers the approved tools. */
  private async offer(described: readonly DescribedTool[]): Promise<void> {
    this.agreement.addFirstTools(described);
    await this.offered.update(this.agreement.tools, described, this.launched);
    this.parts.changed();
  }

  /** Returns the hash of its current configuration if it may start with it. */
  private async approvedLaunch(): Promise<string | undefined> {
    return this.parts.host.folders() === undefined ? undefined : this.agreement.approvedLaunch();
  }

  /** The name of the server in messages for the model. */
  private get source(): string {
    return serverSource(this.named.name);
  }

  private get lastWords(): string {
    const words = this.log.lastWords;
    return words === '' ? '' : `Its log ends with: ${words}`;
  }

  private become(state: ServerState): void {
    if (this.state === state) return;
    this.state = state;
    this.parts.changed();
  }
}

/** Maximum number of messages about tools that cannot be offered: a server can list others at any time. */
const maxOmittedNamed = 20;

/** Maximum length of the server log, in characters. */
const maxLogCharacters = 64 * 1024;

/** The last part of the output of a server apart from its messages, which may be endless. */
class ServerLog {
  private tail = '';
  private lost = 0;

  add(text: string): void {
    this.tail += text;
    if (this.tail.length <= 2 * maxLogCharacters) return;
    this.lost += this.tail.length - maxLogCharacters;
    this.tail = this.tail.slice(-maxLogCharacters);
  }

  /** For people: without control sequences and secrets. */
  get text(): string {
    const left = this.lost + Math.max(0, this.tail.length - maxLogCharacters);
    const end = this.maskedTail.slice(-maxLogCharacters);
    return left > 0 ? `[${withCommas(left)} earlier characters omitted]\n${end}` : end;
  }

  /** The last lines, for an error message. */
  get lastWords(): string {
    return this.maskedTail.trim().split('\n').slice(-5).join('\n').slice(-600);
  }

  /** Masked before it is cut, because half a secret would not be recognized. */
  private get maskedTail(): string {
    return secrets.maskCutEnds(cleanText(this.tail), { start: this.lost > 0 });
  }
}
