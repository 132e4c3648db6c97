import { diskFiles } from '../adapters/diskFiles';
import { createTerminal } from '../adapters/ptyTerminal';
import { ripgrepSearch } from '../adapters/ripgrep';
import type { Environment } from '../core/tools/environment';

/** What the tools of one session act on: the folder, and a shell of its own that starts with the first command. */
export function workplace(root: string, outputFolder: string, onNotice: (text: string) => void): Environment & { dispose(): Promise<void> } {
  const terminal = createTerminal({ cwd: root, outputFolder, onNotice });
  const places = { folders: [root], readableFolders: [outputFolder] };
  return { root, terminal, files: diskFiles(places), search: ripgrepSearch(places), dispose: () => terminal.dispose() };
}
