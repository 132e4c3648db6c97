/** Maximum length of a tool name that model servers accept, in characters. */
const maxNameLength = 64;

/**
 * ★ Prefixes for the tool names of servers. Needs all servers at once, so that prefixes are unique regardless of which
 * servers run and in which order they are declared.
 */
export function serverPrefixes(servers: readonly string[]): Map<string, string> {
  const names = distinctNames(servers);
  const all = new Set(names.values());
  // "a" with a tool "b_c" would have the same name as "a_b" with a tool "c".
  const goesOn = (name: string): boolean => [...name.matchAll(/_/g)].some(({ index }) => all.has(name.slice(0, index)));
  return new Map(
    [...names].map(([server, name]) => [server, `mcp_${goesOn(name) ? withMark(toNamePart(server), server) : name}`]),
  );
}

/**
 * Names by which models call the tools of a server. They do not depend on the order of the list: invalid characters
 * become "_", and names that would be equal or are truncated get a distinguishing suffix. `prefixes`: those of all
 * servers. No tool gets a name that begins with the prefix of another server.
 */
export function toolNames(
  prefix: string,
  tools: readonly string[],
  prefixes: readonly string[] = [],
): Map<string, string> {
  const longer = longerPrefixes(prefix, prefixes);
  const isOthers = (name: string): boolean => longer.some((other) => `${prefix}_${name}_`.startsWith(`${other}_`));
  return new Map(
    [...distinctNames(tools)].map(([tool, name]) => {
      const whole = `${prefix}_${isOthers(name) ? withMark(name.replaceAll('_', '-'), tool) : name}`;
      return [
        tool,
        whole.length <= maxNameLength
          ? whole
          : withMark(whole.slice(0, maxNameLength - markLength - 1), `${prefix}\n${tool}`),
      ];
    }),
  );
}

/** Returns the prefixes of other servers with which a tool of this server could begin. */
export const longerPrefixes = (prefix: string, prefixes: readonly string[]): readonly string[] =>
  prefixes.filter((other) => other.startsWith(`${prefix}_`));

/** Returns a valid name for each. If several names become equal, the changed ones get a distinguishing suffix. */
function distinctNames(names: readonly string[]): Map<string, string> {
  const each = [...new Set(names)];
  const callers = new Map<string, number>();
  for (const name of each) callers.set(toNamePart(name), (callers.get(toNamePart(name)) ?? 0) + 1);
  return new Map(
    each.map((name) => [
      name,
      toNamePart(name) === name || callers.get(toNamePart(name)) === 1
        ? toNamePart(name)
        : withMark(toNamePart(name), name),
    ]),
  );
}

const toNamePart = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '')
    .slice(0, 40) || 'x';

const markLength = 6;
const withMark = (name: string, whole: string): string => `${name}_${shortHash(whole)}`;

/** Six-character hash to distinguish texts (FNV-1a). */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const sign of text) hash = Math.imul(hash ^ sign.codePointAt(0)!, 0x01000193) >>> 0;
  return hash.toString(36).padStart(markLength, '0').slice(-markLength);
}
