import fs from 'node:fs';
import path from 'node:path';
import { onPath } from '../processes/onPath';

/** The only version that was tested: it is a preview, and its input and output may change with any other version. */
export const runtimeVersion = '0.0.78';
const packageName = '@anthropic-ai/sandbox-runtime';
const howToInstall = `npm install --global --ignore-scripts ${packageName}@${runtimeVersion}`;

/**
 * `index` is its module to import, `cli` its script for Node; both absolute. Otherwise the reason why it cannot be used
 * and what to do, in words for people.
 */
type FoundRuntime = { readonly index: string; readonly cli: string } | { readonly why: string; readonly next: string };

/**
 * Finds the runtime that lets sandboxed commands reach some domains, and that is the sandbox on macOS. It is not part
 * of Waymark: the user installs it, and its program `srt` is looked up on the PATH, never in `folders`. Starts nothing.
 */
export function findSandboxRuntime(environment: NodeJS.ProcessEnv, folders: readonly string[]): FoundRuntime {
  if (process.platform !== 'linux' && process.platform !== 'darwin')
    return { why: 'this system has no supported sandbox yet', next: 'Approve with care.' };
  const again = 'and start a new session.';
  const [program] = onPath('srt', folders, environment);
  if (program === undefined)
    return { why: 'the sandbox runtime is not installed', next: `Install it with "${howToInstall}" ${again}` };
  const found = packageOf(program);
  if (found?.name !== packageName)
    return {
      why: `${program} belongs to another package`,
      next: `Install it with "${howToInstall}", put that program first on the PATH, ${again}`,
    };
  if (found.version !== runtimeVersion)
    return {
      why: `the sandbox runtime is version ${found.version}, but only ${runtimeVersion} was tested`,
      next: `Install that version with "${howToInstall}" ${again}`,
    };
  if (process.platform === 'linux' && onPath('socat', folders, environment).length === 0)
    return {
      why: 'socat is not installed, which the sandbox runtime needs',
      next: `Install it with your package manager ${again}`,
    };
  return { index: path.join(found.folder, 'dist', 'index.js'), cli: path.join(found.folder, 'dist', 'cli.js') };
}

/** Returns the package that contains a program. */
function packageOf(
  program: string,
): { readonly folder: string; readonly name: unknown; readonly version: string } | undefined {
  try {
    const folder = path.resolve(fs.realpathSync(program), '..', '..');
    const { name, version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      name?: unknown;
      version?: unknown;
    };
    return { folder, name, version: String(version) };
  } catch {
    return undefined;
  }
}
