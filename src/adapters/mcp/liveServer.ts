import type { Approval, Bound, ToldTool, ToolChanges } from '../../core/mcp/approval';
import { sourceOf } from '../../core/mcp/mcpTool';
import type { Prompt, Resource, ResourceTemplate } from '../../core/mcp/offers';
import type { McpServer } from '../../core/mcp/server';
import type { Tool } from '../../core/ports/tool';
import { cleanText } from '../terminal/output/cleanText';
import type { Approvals } from './approvals';
import type { Connection } from './connect';
import type { McpHost } from './host';
import { listsOf } from './lists';
import { OfferedTools } from './offeredTools';
import { openConnection } from './openConnection';
import { Restarts } from './restarts';
import { ServerAgreement } from './serverAgreement';
import { ServerCalls } from './serverCalls';
import { withCommas } from '../../core/text/withCommas';

/**
 * The state of a server. `off`: switched off. `asks`: nobody agreed to start it as it is configured now. `stopped`:
 * starts when it is needed. `failed`: tried again when it is needed.
 */
export type ServerState = 'off' | 'asks' | 'stopped' | 'starting' | 'running' | 'failed';

interface Parts {
  readonly approvals: Approvals;
  readonly host: McpHost;
  /** How the names of its tools begin. */ readonly prefix: string;
  changed(): void;
}

/**
 * One server: what it is named, whether it may start, and what it offers while it runs. It never
 * throws into a run but in words for the model.
 */
