import type { ServerProblem } from '../../core/mcp/server';
import { serverPrefixes } from '../../core/mcp/toolNames';
import type { Tool } from '../../core/ports/tool';
import type { ToolSource } from '../../core/tools/toolSources';
import { Approvals } from './approvals';
import type { McpHost } from './host';
import { LiveServer } from './liveServer';
import { findServers } from './serverFiles';

/** How long a task waits for servers that start; those that take longer are there for a later step. */
const patienceMs = 15_000;

/** The MCP servers of a workspace. Nothing is started before a person agreed to it; what they do never ends a run. */
export class McpServers implements ToolSource {
  private readonly approvals: Approvals;
  private live = new Map<string, LiveServer>();
  private reading: Promise<void> | undefined;
  private outdated = true;
  /** Of which the servers were told. */
  private folders = '';
  /** Those that somebody waited long enough for. */
  private readonly slow = new WeakSet<LiveServer>();
  problems: readonly ServerProblem[] = [];

  /** `changed`: something about them is another than before. `wanted`: those that a task may use at all. */
  constructor(
    private readonly host: McpHost,
    private readonly changed: () => void = () => undefined,
    private readonly wanted: (name: string) => boolean = () => true,
  ) {
    this.approvals = new Approvals(host.stateFolder);
  }

  get all(): readonly LiveServer[] {
    return [...this.live.values()];
  }
  named(name: string): LiveServer | undefined {
    return this.live.get(name);
  }
  tools(): readonly Tool[] {
    return this.all.flatMap(({ tools }) => tools);
  }
  unusable(): readonly string[] {
    return this.all.flatMap(({ leftOut }) => [...leftOut]);
  }

  /** The files or the setting may be others by now. */
  filesChanged(): void {
    this.outdated = true;
  }

  /** Reads anew where need be, and looks which of them may start. */
  async refresh(): Promise<readonly LiveServer[]> {
    if (this.outdated)
      this.reading ??= this.read().finally(() => {
        this.reading = undefined;
      });
    await this.reading;
    await Promise.all(this.all.map((server) => server.refreshState()));
    return this.all;
  }

  /** Starts those that may, and waits for them a while. */
  async prepare(signal: AbortSignal): Promise<void> {
    await this.refresh();
    const all = this.all.filter(({ held, named: { name } }) => !held && this.wanted(name));
    for (const server of all) if (server.mayRetry) void server.start().catch(() => undefined);
    const awaited = all.filter(
      (server) => server.state === 'stopped' || (server.state === 'starting' && !this.slow.has(server)),
    );
    const starting = awaited.map((server) => server.start().catch(() => undefined));
    if (starting.length === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMs);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([Promise.all(starting), enough]);
    clearTimeout(timer);
    for (const server of awaited) if (server.state === 'starting') this.slow.add(server);
  }

  /** Ends them all. Resolves to how many processes that were. */
  async stop(): Promise<number> {
    return (await Promise.all(this.all.map((server) => server.stop()))).reduce((sum, count) => sum + count, 0);
  }

  private async read(): Promise<void> {
    this.outdated = false;
    const folders = this.host.folders();
    const { servers, problems } = folders
      ? await findServers(folders, this.host.setting())
      : { servers: [], problems: [] };
    this.problems = problems;
    const [before, moved] = [this.live, JSON.stringify(folders) !== this.folders];
    this.folders = JSON.stringify(folders) ?? '';
    const prefixes = serverPrefixes(servers.map(({ name }) => name));
    this.live = new Map(
      servers.map((named) => {
        const [known, prefix] = [before.get(named.name), prefixes.get(named.name)!];
        const same =
          known?.prefix === prefix &&
          JSON.stringify({ ...known.named, from: 0 }) === JSON.stringify({ ...named, from: 0 });
        return [
          named.name,
          same
            ? known
            : new LiveServer(named, { approvals: this.approvals, host: this.host, prefix, changed: this.changed }),
        ];
      }),
    );
    for (const server of before.values()) if (this.live.get(server.named.name) !== server) await server.stop();
    if (moved) for (const server of this.live.values()) void server.foldersChanged();
    this.changed();
  }
}
