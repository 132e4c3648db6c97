/** A file of the workspace that may declare MCP servers. */
interface ServerLocation {
  /** Path relative to a workspace folder, with "/". */
  readonly path: string;
  /** Name of the format, for display. */
  readonly words: string;
}

/**
 * ★ Files that may declare servers, in order of precedence: if two servers have the same name, the first wins. The
 * person's own setting `waymark.mcp.servers` comes before all of them. Each file may use `servers` or `mcpServers`.
 */
export const serverLocations: readonly ServerLocation[] = [
  { path: '.agent/mcp.json', words: 'Waymark' },
  { path: '.mcp.json', words: 'several agents' },
  { path: '.vscode/mcp.json', words: 'VS Code' },
];
