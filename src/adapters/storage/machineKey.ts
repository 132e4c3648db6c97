import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { makeFolders, syncFolder } from './durableFile';
import { stateFolder } from './stateFolder';
import { whileLocked } from './fileLock';

const keyCache = new Map<string, KeyObject>();

/**
 * Returns the key that distinguishes logs of this machine from others. Only this user can read it, and the sandbox
 * hides it. Undefined if it can neither be read nor created: then no log counts as written here.
 */
export function machineKey(file = path.join(stateFolder(), 'log.key')): KeyObject | undefined {
  let key = keyCache.get(file);
  if (!key) {
    const bytes = readKey(file) ?? make(file);
    if (bytes) keyCache.set(file, (key = createSecretKey(bytes)));
  }
  return key;
}

const keyBytes = 32;

function readKey(file: string): Buffer | undefined {
  try {
    const bytes = fs.readFileSync(file);
    return bytes.length === keyBytes ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** Two windows may create it at once: the first one wins. */
function make(file: string): Buffer | undefined {
  try {
    makeFolders(path.dirname(file));
    return whileLocked(`${file}.lock`, () => {
      const key = readKey(file);
      if (key) return key;
      moveDamaged(file);
      create(file);
      return readKey(file);
    });
  } catch {
    // Another process holds the lock for long, or nothing can be written. Without the lock, no file may be moved.
    create(file);
    return readKey(file);
  }
}

/**
 * Moves a file aside that has the wrong size for a key, such as after a full disk: it seals nothing, and until there is
 * another key no run could be undone. Requires the lock: otherwise the key that another process has just created in its
 * place could be moved instead, and everything that the process seals with it would count as foreign.
 */
function moveDamaged(file: string): void {
  try {
    if (fs.statSync(file).size !== keyBytes) fs.renameSync(file, `${file}.damaged`);
  } catch {
    /* it does not exist, or cannot be moved */
  }
}

/** Creates the file with a new key. Does nothing if there is a file, or if it cannot be created. */
function create(file: string): void {
  const own = `${file}.${process.pid}`;
  try {
    fs.writeFileSync(own, randomBytes(keyBytes), { mode: 0o600, flush: true });
    try {
      fs.linkSync(own, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') fs.copyFileSync(own, file, fs.constants.COPYFILE_EXCL);
    }
    syncFolder(path.dirname(file));
  } catch {
    /* another process created it, or it cannot be created */
  } finally {
    try {
      fs.rmSync(own, { force: true });
    } catch {
      /* it does not exist */
    }
  }
}
