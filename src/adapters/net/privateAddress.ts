import { lookup } from 'node:dns';
import type { ClientRequest } from 'node:http';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Addresses that hand out this machine's credentials to any caller: link-local ones and cloud metadata services. */
const neverReached = listOf({
  ipv4: ['169.254.0.0/16', '100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32'],
  ipv6: ['fe80::/10', 'fd00:ec2::/32', 'fd20:ce::/32'],
});

/** Addresses of this machine and of non-public networks, and addresses that no server has. */
const notPublic = listOf({
  ipv4: [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
  // Local, site-local, multicast, documentation, and those that embed another address: Teredo and 6to4.
  ipv6: [
    '::/128',
    '::1/128',
    'fc00::/7',
    'fec0::/10',
    'ff00::/8',
    '100::/64',
    '2001::/32',
    '2001:db8::/32',
    '2002::/16',
    '64:ff9b:1::/48',
  ],
});

/** `control`: a service that controls this machine. `own`: this machine or its network. `public`: all others. */
export type AddressKind = 'control' | 'own' | 'public';

/** Classifies an IPv4 or IPv6 address in any notation. Anything that is not an IP address counts as `control`. */
export function addressKind(address: string): AddressKind {
  const [plain = ''] = address.replace(/^\[|\]$/g, '').split('%');
  const version = isIP(plain);
  if (version === 0) return 'control';
  const held = version === 6 ? heldAddress(plain) : plain;
  const family = held === undefined ? 'ipv6' : 'ipv4';
  const shown = held ?? plain;
  if (neverReached.check(shown, family)) return 'control';
  return notPublic.check(shown, family) ? 'own' : 'public';
}

/** Returns the IP address in a URL, without brackets. Undefined if the URL contains a name. */
export function writtenAddress({ hostname }: URL): string | undefined {
  const written = hostname.replace(/^\[|\]$/g, '');
  return isIP(written) > 0 ? written : undefined;
}

/**
 * Returns a function for connections that resolves names. It fails if `refusal` returns an error for the addresses of a
 * name. Otherwise the connection uses these addresses. `find` looks names up.
 */
export const checkedLookup =
  (refusal: (addresses: readonly string[]) => Error | undefined, find: LookupFunction = lookup): LookupFunction =>
  (name, options, callback) =>
    find(name, { ...options, all: true }, (error, found) => {
      if (error || !Array.isArray(found)) return callback(error, found);
      const refused = refusal(found.map(({ address }) => address));
      if (refused) return callback(refused, '', 0);
      return options.all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family);
    });

/**
 * Ends a request whose connection was opened for an earlier one, if `refusal` returns an error for its address: no name
 * was looked up for it. Nothing was sent by then.
 */
export function checkPooled(
  request: ClientRequest,
  refusal: (addresses: readonly string[]) => Error | undefined,
): ClientRequest {
  return request.once('socket', ({ remoteAddress = '' }) => {
    const refused = request.reusedSocket ? refusal([remoteAddress]) : undefined;
    if (refused) request.destroy(refused);
  });
}

/** How long to wait for the addresses of a name that a proxy looks up again, in ms. */
const proxiedLookupMs = 2000;
/** Some proxies on this machine give such an address to every name. No server has one. */
const standsForName = /^198\.1[89]\./;

/**
 * Looks up a name that a proxy will look up itself, and rejects with what `refusal` returns: the proxy may be on this
 * machine or its network. A name that is not known here is left to the proxy.
 */
export function checkProxiedName(
  name: string,
  refusal: (addresses: readonly string[]) => Error | undefined,
  find: LookupFunction = lookup,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, proxiedLookupMs);
    find(name, { all: true }, (error, found) => {
      clearTimeout(timer);
      const addresses = error || !Array.isArray(found) ? [] : found.map(({ address }) => address);
      const reached = addresses.filter((address) => !standsForName.test(address));
      const refused = reached.length > 0 ? refusal(reached) : undefined;
      if (refused) reject(refused);
      else resolve();
    });
  });
}

/** Returns the IPv4 address that an IPv6 address embeds: mapped, compatible or translated. */
function heldAddress(address: string): string | undefined {
  const { hostname } = new URL(`http://[${address}]`);
  const halves = /^\[(?:::ffff:|::ffff:0:|::|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname)?.slice(1);
  return halves
    ?.map((half) => Number.parseInt(half, 16))
    .flatMap((half) => [half >> 8, half & 255])
    .join('.');
}

function listOf(ranges: Readonly<Record<'ipv4' | 'ipv6', readonly string[]>>): BlockList {
  const list = new BlockList();
  for (const family of ['ipv4', 'ipv6'] as const)
    for (const range of ranges[family]) {
      const [network = '', bits] = range.split('/');
      list.addSubnet(network, Number(bits), family);
    }
  return list;
}
