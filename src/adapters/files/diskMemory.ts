import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Memory, MemoryStore } from '../../core/ports/memory';
import { inLock } from '../storage/fileLock';

const fileNames: Record<MemoryStore, string> = { memory: 'MEMORY.md', user: 'USER.md' };

/**
 * Stores notes in two files of `folder`, which is created when first needed. Other windows may write them too, so each
 * write takes a lock.
 */
export function diskMemory(folder: string): Memory {
  const fileOf = (store: MemoryStore): string => path.join(folder, fileNames[store]);
  return {
    read: async (store) => textAt(fileOf(store)),
    async update(store, change) {
      const file = fileOf(store);
      await fs.promises.mkdir(folder, { recursive: true, mode: 0o700 });
      await inLock(`${file}.lock`, 'Another session is writing the notes. Try again.', async () => {
        const before = await textAt(file);
        const after = change(before);
        if (after !== before) await replaceFile(file, after === '' || after.endsWith('\n') ? after : `${after}\n`);
      });
    },
  };
}

async function textAt(file: string): Promise<string> {
  try {
    return (await fs.promises.readFile(file, 'utf8')).replace(/^\ufeff/, '').replace(/\n$/, '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new Error(`The notes in ${file} cannot be read (${(error as Error).message}). Check the file.`, {
      cause: error,
    });
  }
}

/** Replaces atomically: a reader sees either the old text or the new one. */
async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${randomBytes(4).toString('hex')}.new`;
  try {
    await fs.promises.writeFile(temporary, text, { mode: 0o600, flush: true });
    await fs.promises.rename(temporary, file);
  } catch (error) {
    await fs.promises.rm(temporary, { force: true });
    throw new Error(`The notes in ${file} cannot be written (${(error as Error).message}). Nothing was changed.`, {
      cause: error,
    });
  }
}
