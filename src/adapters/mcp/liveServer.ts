import {
  launchHash,
  toolChanges,
  toolHash,
  type Approval,
  type Bound,
  type ToldTool,
  type ToolChanges,
} from '../../core/mcp/approval';
import { interpolate, inputsOf } from '../../core/mcp/interpolation';
import { mcpTool, sourceOf } from '../../core/mcp/mcpTool';
import type { Prompt, Resource, ResourceTemplate } from '../../core/mcp/offers';
import type { McpServer } from '../../core/mcp/server';
import { toolNames } from '../../core/mcp/toolNames';
import { secrets } from '../../core/secrets/secrets';
import type { Tool } from '../../core/ports/tool';
import type { Approvals } from './approvals';
import type { Connection } from './connect';
import type { McpHost } from './host';
import { listsOf } from './lists';
import { ServerCalls } from './serverCalls';
import { serverFingerprint } from './serverFingerprint';
import { machineLookups } from './machineLookups';
import { cleanText } from '../terminal/output/cleanText';

/**
 * How a server stands. `off`: it was switched off; `asks`: nobody agreed to start it as it is named now; `stopped`: it
 * starts when it is needed; `failed`: it will be tried again when it is needed.
 */
export type ServerState = 'off' | 'asks' | 'stopped' | 'starting' | 'running' | 'failed';

interface Parts {
  readonly approvals: Approvals;
  readonly host: McpHost;
  /** How the names of its tools begin. */ readonly prefix: string;
  changed(): void;
}

