import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { quoteForShell } from '../../core/text/subshell';

/** Absolute paths. `folder` is private and outside of `writable`; it contains the settings and the temporary folder. */
export interface RuntimeLimits {
  readonly folder: string;
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  readonly secret: readonly string[];
  readonly allowed: readonly string[];
}

const pattern = /[*?[\]]/;
/** Returns whether the runtime interprets this path as a pattern. */
export const isPattern = (place: string): boolean => pattern.test(place);
/** Returns a pattern that also matches the path itself. */
const refusable = (place: string): string => place.replace(new RegExp(pattern, 'g'), '?');

/** Returns the command line that runs `line` in the runtime; needs ELECTRON_RUN_AS_NODE in the environment. */
export function inRuntime(
  cli: string,
  line: readonly string[],
  { folder, writable, readOnly, secret, allowed }: RuntimeLimits,
): { readonly program: string; readonly arguments: readonly string[] } {
  const temporary = path.join(fs.realpathSync(folder), 'temporary');
  fs.mkdirSync(temporary, { recursive: true, mode: 0o700 });
  const real = writable.map((place) => fs.realpathSync(place));
  const settings = {
    network: { allowedDomains: allowed, deniedDomains: [] },
    filesystem: {
      allowWrite: [...real, temporary],
      denyWrite: readOnly.map(refusable),
      denyRead: secret.map(refusable),
      allowRead: real.filter((place) => secret.some((each) => place.startsWith(`${each}/`))),
    },
    // On Linux, where only tests run it, the runtime requires a ripgrep.
    ripgrep: { command: process.execPath },
  };
  const file = path.join(folder, `sandbox-${randomBytes(4).toString('hex')}.json`);
  fs.writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  const variables = [
    `TMPDIR=${quoteForShell(temporary)}`,
    `TMPPREFIX=${quoteForShell(path.join(temporary, 'zsh'))}`,
    `GOCACHE=${quoteForShell(path.join(temporary, 'go-build'))}`,
  ];
  const exported = `unset ELECTRON_RUN_AS_NODE; export ${variables.join(' ')}`;
  const inner = `${exported}; exec ${line.map(quoteForShell).join(' ')}`;
  return { program: process.execPath, arguments: [cli, '--settings', file, '-c', inner] };
}
