import { anyOf } from '../../text/alternatives';

const local = /^(https?:\/\/)?(localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)(:\d{1,5})?([/?#][^\s@]*)?$/i;
const ordinaryAddress =
  /^(https?:\/\/)?([a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)*\.[a-z]{2,})(:(?:80|443))?(?:[/?#]([^\s@]*))?$/i;
const longValue = /[?&#][^=&?#]*=[^&]{120}/;
const tellingName = /token|key|secret|passw|data|exfil|dump/i;
const unfit = anyOf(
  [
    /^xn--/,
    '.xn--',
    /\.(local|internal|onion|localdomain|lan|home|corp|intranet|svc)$/,
    /^localhost\./,
    /(nip|sslip|xip)\.io$/,
    /(^|\.)\d+\.\d+\.\d+\.\d+\./,
    /^metadata\./,
    /^instance-data/,
  ],
  'i',
);

/** Returns whether an address is on this machine and not a known service that controls the machine. */
export const isLocal = (url: string): boolean => local.test(url) && riskOfAddress(url) === undefined;

/** Returns whether an address contains a long value, or one whose name suggests a secret. */
export function carriesData(url: string): boolean {
  const isNamed = (part: string): boolean => tellingName.test(part.slice(0, Math.max(0, part.lastIndexOf('='))));
  return longValue.test(url) || url.split('/').some(isNamed);
}

/**
 * Returns whether an address is a literal public host, reached in the usual way, without credentials and with little
 * data.
 */
export function isTrustworthy(url: string): boolean {
  if (url.length > 300) return false;
  const found = ordinaryAddress.exec(url);
  return found !== null && !unfit.test(found[2]!) && !carriesData(url);
}

/** Services of the machine or the cloud that grant privileges to any client, by port. */
const controlPorts: readonly (readonly [ports: readonly number[], reason: string])[] = [
  [[2375, 2376, 2377], 'Asks the Docker service of this machine, which can start programs as root.'],
  [
    [6443, 8001, 10250, 10255, 10257, 10259],
    'Asks the Kubernetes service of this machine, which can start programs and show secrets.',
  ],
  [[2379, 2380], 'Asks the database of a Kubernetes cluster, which holds its secrets.'],
];
const metadataReason = 'Asks the metadata service of the cloud, which hands out credentials of this machine.';
const metadataNames =
  /^(metadata(\.google\.internal|\.goog|\.tencentyun\.com|\.azure\.internal)?|instance-data(\.ec2\.internal)?)$/;
/** The link-local network, and the single metadata addresses that clouds use outside of it. */
const metadataAddresses = /^(169\.254\.\d+\.\d+|100\.100\.100\.200|168\.63\.129\.16|192\.0\.0\.192)$/;
const metadataAddressesV6 = /^(fd00:ec2::(254|23)|fe80::a9fe:a9fe|fd20:ce::254)$/;
const loopback =
  /^(127\.\d+\.\d+\.\d+|0\.0\.0\.0|::1?|localhost|ip6-localhost|host\.docker\.internal|kubernetes\.docker\.internal)$|\.localhost$/;

/**
 * Returns why an address is more than a server of the project: it controls the machine or hands out its credentials.
 * Recognizes every spelling of an address.
 */
export function riskOfAddress(url: string): string | undefined {
  const target = targetOf(url);
  if (!target) return undefined;
  const { host, port } = target;
  if (metadataNames.test(host) || metadataAddresses.test(host) || metadataAddressesV6.test(host)) return metadataReason;
  if (!loopback.test(host)) return undefined;
  return controlPorts.find(([ports]) => ports.includes(port))?.[1];
}

/**
 * Returns host and port as a program that connects would parse them: `2852039166`, `0xa9fea9fe` and
 * `[::ffff:169.254.169.254]` are the same address.
 */
function targetOf(url: string): { readonly host: string; readonly port: number } | undefined {
  let read: URL;
  try {
    // An address without a scheme is HTTP. With other schemes, `URL` does not normalize numeric hosts.
    read = new URL(
      /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url.replace(/^(?!https?:)[^:]+:/i, 'http:') : `http://${url}`,
    );
  } catch {
    return undefined;
  }
  const scheme = /^https:/i.test(url) ? 443 : 80;
  const host = read.hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  return { host: versionFourOf(host) ?? host, port: read.port === '' ? scheme : Number(read.port) };
}

/** Returns the IPv4 address that an IPv6 address stands for: mapped, compatible or translated. */
function versionFourOf(host: string): string | undefined {
  const halves = /^(?:::ffff:|::ffff:0:|::|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(host)?.slice(1);
  return halves
    ?.map((half) => Number.parseInt(half, 16))
    .flatMap((half) => [half >> 8, half & 255])
    .join('.');
}
