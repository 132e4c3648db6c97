import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Outputs } from '../../core/ports/documents';

/** Saves complete results as files of a folder that its session may read. */
export const keptOutputs = (folder: string): Outputs => ({
  async keep(content, ending) {
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(
      folder,
      `result-${randomUUID().slice(0, 8)}.${/^[a-z0-9]{1,8}$/.test(ending) ? ending : 'bin'}`,
    );
    await fs.writeFile(file, content, { mode: 0o600, flag: 'wx' });
    return file;
  },
});
