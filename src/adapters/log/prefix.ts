import fs from 'node:fs';
import path from 'node:path';
import { writeDurably } from '../storage/durableFile';
import { machineKey } from './machineKey';
import { readLog } from './readLog';

/** Leaves of a log its events up to `seq`, and of its outputs those that are named there. */
export function keepPrefix(file: string, seq: number, outputs: string): void {
  const { size } = readLog(file, machineKey(), seq);
  const bytes = fs.readFileSync(file).subarray(0, size);
  if (fs.existsSync(outputs)) {
    for (const entry of fs.readdirSync(outputs, { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && !bytes.includes(entry.name))
        fs.rmSync(path.join(entry.parentPath, entry.name), { force: true });
    }
  }
  writeDurably(file, [bytes]);
}
