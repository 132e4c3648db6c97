import { riskOfAddress } from '../../core/shell/verdict/address';
import type { HttpServer } from '../../core/mcp/server';
import { addressKind, writtenAddress } from '../net/privateAddress';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const maxRedirects = 5;

/**
 * Limits the requests that a server causes to other hosts, such as to those that its sign-in names. They carry none of
 * its configured headers. They do not reach services that control this machine, and if the server is public, nothing
 * that is written as an address of this machine or its network.
 */
export const limitedElsewhere =
  ({ url: own, headers }: Pick<HttpServer, 'url' | 'headers'>, get: Fetch): Fetch =>
  async (url, init) => {
    let at = new URL(url);
    if (at.host === new URL(own).host && init?.redirect !== undefined) return get(at, init);
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const isElsewhere = at.host !== new URL(own).host;
      if (isElsewhere && isRefused(at, new URL(own)))
        throw new Error(`It leads to ${at.host}, an address of this machine or its network, which is not requested.`);
      const given = isElsewhere ? without(Object.keys(headers), init) : init;
      const answer = await get(at, { ...given, redirect: init?.redirect ?? 'manual' });
      const location = answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null;
      if (location === null || init?.redirect !== undefined) return answer;
      await answer.body?.cancel();
      if ((init?.method ?? 'GET') !== 'GET' || !URL.canParse(location, at.href)) break;
      at = new URL(location, at);
    }
    throw new Error(`${at.host} redirects where Waymark does not follow.`);
  };

function isRefused(url: URL, own: URL): boolean {
  if (!/^https?:$/.test(url.protocol) || riskOfAddress(url.href) !== undefined) return true;
  return isPrivate(url) && !isPrivate(own);
}

function isPrivate(url: URL): boolean {
  const written = writtenAddress(url);
  return written === undefined ? /(?:^|\.)localhost\.?$/.test(url.hostname) : addressKind(written) !== 'public';
}

function without(names: readonly string[], init: RequestInit | undefined): RequestInit {
  const left = new Headers(init?.headers);
  for (const name of names) left.delete(name);
  return { ...init, headers: left };
}