export class LiveServer {
  readonly log = new ServerLog();
  state: ServerState;
  /** A person ended it: no task starts it until they do. */
  held = false;
  /** What is asked of it; it is started for that where it has to be. */
  readonly calls: ServerCalls;
  /** Why it failed, in words. */
  reason: string | undefined;
  prompts: readonly Prompt[] = [];
  resources: readonly Resource[] = [];
  templates: readonly ResourceTemplate[] = [];
  /** What a person should know of tools that cannot be offered. */
  readonly leftOut = new Set<string>();
  private readonly agreement: ServerAgreement;
  private readonly offered: OfferedTools;
  private readonly restarts = new Restarts();
  private connection: Connection | undefined;
  private starting: Promise<void> | undefined;
  private abort = new AbortController();
  private refreshing = false;
  /** Its lists changed while they were read. */
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
      connected: () => this.connected(),
      lost: (connection, why) => this.lost(connection, why),
      answered: () => this.restarts.answered(),
      isAgreed: (tool) => this.offered.isAgreed(tool),
      log: (words) => this.log.add(words),
      lastWords: () => this.lastWords,
    });
    this.offered = new OfferedTools(named.name, parts.prefix, this.calls.tool);
  }

  /** The tools that the model may be told of. They stay while the server is started again. */
  get tools(): readonly Tool[] {
    return ['running', 'starting', 'failed'].includes(this.state) ? this.offered.list : [];
  }

  /** How the tools that it lists differ from those that a person agreed to. */
  get changes(): ToolChanges {
    return this.offered.changes;
  }

  /** The tools as they were when a person agreed to them. */
  get agreedTools(): Approval['tools'] {
    return this.agreement.tools;
  }

  /** Whether it failed long enough ago to be tried again. */
  get mayRetry(): boolean {
    return this.state === 'failed' && !this.restarts.isGivenUp && this.restarts.waitMs <= 0;
  }

  get processes(): number {
    return this.connection?.processes() ?? 0;
  }

  get prefix(): string {
    return this.parts.prefix;
  }

  /** Finds out whether it may start as it is named now. */
  async refreshState(): Promise<ServerState> {
    if (this.state === 'off' || this.state === 'running' || this.state === 'starting') return this.state;
    const mayStart = await this.mayStart();
    if (!mayStart) this.become('asks');
    else if (this.state === 'asks') this.become('stopped');
    return this.state;
  }

  /** What a consent to start it is bound to, at this moment. */
  launch(): Promise<{ readonly hash: string; readonly bound: Bound }> {
    return this.agreement.launch();
  }

  /** A person agreed to start what has that hash. False where it has another one by now. */
  async agreeToStart(hash: string): Promise<boolean> {
    if (!(await this.agreement.addLaunch(hash))) return false;
    if (this.state === 'asks' || this.state === 'off') this.become('stopped');
    return true;
  }

  /** A person agreed to the tools as they are listed now. */
  async agreeToTools(tools: readonly ToldTool[]): Promise<void> {
    if (this.agreement.addTools(tools)) await this.offer(this.offered.told);
  }

  /** Takes back what was agreed to, and ends it. */
  async revoke(): Promise<void> {
    this.agreement.revoke();
    await this.stop();
    const { named } = this;
    if (named.kind === 'http' && URL.canParse(named.url)) {
      const { SignIn } = await import('./signIn');
      await SignIn.forget(named.url, this.parts.host);
    }
    this.become('asks');
  }

  /** Resolves when it runs. Rejects in words where it does not, and starts nothing that nobody agreed to. */
  start(): Promise<void> {
    return (this.starting ??= this.begin().finally(() => {
      this.starting = undefined;
    }));
  }

  /** A person wants it to start, however often it failed before. */
  startAnew(): Promise<void> {
    this.held = false;
    this.restarts.forget();
    return this.start();
  }

  /** Tells it that the workspace folders changed. */
  async foldersChanged(): Promise<void> {
    await this.connection?.client.sendRootsListChanged().catch(() => undefined);
  }

  /** Ends its processes. It starts again when somebody wants it to. Resolves to how many were ended. */
  async stop(): Promise<number> {
    this.abort.abort(new Error('It was stopped.'));
    const { connection, processes } = this;
    this.connection = undefined;
    await connection?.close();
    await this.starting?.catch(() => undefined);
    this.offered.clear();
    this.prompts = [];
    this.resources = [];
    this.templates = [];
    if (this.state !== 'off' && this.state !== 'asks') this.become('stopped');
    return processes;
  }

  private async begin(): Promise<void> {
    if (this.state === 'running' || this.state === 'off') return;
    if (!(await this.mayStart())) {
      this.become('asks');
      throw new Error(`${this.source} may not start: nobody agreed to start it as it is named now.`);
    }
    this.abort = new AbortController();
    const { signal } = this.abort;
    this.become('starting');
    try {
      await this.connect(signal);
      await this.offer(await this.readTold());
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
      this.fail(`${(error as Error).message} ${this.lastWords}`.trim());
      throw new Error(`${this.source} did not start. ${this.reason}`);
    }
  }

  private async connect(signal: AbortSignal): Promise<void> {
    // A server that fails at its start is closed before there is a connection.
    let connection: Connection | undefined = undefined;
    connection = await openConnection(this.named, this.parts.host, {
      signal,
      onLog: (text) => this.log.add(text),
      onLeftOut: (words) => void this.leftOut.add(`MCP server ${this.named.name}: ${words}`),
      onClosed: () => {
        if (connection && this.connection === connection) this.ended(connection);
      },
      onChanged: () => this.refresh(),
      onQuestion: (params, given) => this.calls.elicited(params, given),
    });
    this.connection = connection;
  }

  /** The connection, made anew where it ended. Rejects in words. */
  private async connected(): Promise<Connection> {
    if (this.connection) return this.connection;
    const reason = this.reason ?? '';
    const { crashes, isGivenUp, waitMs } = this.restarts;
    if (isGivenUp)
      throw new Error(
        `${this.source} ended ${crashes} times in a row before it answered anything, so it is not started again by itself. ` +
          `${reason} A person can look at its log and start it in the list of MCP servers.`,
      );
    if (waitMs > 0)
      throw new Error(
        `${this.source} is not running. ${reason} It will be tried again in ${Math.ceil(waitMs / 1000)} s.`,
      );
    await this.start();
    if (!this.connection) throw new Error(`${this.source} is not running.`);
    return this.connection;
  }

  private ended(connection: Connection): void {
    this.connection = undefined;
    if (this.state === 'running')
      this.crashed(`${connection.end() ?? 'The connection ended.'} ${this.lastWords}`.trim());
  }

  /** The connection leads nowhere any more; the next call makes another. */
  private async lost(connection: Connection, why?: string): Promise<void> {
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

  /** One read at a time, and one more after it for all that was told meanwhile. */
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
      await this.offer(await this.readTold());
    } catch (error) {
      this.log.add(`[Its lists could not be read: ${(error as Error).message}]\n`);
    }
    this.parts.changed();
  }

  /** Reads all that it offers, and returns the tools, of which not all may be agreed to. */
  private async readTold(): Promise<ToldTool[]> {
    const { tools, prompts, resources, templates } = await listsOf(this.connection!.client);
    this.prompts = prompts;
    this.resources = resources;
    this.templates = templates;
    return tools;
  }

  /** Offers those of its tools that a person agreed to. */
  private async offer(told: readonly ToldTool[]): Promise<void> {
    this.agreement.addFirstTools(told);
    await this.offered.update(this.agreement.tools, told);
    this.parts.changed();
  }

  private async mayStart(): Promise<boolean> {
    if (this.parts.host.folders() === undefined) return false;
    return this.agreement.coversLaunch();
  }

  /** What it is called in words for the model. */
  private get source(): string {
    return sourceOf(this.named.name);
  }

  private get lastWords(): string {
    const words = this.log.lastWords;
    return words === '' ? '' : `It printed: ${words}`;
  }

  private become(state: ServerState): void {
    if (this.state === state) return;
    this.state = state;
    this.parts.changed();
  }
}

/** Characters that are kept of what a server prints beside its messages. */
const most = 64 * 1024;

/** What a server printed beside its messages, the end of it: it may print for ever. */
class ServerLog {
  private tail = '';
  private lost = 0;

  add(text: string): void {
    this.tail += text;
    if (this.tail.length <= 2 * most) return;
    this.lost += this.tail.length - most;
    this.tail = this.tail.slice(-most);
  }

  /** For people: without control sequences. */
  get text(): string {
    const left = this.lost + Math.max(0, this.tail.length - most);
    const end = cleanText(this.tail.slice(-most));
    return left > 0 ? `[${withCommas(left)} characters before this are left out.]\n${end}` : end;
  }

  /** Its last lines, for an error. */
  get lastWords(): string {
    return cleanText(this.tail.slice(-1500)).trim().split('\n').slice(-5).join('\n').slice(-600);
  }
}
