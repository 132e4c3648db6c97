import { toolChanges, toolHash, type Approval, type DescribedTool, type ToolChanges } from '../../core/mcp/approval';
import { mcpTool, type CallTool } from '../../core/mcp/mcpTool';
import { toolNames } from '../../core/mcp/toolNames';
import type { Tool } from '../../core/ports/tool';

const none: ToolChanges = { same: [], added: [], changed: [], gone: [] };

/** The tools of one server that the model may see: the approved ones, in their approved form. */
export class OfferedTools {
  /** How the listed tools differ from the approved ones. */
  changes: ToolChanges = none;
  list: readonly Tool[] = [];
  /** How the server was started that listed these tools (`launchHash`). */
  private launch = '';

  constructor(
    private readonly server: string,
    /** Prefix of the names of its tools. */ private readonly prefix: string,
    /** Prefixes of other servers with which no name may begin. */ private readonly longer: readonly string[],
    /** Calls a tool of the server if it was started with this hash. */
    private readonly call: (launch: string) => CallTool,
  ) {}

  /** All tools that the server lists, approved or not. */
  get listed(): readonly DescribedTool[] {
    return [...this.changes.same, ...this.changes.added, ...this.changes.changed];
  }

  /** Returns whether a tool is approved, and still belongs to the server that was started with this hash. */
  isAgreed(name: string, launch: string): boolean {
    return launch === this.launch && this.changes.same.some((tool) => tool.name === name);
  }

  /**
   * `listed`: all tools that the server lists, `launch`: how it was started. An unchanged tool stays the same object.
   */
  async update(agreed: Approval['tools'], listed: readonly DescribedTool[], launch: string): Promise<void> {
    if (launch !== this.launch) this.list = [];
    this.launch = launch;
    this.changes = await toolChanges(agreed, listed);
    const names = toolNames(
      this.prefix,
      listed.map(({ name }) => name),
      this.longer,
    );
    const known = new Map(this.list.map((tool) => [approvalKey(tool.name, tool.from!.hash), tool]));
    const offered = this.changes.same.map(async (tool) => {
      const name = names.get(tool.name);
      if (name === undefined) return [];
      const hash = await toolHash(tool);
      const same = known.get(approvalKey(name, hash));
      return [same ?? mcpTool(tool, { name, hash, launch, server: this.server, call: this.call(launch) })];
    });
    this.list = (await Promise.all(offered)).flat();
  }

  clear(): void {
    this.changes = none;
    this.list = [];
  }
}

const approvalKey = (name: string, hash: string | undefined): string => `${name} ${hash}`;
