import fs from 'node:fs';
import path from 'node:path';
import { secrets } from '../core/security/secrets';
import { isDotenv, secretsOfDotenv } from '../core/security/secretValues';

const most = 256 * 1024;
/** When each file was read, by what the system says about it. */
const known = new Map<string, string>();

/** Learns the values of the `.env` files of these folders, so that whatever prints them is masked. They are told to nobody. */
export function learnDotenv(folders: Iterable<string>): void {
  for (const folder of new Set(folders)) {
    let names: string[];
    try { names = fs.readdirSync(folder); } catch { continue; }
    for (const name of names) if (name.startsWith('.') && isDotenv(name)) learnFile(path.join(folder, name));
  }
}

function learnFile(file: string): void {
  try {
    const { mtimeMs, size, ino } = fs.statSync(file);
    const state = `${ino} ${size} ${mtimeMs}`;
    if (size > most || known.get(file) === state || !fs.statSync(file).isFile()) return;
    secrets.learn(...secretsOfDotenv(fs.readFileSync(file, 'utf8')));
    known.set(file, state);
  } catch { /* it cannot be read here; what reads it elsewhere is masked by shape */ }
}
