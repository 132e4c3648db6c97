/** Characters of a tool's name, as models' servers take them. */
const longest = 64;

/** `mcp_SERVER_TOOL` for each tool of a server: signs that names of tools cannot have become "_", and what is too long, or two of one name, get a mark of their own that stays the same. */
export function toolNames(server: string, tools: readonly string[]): Map<string, string> {
  const taken = new Map<string, string>();
  for (const tool of tools) {
    const plain = `mcp_${tidy(server)}_${tidy(tool)}`;
    const exact = plain.length <= longest && !taken.has(plain);
    const name = exact ? plain : `${plain.slice(0, longest - 7)}_${mark(`${server}\n${tool}`)}`;
    if (!taken.has(name)) taken.set(name, tool);
  }
  return new Map([...taken].map(([name, tool]) => [tool, name]));
}

/** How the names of a server's tools begin. */
export const namesBegin = (server: string): string => `mcp_${tidy(server)}`;

const tidy = (name: string): string => name.normalize('NFKD').replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '').slice(0, 40) || 'x';

/** Six characters that tell one text from another (FNV-1a). */
function mark(text: string): string {
  let hash = 0x811c9dc5;
  for (const sign of text) hash = Math.imul(hash ^ sign.codePointAt(0)!, 0x01000193) >>> 0;
  return hash.toString(36).padStart(6, '0').slice(-6);
}
