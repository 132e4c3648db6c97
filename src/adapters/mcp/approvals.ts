import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { Approval } from '../../core/mcp/approval';
import { makeFolder, writeDurably } from '../storage/durableFile';
import { whileLocked } from '../storage/whileLocked';

const RecordedTools = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()),
  annotations: z.record(z.string(), z.unknown()).optional(),
});
const StoredApprovals = z.record(
  z.string(),
  z.object({ launch: z.string(), tools: z.record(z.string(), RecordedTools), seen: z.boolean().optional() }),
);

/**
 * Approvals of servers, by folder and server name. Stored in a file outside every workspace; several windows write it.
 */
export class Approvals {
  private readonly file: string;

  /** `folder`: absolute path. */
  constructor(folder: string) {
    this.file = path.join(folder, 'approvals.json');
  }

  /** Returns undefined if nothing was approved. */
  of(key: string): Approval | undefined {
    return Object.hasOwn(this.read(), key) ? this.read()[key] : undefined;
  }

  /**
   * `change` receives the approval as it is stored, regardless of who wrote it; returning `undefined` revokes it.
   * Throws an `Error` with a message for people if it cannot be stored.
   */
  change(key: string, change: (known: Approval | undefined) => Approval | undefined): void {
    makeFolder(path.dirname(this.file));
    whileLocked(`${this.file}.lock`, () => {
      const { [key]: known, ...others } = this.read();
      const approval = change(known);
      writeDurably(this.file, [JSON.stringify(approval ? { ...others, [key]: approval } : others)]);
    });
  }

  /** An unreadable file approves nothing. */
  private read(): Record<string, Approval> {
    try {
      return StoredApprovals.parse(JSON.parse(fs.readFileSync(this.file, 'utf8'))) as Record<string, Approval>;
    } catch {
      return {};
    }
  }
}
