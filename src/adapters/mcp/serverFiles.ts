import fs from 'node:fs/promises';
import path from 'node:path';
import { serverLocations } from '../../core/mcp/locations';
import type { McpServer, ServerProblem } from '../../core/mcp/server';
import { readPlain } from '../storage/plainFile';
import { withCommas } from '../../core/text/withCommas';
import { isReallyWithin } from '../storage/diskPaths';

/** Maximum file size in bytes, enough for a thousand servers. An expensive file could block everybody for seconds. */
const maxBytes = 128 * 1024;

/** All configured servers, and problems with the files. Nothing is started. */
export interface FoundServers {
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
  for (const [index, folder] of folders.entries()) {
    for (const { path: below } of serverLocations) {
      const file = path.join(folder, below);
      const shown = index === 0 ? below : `${path.basename(folder)}/${below}`;
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

/** Returns a problem if a file is too large to be read. */
async function problemOfSize(file: string, shown: string): Promise<ServerProblem | undefined> {
  const stat = await fs.stat(file).catch(() => undefined);
  if (!stat?.isFile() || stat.size <= maxBytes) return undefined;
  const start = { line: 1, column: 1 };
  const bytes = withCommas(stat.size);
  const message = `None of its servers are used: it has ${bytes} bytes, and files over 128 KB are not read. Remove everything except servers.`;
  return { severity: 'error', message, file: shown, from: start, to: start };
}
