import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { syncFolder } from './durableFile';
import { stateFolder } from './stateFolder';

const known = new Map<string, KeyObject>();

/**
 * Returns the key that distinguishes logs of this machine from others. Only this user can read it, and the sandbox
 * hides it. Undefined if it can neither be read nor created: then no log counts as written here.
 */
export function machineKey(file = path.join(stateFolder(), 'log.key')): KeyObject | undefined {
  let key = known.get(file);
  if (!key) {
    const bytes = read(file) ?? make(file);
    if (bytes) known.set(file, (key = createSecretKey(bytes)));
  }
  return key;
}

function read(file: string): Buffer | undefined {
  try {
    const bytes = fs.readFileSync(file);
    return bytes.length === 32 ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** Two windows may create it at once: the first one wins. */
function make(file: string): Buffer | undefined {
  const own = `${file}.${process.pid}`;
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(own, randomBytes(32), { mode: 0o600, flush: true });
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
  return read(file);
}
