import type { ServerProblem, McpServer } from '../../core/mcp/server';
import { longerPrefixes, serverPrefixes } from '../../core/mcp/toolNames';
import type { Tool } from '../../core/ports/tool';
import type { ToolSource } from '../../core/tools/toolSources';
import { ServerApprovals } from './serverAgreement';
import type { McpHost } from './host';
import { LiveServer } from './liveServer';
import fs from 'node:fs/promises';
import path from 'node:path';
import { serverLocations } from '../../core/mcp/locations';
import { readPlain } from '../storage/lenientReads';
import { withCommas } from '../../core/text/withCommas';
import { isReallyWithin, realPath, shownInFolders } from '../storage/diskPaths';

/** Time in ms that a task waits for servers to start. Slower ones become available at a later step. */
const maxStartWaitMs = 15_000;

/** The MCP servers of a workspace. Nothing starts without approval, and no failure of a server ends a run. */
export class McpServers implements ToolSource {
  private readonly approvals: ServerApprovals;
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
    this.approvals = new ServerApprovals(host.stateFolder);
  }

  get all(): readonly LiveServer[] {
    return [...this.live.values()];
  }
  serverNamed(name: string): LiveServer | undefined {
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
    const all = this.all.filter(({ isStoppedByUser, named: { name } }) => !isStoppedByUser && this.wanted(name));
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

/** Maximum file size in bytes, enough for a thousand servers. An expensive file could block everybody for seconds. */
const maxBytes = 128 * 1024;

/** All configured servers, and problems with the files. Nothing is started. */
interface FoundServers {
  readonly servers: readonly McpServer[];
  readonly problems: readonly ServerProblem[];
}

/**
 * Finds the servers in the setting and the workspace folders. If two have the same name, the first in order of
 * precedence wins. Files that are links out of their folder are not read.
 */
export async function findServers(folders: readonly string[], setting: unknown): Promise<FoundServers> {
  const { readServers, serversOfSetting } = await import('../../core/mcp/readServers');
  const read = [serversOfSetting(setting, folders[0] ?? '')];
  const different = folders.filter(
    (folder, index) => folders.findIndex((each) => isSameFolder(each, folder)) === index,
  );
  for (const folder of different) {
    for (const { path: below } of serverLocations) {
      const file = path.join(folder, below);
      const shown = shownInFolders(below, folder, different);
      if (!isReallyWithin(file, folder)) continue;
      const tooLarge = await problemOfSize(file, shown);
      if (tooLarge) read.push({ servers: [], problems: [tooLarge] });
      const source = tooLarge ? undefined : await readPlain(file, maxBytes);
      if (source !== undefined) read.push(readServers(source, { file: shown, folder, own: false }));
    }
  }
  const byName = new Map<string, McpServer>();
  const problems = read.flatMap((each) => each.problems);
  for (const server of read.flatMap((each) => each.servers)) {
    const first = byName.get(server.name);
    if (!first) byName.set(server.name, server);
    else
      problems.push({
        severity: 'warning',
        message: `It is not used: ${first.file} also defines a server "${server.name}" and takes precedence.`,
        file: server.file,
        from: server.from,
        to: server.from,
        server: server.name,
      });
  }
  return { servers: [...byName.values()], problems };
}

const isSameFolder = (one: string, other: string): boolean => realPath(one) === realPath(other);

/** Returns a problem if a file is too large to be read. */
async function problemOfSize(file: string, shown: string): Promise<ServerProblem | undefined> {
  const stat = await fs.stat(file).catch(() => undefined);
  if (!stat?.isFile() || stat.size <= maxBytes) return undefined;
  const start = { line: 1, column: 1 };
  const bytes = withCommas(stat.size);
  const message = `None of its servers are used: it has ${bytes} bytes, and files over 128 KB are not read. Remove everything except servers.`;
  return { severity: 'error', message, file: shown, from: start, to: start };
}
