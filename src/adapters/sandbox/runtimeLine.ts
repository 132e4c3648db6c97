import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { quoted } from '../../core/text/subshell';

/**
 * All absolute. `folder` is private and outside of what is `writable`: the
 * settings and the temporary folder come into it.
 */
export interface RuntimeLimits {
  readonly folder: string;
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  readonly secret: readonly string[];
  readonly allowed: readonly string[];
}

const pattern = /[*?[\]]/;
/** Whether the runtime takes this path for a pattern. */
export const isPattern = (place: string): boolean => pattern.test(place);
/** A pattern that holds for the path itself, too. */
const refusable = (place: string): string => place.replace(new RegExp(pattern, 'g'), '?');

/** The command line, for an environment with ELECTRON_RUN_AS_NODE, that runs `line` in the runtime. */
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
    // On Linux, where only tests run it, it wants a ripgrep to be there.
    ripgrep: { command: process.execPath },
  };
  const file = path.join(folder, `sandbox-${randomBytes(4).toString('hex')}.json`);
  fs.writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  const variables = [
    `TMPDIR=${quoted(temporary)}`,
    `TMPPREFIX=${quoted(path.join(temporary, 'zsh'))}`,
    `GOCACHE=${quoted(path.join(temporary, 'go-build'))}`,
  ];
  const exported = `unset ELECTRON_RUN_AS_NODE; export ${variables.join(' ')}`;
  const inner = `${exported}; exec ${line.map(quoted).join(' ')}`;
  return { program: process.execPath, arguments: [cli, '--settings', file, '-c', inner] };
}
