import type { CommandResult } from '../../core/ports/terminal';
import { anyOf } from '../../core/text/alternatives';

const network = anyOf(
  [
    'ENETUNREACH EAI_AGAIN',
    /Network is unreachable/,
    /Temporary failure in name resolution/,
    /Could not resolve host/,
    /Name or service not known/,
    'getaddrinfo',
    /unable to resolve host/,
    /network is down/,
    /Failed to establish a new connection/,
    /dial (?:tcp|udp)/,
    /blocked by network allowlist/,
    'blocked-by-allowlist',
    /CONNECT tunnel failed, response 403/,
    /HTTP code 403 from proxy/,
    /tunneling socket could not be established, statusCode=403/,
    /Tunnel connection failed: 403/,
    /Proxy tunneling failed/,
  ],
  'i',
);
const files = /EROFS|Read-only file system/i;
/** On macOS a sandbox refuses both with the same message. */
const filesOnMac = /EPERM|Operation not permitted/i;

/**
 * Returns what a command that failed inside a sandbox was denied; undefined if its last output shows another reason.
 */
export function denialIn(
  { end, exitCode, output }: CommandResult,
  platform: NodeJS.Platform = process.platform,
): 'network' | 'files' | undefined {
  if (end !== 'exited' && end !== 'timed_out') return undefined;
  if (end === 'exited' && exitCode === 0) return undefined;
  const last = output.slice(-8000);
  if (files.test(last)) return 'files';
  if (network.test(last)) return 'network';
  return platform === 'darwin' && filesOnMac.test(last) ? 'files' : undefined;
}
