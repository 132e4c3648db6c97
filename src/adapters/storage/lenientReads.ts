import fs from 'node:fs';

const usualMost = 64 * 1024;
/** Opens a file to read it. A pipe without a writer does not block. On Windows, the flag does not exist. */
export const openFlags = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);
const asText = (bytes: Buffer): string | undefined => (bytes.includes(0) ? undefined : bytes.toString('utf8'));

/**
 * Reads a text file. Returns undefined if it is not a regular file of text, or is longer than `most` bytes. Never waits
 * for a pipe or device.
 */
export async function readPlain(file: string, most = usualMost): Promise<string | undefined> {
  const bytes = await readPlainBytes(file, most);
  return bytes && asText(bytes);
}

/** Same as `readPlain`, for any regular file. */
export async function readPlainBytes(file: string, most = Infinity): Promise<Buffer | undefined> {
  const open = await fs.promises.open(file, openFlags).catch(() => undefined);
  try {
    const stat = await open?.stat();
    if (!open || !stat?.isFile() || stat.size > most) return undefined;
    return await open.readFile();
  } catch {
    return undefined;
  } finally {
    await open?.close();
  }
}

/** Same as `readPlain`, synchronously. */
export function readPlainNow(file: string, most = usualMost): string | undefined {
  let open: number | undefined;
  try {
    open = fs.openSync(file, openFlags);
    const stat = fs.fstatSync(open);
    return stat.isFile() && stat.size <= most ? asText(fs.readFileSync(open)) : undefined;
  } catch {
    return undefined;
  } finally {
    if (open !== undefined) fs.closeSync(open);
  }
}

/** Returns the names of a folder's entries; empty if it does not exist or cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns the entries of a folder with their kind; empty if it cannot be read. */
export function listFolderSync(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Same as `listFolderSync`, asynchronously. */
export const listFolder = (folder: string): Promise<fs.Dirent[]> =>
  fs.promises.readdir(folder, { withFileTypes: true }).catch(() => []);

/** Returns the text of a file; empty if it is not a regular file or cannot be read. Never waits for a pipe or device. */
export function readTextOrEmpty(file: string): string {
  let open: number | undefined;
  try {
    open = fs.openSync(file, openFlags);
    return fs.fstatSync(open).isFile() ? fs.readFileSync(open, 'utf8') : '';
  } catch {
    return '';
  } finally {
    if (open !== undefined) fs.closeSync(open);
  }
}

/** Returns the text of a file; undefined if it does not exist. Throws if it cannot be read. */
export function textIfThere(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the path without links; undefined if it does not exist or cannot be resolved. */
export function existingRealPath(place: string): string | undefined {
  try {
    return fs.realpathSync(place);
  } catch {
    return undefined;
  }
}
