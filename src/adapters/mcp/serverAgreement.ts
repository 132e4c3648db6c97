import { launchHash, type Approval, type Bound, type ToldTool } from '../../core/mcp/approval';
import type { McpServer } from '../../core/mcp/server';
import type { Approvals } from './approvals';
import { serverFingerprint } from './serverFingerprint';

/** What a person agreed to for one server: how it is started, and each of its tools as it was then. */
export class ServerAgreement {
  private readonly key: string;

  constructor(
    private readonly server: McpServer,
    private readonly approvals: Approvals,
  ) {
    this.key = JSON.stringify([server.own ? '' : server.folder, server.name]);
  }

  /** The tools as they were when a person agreed to them. */
  get tools(): Approval['tools'] {
    return this.current?.tools ?? {};
  }

  /** What a consent to start the server is bound to, at this moment. */
  async launch(): Promise<{ readonly hash: string; readonly bound: Bound }> {
    const bound = await serverFingerprint(this.server);
    return { hash: await launchHash(this.server, bound), bound };
  }

  /**
   * Whether a person agreed to start the server as it is configured now. An approval that cannot be read does not
   * count.
   */
  async coversLaunch(): Promise<boolean> {
    const now = await this.launch().catch(() => undefined);
    return now !== undefined && this.current?.launch === now.hash;
  }

  /** False, and nothing is agreed to, where the server is started in another way by now. Its tools stay agreed to. */
  async addLaunch(hash: string): Promise<boolean> {
    const now = await this.launch();
    if (now.hash !== hash) return false;
    this.approvals.change(this.key, (known) => ({ tools: {}, ...known, launch: hash }));
    return true;
  }

  /** False where the server itself is not agreed to any more. */
  addTools(tools: readonly ToldTool[]): boolean {
    this.approvals.change(this.key, (known) => {
      if (!known) return undefined;
      return { ...known, seen: true, tools: { ...known.tools, ...byName(tools) } };
    });
    return this.current !== undefined;
  }

  /** The tools that a server tells of for the first time are what a person agreed to with the server. */
  addFirstTools(tools: readonly ToldTool[]): void {
    const isFirst = (known: Approval | undefined): known is Approval => known !== undefined && !known.seen;
    if (!isFirst(this.current)) return;
    this.approvals.change(this.key, (known) =>
      // Another window may have seen them meanwhile.
      isFirst(known) ? { ...known, seen: true, tools: byName(tools) } : known,
    );
  }

  /** Takes back all that was agreed to. */
  revoke(): void {
    this.approvals.change(this.key, () => undefined);
  }

  private get current(): Approval | undefined {
    return this.approvals.of(this.key);
  }
}

const byName = (tools: readonly ToldTool[]): Record<string, ToldTool> =>
  Object.fromEntries(tools.map((tool) => [tool.name, tool]));
