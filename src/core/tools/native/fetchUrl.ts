import * as z from 'zod';
import type { WebPage } from '../../ports/web';
import type { ToolResult } from '../../ports/tool';
import { wholeResult } from '../addedTool';
import { defineTool } from '../defineTool';

export const fetchUrl = defineTool({
  name: 'fetch_url',
  description:
    'Read a page of the web by its address: HTML as Markdown, plain text, JSON, or the text of a PDF file. ' +
    'The user is asked about each site. No scripts run, and nobody is signed in.',
  input: z.object({
    url: z
      .string()
      .refine(isWebAddress, 'an address begins with http:// or https:// and holds no password')
      .describe('the whole address, with https://'),
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
    return wholeResult(resultOf(page), outputs, words?.tool('read_file'));
  },
});

function isWebAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

function resultOf({ address, leadsTo, type, bytes, title, text, missing }: WebPage): ToolResult {
  const details = { kind: 'page' as const, address, type, bytes, ...(title !== undefined && { title }) };
  if (leadsTo !== undefined)
    return {
      content: `${address} leads to another site, and nothing was read: ${leadsTo}\nFetch that address if it is what you want.`,
      details,
    };
  const head = title === undefined ? address : `${title}\n${address}`;
  const body = text === '' ? '[The page holds no text. Its scripts may write it, and they are not run here.]' : text;
  const end = missing === undefined ? '' : `\n\n[${missing}]`;
  return { content: `${head}\n\n${body}${end}`, details };
}