const startMs = 60_000;
/** How often in a row it may end before it answered anything. */
const mostCrashes = 3;
const longestBackOffMs = 60_000;
const none: ToolChanges = { same: [], added: [], changed: [], gone: [] };

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
  /** How the tools that it tells of differ from those that were agreed to. */
  changes: ToolChanges = none;
  private offered: readonly Tool[] = [];
  private connection: Connection | undefined;
  private starting: Promise<void> | undefined;
  private abort = new AbortController();
  private failures = 0;
  private crashes = 0;
  private notBefore = 0;
  private refreshing = false;
  /** Its lists changed while they were read. */
  private changedAgain = false;

  constructor(
    readonly named: McpServer,
    private readonly parts: Parts,
  ) {
    this.state = named.disabled ? 'off' : 'asks';
    this.calls = new ServerCalls({
      named,
      host: parts.host,
      connected: () => this.connected(),
      lost: (connection, why) => this.lost(connection, why),
      answered: () => {
        this.crashes = 0;
      },
      isAgreed: (tool) => this.changes.same.some(({ name }) => name === tool),
      log: (words) => this.log.add(words),
      lastWords: () => this.lastWords,
    });
  }

  /** What a person should know of tools that cannot be offered. */
  readonly leftOut = new Set<string>();
  /**
   * The tools that the model may be told of: those that were agreed to, as they were
   * then. They stay while it is started again.
   */
  get tools(): readonly Tool[] {
    return this.state === 'running' || this.state === 'starting' || this.state === 'failed' ? this.offered : [];
  }
  /** Whether it failed long enough ago to be tried again. */
  get mayRetry(): boolean {
    return this.state === 'failed' && this.crashes < mostCrashes && performance.now() >= this.notBefore;
  }
  /** The tools as they were when somebody agreed to them. */
  get agreed(): Approval['tools'] {
    return this.approval?.tools ?? {};
  }
  get processes(): number {
    return this.connection?.processes() ?? 0;
  }

  get prefix(): string {
    return this.parts.prefix;
  }

  /** Looks whether it may start as it is named now. */
  async look(): Promise<ServerState> {
    if (this.state === 'off' || this.state === 'running' || this.state === 'starting') return this.state;
    const may = await this.mayStart();
    if (!may) this.become('asks');
    else if (this.state === 'asks') this.become('stopped');
    return this.state;
  }

  /** What a consent to start it is bound to, at this moment. */
  async launch(): Promise<{ readonly hash: string; readonly bound: Bound }> {
    const bound = await serverFingerprint(this.named);
    return { hash: await launchHash(this.named, bound), bound };
  }

  /**
   * A person agreed to start what has that hash; nothing where it is another by
   * now. What its tools were stays agreed to.
   */
  async agreeToStart(hash: string): Promise<boolean> {
    if ((await this.launch()).hash !== hash) return false;
    this.parts.approvals.change(this.key, (known) => ({ tools: {}, ...known, launch: hash }));
    if (this.state === 'asks' || this.state === 'off') this.become('stopped');
    return true;
  }

  /** A person agreed to the tools as they are told now. */
  async agreeToTools(tools: readonly ToldTool[]): Promise<void> {
    this.parts.approvals.change(
      this.key,
      (known) =>
        known && {
          ...known,
          seen: true,
          tools: { ...known.tools, ...Object.fromEntries(tools.map((tool) => [tool.name, tool])) },
        },
    );
    if (!this.approval) return;
    await this.offer([...this.changes.same, ...this.changes.added, ...this.changes.changed]);
  }

  /** Takes back what was agreed to, and ends it. */
  async revoke(): Promise<void> {
    this.parts.approvals.change(this.key, () => undefined);
    await this.stop();
    if (this.named.kind === 'http' && URL.canParse(this.named.url))
      await (await import('./signIn')).SignIn.forget(this.named.url, this.parts.host);
    this.become('asks');
  }

  /** Resolves when it runs. Rejects in words where it does not, and starts nothing that nobody agreed to. */
  start(): Promise<void> {
    return (this.starting ??= this.begin().finally(() => {
      this.starting = undefined;
    }));
  }

  /** A person wants it to start: what was before counts no more. */
  startAnew(): Promise<void> {
    this.held = false;
    this.failures = this.crashes = this.notBefore = 0;
    return this.start();
  }

  /** Tells it that the workspace folders are others. */
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
    this.offered = [];
    this.prompts = this.resources = this.templates = [];
    this.changes = none;
    if (this.state !== 'off' && this.state !== 'asks') this.become('stopped');
    return processes;
  }

  private async begin(): Promise<void> {
    if (this.state === 'running' || this.state === 'off') return;
    if (!(await this.mayStart())) {
      this.become('asks');
      throw new Error(`${sourceOf(this.named.name)} may not start: nobody agreed to start it as it is named now.`);
    }
    this.abort = new AbortController();
    const { signal } = this.abort;
    this.become('starting');
    try {
      await this.connect(signal);
      await this.offer(await this.told());
      signal.throwIfAborted();
      this.failures = 0;
      this.reason = undefined;
      this.become('running');
    } catch (error) {
      await this.connection?.close();
      this.connection = undefined;
      if (signal.aborted) {
        this.become('stopped');
        throw new Error(`${sourceOf(this.named.name)} was stopped.`);
      }
      this.failed(`${(error as Error).message} ${this.lastWords}`.trim());
      throw new Error(`${sourceOf(this.named.name)} did not start. ${this.reason}`);
    }
  }

  private async connect(signal: AbortSignal): Promise<void> {
    const { host } = this.parts;
    const values = new Map<string, string>();
    for (const input of inputsOf(this.named)) {
      const value = (await host.ask(input, this.named.name)) ?? input.fallback;
      if (value !== undefined) values.set(input.id, value);
    }
    const { server, secret } = interpolate(
      this.named,
      machineLookups((id) => values.get(id)),
    );
    secrets.learn(
      ...secret,
      ...(server.kind === 'http' ? Object.values(server.headers) : []).flatMap((value) => [
        value,
        value.replace(/^\S+\s+/, ''),
      ]),
    );
    const signIn =
      server.kind === 'http' && !Object.keys(server.headers).some((name) => /^authorization$/i.test(name))
        ? new (await import('./signIn')).SignIn(server.url, server.name, host)
        : undefined;
    await signIn?.prepare();
    try {
      const { connect } = await import('./connect');
      // One that fails at its start is closed before there is a connection.
      let connection: Connection | undefined = undefined;
      connection = await connect(server, {
        folders: () => host.folders() ?? [],
        signal,
        timeoutMs: startMs,
        signIn,
        onLog: (text) => this.log.add(text),
        onLeftOut: (words) => void this.leftOut.add(`MCP server ${this.named.name}: ${words}`),
        onClosed: () => {
          if (connection && this.connection === connection) this.ended(connection);
        },
        onChanged: () => this.refresh(),
        onQuestion: (params, given) => this.calls.elicited(params, given),
      });
      this.connection = connection;
    } finally {
      signIn?.close();
    }
  }

  /** A connection that is there, started again where it ended. Throws in words. */
  private async connected(): Promise<Connection> {
    if (!this.connection && this.crashes >= mostCrashes)
      throw new Error(
        `${sourceOf(this.named.name)} ended ${this.crashes} times in a row before it answered anything, so it is not started again by itself. ${this.reason ?? ''} A person can look at its log and start it in the list of MCP servers.`,
      );
    if (!this.connection && performance.now() < this.notBefore)
      throw new Error(
        `${sourceOf(this.named.name)} is not running. ${this.reason ?? ''} It will be tried again in ${Math.ceil((this.notBefore - performance.now()) / 1000)} s.`,
      );
    if (!this.connection) await this.start();
    if (!this.connection) throw new Error(`${sourceOf(this.named.name)} is not running.`);
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
    this.failed(reason);
    this.crashes++;
  }

  private failed(reason: string): void {
    this.reason = reason;
    this.notBefore = performance.now() + Math.min(longestBackOffMs, 500 * 2 ** (this.failures++ + this.crashes));
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
      await this.offer(await this.told());
    } catch (error) {
      this.log.add(`[Its lists could not be read: ${(error as Error).message}]\n`);
    }
    this.parts.changed();
  }

  private async told(): Promise<ToldTool[]> {
    const { tools, ...others } = await listsOf(this.connection!.client);
    Object.assign(this, others);
    return tools;
  }

  /**
   * Of all that it tells of, what was agreed to. What it tells of for the first time is
   * what a person agreed to with the server.
   */
  private async offer(told: readonly ToldTool[]): Promise<void> {
    if (this.approval && !this.approval.seen)
      this.parts.approvals.change(this.key, (known) =>
        known && !known.seen
          ? { ...known, seen: true, tools: Object.fromEntries(told.map((tool) => [tool.name, tool])) }
          : known,
      );
    this.changes = await toolChanges(this.approval?.tools ?? {}, told);
    const names = toolNames(
      this.parts.prefix,
      told.map(({ name }) => name),
    );
    const before = new Map(this.offered.map((tool) => [`${tool.name} ${tool.from!.hash}`, tool]));
    this.offered = (
      await Promise.all(
        this.changes.same.map(async (tool) => ({ tool, hash: await toolHash(tool), name: names.get(tool.name) })),
      )
    ).flatMap(({ tool, hash, name }) => {
      if (name === undefined) return [];
      return [
        before.get(`${name} ${hash}`) ?? mcpTool(tool, { name, hash, server: this.named.name, call: this.calls.tool }),
      ];
    });
    this.parts.changed();
  }

  private async mayStart(): Promise<boolean> {
    if (this.parts.host.folders() === undefined) return false;
    // What cannot be read is not what somebody agreed to.
    const now = await this.launch().catch(() => undefined);
    return now !== undefined && this.approval?.launch === now.hash;
  }

  private get approval(): Approval | undefined {
    return this.parts.approvals.of(this.key);
  }
  private get key(): string {
    return JSON.stringify([this.named.own ? '' : this.named.folder, this.named.name]);
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
  private kept = '';
  private lost = 0;

  add(text: string): void {
    this.kept += text;
    if (this.kept.length <= 2 * most) return;
    this.lost += this.kept.length - most;
    this.kept = this.kept.slice(-most);
  }

  /** For people: without control sequences. */
  get text(): string {
    const left = this.lost + Math.max(0, this.kept.length - most);
    return `${left > 0 ? `[${left.toLocaleString('en')} characters before this are left out.]\n` : ''}${cleanText(this.kept.slice(-most))}`;
  }

  /** Its last lines, for an error. */
  get lastWords(): string {
    return cleanText(this.kept.slice(-1500)).trim().split('\n').slice(-5).join('\n').slice(-600);
  }
}
