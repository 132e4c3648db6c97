import { launchHash, type Approval, type LaunchFingerprint, type DescribedTool } from '../../core/mcp/approval';
import type { McpServer } from '../../core/mcp/server';
import { serverFingerprint } from './serverFingerprint';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { makeFolder, writeDurably } from '../storage/durableFile';
import { whileLocked } from '../storage/fileLock';

/** The approvals of one server: how it is started, and each of its tools in its approved form. */
export class ServerAgreement {
  private readonly key: string;

  constructor(
    private readonly server: McpServer,
    private readonly approvals: ServerApprovals,
  ) {
    this.key = JSON.stringify([server.own ? '' : server.folder, server.name]);
  }

  /** The tools as they were when they were approved. */
  get tools(): Approval['tools'] {
    return this.current?.tools ?? {};
  }

  /** Returns the current values that an approval to start the server is bound to. */
  async launch(): Promise<{ readonly hash: string; readonly bound: LaunchFingerprint }> {
    const bound = await serverFingerprint(this.server);
    return { hash: await launchHash(this.server, bound), bound };
  }

  /** Returns the hash of the current configuration if it is approved. An unreadable approval does not count. */
  async approvedLaunch(): Promise<string | undefined> {
    const now = await this.launch().catch(() => undefined);
    return now !== undefined && this.current?.launch === now.hash ? now.hash : undefined;
  }

  /**
   * Returns false, and approves nothing, if the start configuration has changed in the meantime. Approved tools stay
   * approved.
   */
  async addLaunch(hash: string): Promise<boolean> {
    const now = await this.launch();
    if (now.hash !== hash) return false;
    this.approvals.change(this.key, (known) => ({ tools: {}, ...known, launch: hash }));
    return true;
  }

  /** Returns false if the server itself is no longer approved. */
  addTools(tools: readonly DescribedTool[]): boolean {
    this.approvals.change(this.key, (known) => {
      if (!known) return undefined;
      return { ...known, seen: true, tools: { ...known.tools, ...byName(tools) } };
    });
    return this.current !== undefined;
  }

  /** Approves the tools of the first listing: they were approved together with the server. */
  addFirstTools(tools: readonly DescribedTool[]): void {
    const isFirst = (known: Approval | undefined): known is Approval => known !== undefined && !known.seen;
    if (!isFirst(this.current)) return;
    this.approvals.change(this.key, (known) =>
      // Another window may have recorded them in the meantime.
      isFirst(known) ? { ...known, seen: true, tools: byName(tools) } : known,
    );
  }

  /** Revokes all approvals. */
  revoke(): void {
    this.approvals.change(this.key, () => undefined);
  }

  private get current(): Approval | undefined {
    return this.approvals.approvalOf(this.key);
  }
}

const byName = (tools: readonly DescribedTool[]): Record<string, DescribedTool> =>
  Object.fromEntries(tools.map((tool) => [tool.name, tool]));

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
export class ServerApprovals {
  private readonly file: string;

  /** `folder`: absolute path. */
  constructor(folder: string) {
    this.file = path.join(folder, 'approvals.json');
  }

  /** Returns undefined if nothing was approved. */
  approvalOf(key: string): Approval | undefined {
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
