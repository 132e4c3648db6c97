/** Toolsets of other agents that Waymark does not have, and what does their work here. */
const absent: Readonly<Record<string, string>> = {
  web: 'Waymark searches the web through an MCP server (--mcp names it); a page is fetched by a command such as curl, once you allow the network',
  vision:
    'a model that sees reads pictures itself: those beside your words, and those in results of tools and MCP servers; there is no tool for it',
};

/** What stands in for those of the names that are toolsets of other agents, in words for a person; empty where none is. */
export function insteadOf(names: readonly string[]): string {
  return names
    .flatMap((name) => (Object.hasOwn(absent, name) ? [` In place of ${name}: ${absent[name]!}.`] : []))
    .join('');
}
