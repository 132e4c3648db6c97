import * as z from 'zod';
import type { WebPage } from '../../ports/web';
import type { ToolResult } from '../../ports/tool';
import { wholeResult } from '../addedTool';
import { defineTool } from '../defineTool';

export const fetchUrl = defineTool({
  name: 'fetch_url',
  description: 'Read a web page, text, JSON or PDF. The user is asked about each site. No scripts, no sign-in.',
  input: z.object({
    url: z.string().refine(isWebAddress, 'an address must begin with http:// or https:// and contain no password'),
  }),
  example: { url: 'https://example.com/docs' },
  effect: 'reads',
  needs: 'web',
  lasting: true,
  keepsToKey: true,
  summarize: ({ url }) => `Fetch ${url}`,
  // The normalized URL that is sent, so that risk analysis sees the same spelling.
  touches: ({ url }) => ({ fetches: new URL(url).href }),
  allowKey: ({ url }) => new URL(url).host,
  async run({ url }, { environment: { web, outputs }, signal, words }) {
    if (!web) return { content: 'No page can be fetched here.', failed: true };
    const page = await web.read(url, signal);
    return wholeResult(pageResult(page), outputs, words?.tool('read_file'));
  },
});

function isWebAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

function pageResult({ address, redirectsTo, type, bytes, title, text, missing }: WebPage): ToolResult {
  const details = { kind: 'page' as const, address, type, bytes, ...(title !== undefined && { title }) };
  if (redirectsTo !== undefined)
    return {
      content: `${address} redirects to another site, so nothing was read: ${redirectsTo}\nFetch that address if you want it.`,
      details,
    };
  const head = title === undefined ? address : `${title}\n${address}`;
  const body = text === '' ? '[The page contains no text. It may need scripts, which are not run here.]' : text;
  const end = missing === undefined ? '' : `\n\n[${missing}]`;
  return { content: `${head}\n\n${body}${end}`, details };
}
