import fs from 'node:fs/promises';
import path from 'node:path';
import { serverLocations } from '../../core/mcp/locations';

/** Whether any file or setting names servers, without reading what it says. */
export async function namesServers(folders: readonly string[], setting: unknown): Promise<boolean> {
  if (typeof setting === 'object' && setting !== null && Object.keys(setting).length > 0) return true;
  const files = folders.flatMap((folder) => serverLocations.map(({ path: below }) => path.join(folder, below)));
  return (
    await Promise.all(
      files.map((file) =>
        fs.access(file).then(
          () => true,
          () => false,
        ),
      ),
    )
  ).includes(true);
}
