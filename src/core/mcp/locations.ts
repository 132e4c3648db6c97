/** A file of the workspace that may name MCP servers. */
export interface ServerLocation {
  /** Below a workspace folder, with "/". */
  readonly path: string;
  /** Whose format it is, for people. */
  readonly words: string;
}

/**
 * ★ Where servers may be named, in the order of their precedence: of two with one name the first is
 * used. Before all of them comes the person's own setting `waymark.mcp.servers`. Each file holds
 * `servers` or `mcpServers`, whatever its place.
 */
export const serverLocations: readonly ServerLocation[] = [
  { path: '.agent/mcp.json', words: 'Waymark' },
  { path: '.mcp.json', words: 'several agents' },
  { path: '.vscode/mcp.json', words: 'VS Code' },
];
