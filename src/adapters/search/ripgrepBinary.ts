import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isProgram, onPath } from '../processes/onPath';

export interface RipgrepPlaces {
  /** Workspace folders: a program inside one is never started. */
  readonly folders: readonly string[];
  /** VS Code's own installation folder (`env.appRoot`). */
  readonly editorRoot?: string;
}

const program = process.platform === 'win32' ? 'rg.exe' : 'rg';
const target = `${process.platform}-${process.arch}`;

/**
 * Returns the path of ripgrep: the copy shipped with Waymark, the development one, one on the PATH, then VS Code's own.
 * Undefined if there is none.
 */
export function findRipgrep(
  { folders, editorRoot }: RipgrepPlaces,
  from = path.dirname(fileURLToPath(import.meta.url)),
): string | undefined {
  return [
    ...shipped(from),
    ...onPath(program, folders),
    ...(editorRoot === undefined ? [] : inEditor(editorRoot)),
  ].find(isProgram);
}

/** Bundles are at different depths below the folder that contains `bin` or `node_modules`. */
function shipped(from: string): string[] {
  return [0, 1, 2, 3, 4].flatMap((levels) => {
    const base = path.resolve(from, ...Array<string>(levels).fill('..'));
    return [
      path.join(base, 'bin', target, program),
      path.join(base, 'node_modules/@vscode/ripgrep-universal/bin', target, program),
      // An installed package contains the binary of its platform.
      path.join(base, `node_modules/@vscode/ripgrep-${target}/bin`, program),
    ];
  });
}

function inEditor(root: string): string[] {
  return ['node_modules', 'node_modules.asar.unpacked'].flatMap((modules) => [
    path.join(root, modules, '@vscode/ripgrep-universal/bin', target, program),
    path.join(root, modules, '@vscode/ripgrep/bin', program),
  ]);
}
