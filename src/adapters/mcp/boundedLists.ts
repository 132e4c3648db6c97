import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

/** Entries of one list, over all its pages. */
export const mostEntries = 1000;

/** The lists that a server tells of, by the field of the answer that holds one. */
const lists = {
  tools: 'tools',
  prompts: 'prompts',
  resources: 'resources',
  resourceTemplates: 'templates of resources',
} as const;
type ListField = keyof typeof lists;

/**
 * Cuts lists that no model could be told of, page by page, before they are checked and kept. `tell` is told in words, once for each list.
 * To be called before the transport is connected.
 */
export function boundedLists(transport: Pick<Transport, 'onmessage'>, tell: (words: string) => void): void {
  const before = transport.onmessage;
  const told = new Set<ListField>();
  const counts = new Map<ListField, number>();
  transport.onmessage = (message: JSONRPCMessage, extra) => {
    const result = 'result' in message ? (message.result as Record<string, unknown>) : {};
    for (const field of Object.keys(lists) as ListField[]) {
      const page = result[field];
      if (!Array.isArray(page)) continue;
      const known = counts.get(field) ?? 0;
      const room = mostEntries - known;
      counts.set(field, result['nextCursor'] === undefined ? 0 : known + page.length);
      if (page.length <= room) continue;
      result[field] = page.slice(0, Math.max(0, room));
      // The pages behind this one would be cut whole.
      delete result['nextCursor'];
      counts.set(field, 0);
      if (!told.has(field))
        tell(`Only its first ${mostEntries.toLocaleString('en')} ${lists[field]} are used; it lists more.`);
      told.add(field);
    }
    before?.(message, extra);
  };
}
