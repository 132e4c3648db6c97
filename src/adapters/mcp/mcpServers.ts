import type { ServerProblem } from '../../core/mcp/server';
import { longerPrefixes, serverPrefixes } from '../../core/mcp/toolNames';
import type { Tool } from '../../core/ports/tool';
import type { ToolSource } from '../../core/tools/toolSources';
import { Approvals } from './serverAgreement';
import type { McpHost } from './host';
import { LiveServer } from './liveServer';
import { findServers } from './serverFiles';

/** Time in ms that a task waits for servers to start. Slower ones become available at a later step. */
const maxStartWaitMs = 15_000;

/** The MCP servers of a workspace. Nothing starts without approval, and no failure of a server ends a run. */
export class McpServers implements ToolSource {
  private readonly approvals: Approvals;
  private live = new Map<string, LiveServer>();
  private reading: Promise<void> | undefined;
  private outdated = true;
  /** The folders that the servers were last notified of. */
  private folders = '';
  /** Servers that were already waited for long enough. */
  private readonly slow = new WeakSet<LiveServer>();
  problems: readonly ServerProblem[] = [];

  /** `changed`: called when anything about the servers changes. `wanted`: selects the servers that a task may use. */
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

  /** Called when the files or the setting may have changed. */
  filesChanged(): void {
    this.outdated = true;
  }

  /** Reads the files again if necessary, and checks which servers may start. */
  async refresh(): Promise<readonly LiveServer[]> {
    if (this.outdated)
      this.reading ??= this.read().finally(() => {
        this.reading = undefined;
      });
    await this.reading;
    await Promise.all(this.all.map((server) => server.refreshState()));
    return this.all;
  }

  /** Starts the approved servers, and waits for a limited time. */
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
      timer = setTimeout(resolve, maxStartWaitMs);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([Promise.all(starting), enough]);
    clearTimeout(timer);
    for (const server of awaited) if (server.state === 'starting') this.slow.add(server);
  }

  /** Stops all servers. Resolves to the number of processes that were stopped. */
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
        const longer = longerPrefixes(prefix, [...prefixes.values()].sort());
        const same =
          known !== undefined &&
          known.isNamedBy(prefix, longer) &&
          JSON.stringify({ ...known.named, from: 0 }) === JSON.stringify({ ...named, from: 0 });
        return [
          named.name,
          same
            ? known
            : new LiveServer(named, {
                approvals: this.approvals,
                host: this.host,
                prefix,
                longer,
                changed: this.changed,
              }),
        ];
      }),
    );
    for (const server of before.values()) if (this.live.get(server.named.name) !== server) await server.stop();
    if (moved) for (const server of this.live.values()) void server.foldersChanged();
    this.changed();
  }
}
