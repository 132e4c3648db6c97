import { diskFiles } from '../../src/adapters/diskFiles';
import { ripgrepSearch } from '../../src/adapters/ripgrep';
import type { Terminal } from '../../src/core/tools/environment';
import type { Tool, ToolResult } from '../../src/core/tools/tool';
import { temporaryWorkspace, type TemporaryWorkspace } from './temporaryWorkspace';

/** Tools on a real disk. Remembers which versions were seen the way the log does: from the details of earlier results. */
export interface ToolBench extends TemporaryWorkspace {
  use(tool: Tool, input: unknown): Promise<ToolResult>;
  text(name: string): string | undefined;
}

const noTerminal: Terminal = {
  run: () => Promise.reject(new Error('This bench has no terminal.')),
  answer: () => Promise.reject(new Error('This bench has no terminal.')),
  dispose: async () => {},
};

/** `name` is that of a folder below the temporary one, where the name matters. */
export function toolBench(terminal: Terminal = noTerminal, name?: string): ToolBench {
  const workspace = temporaryWorkspace(name);
  const environment = { root: workspace.root, files: diskFiles({ folders: [workspace.root] }), search: ripgrepSearch({ folders: [workspace.root] }), terminal };
  const versions = new Map<string, string>();
  return {
    ...workspace,
    text: name => workspace.bytes(name)?.toString(),
    async use(tool, input) {
      const result = await tool.bind(input).run({ environment, signal: new AbortController().signal, progress() {}, versionSeen: path => versions.get(path) });
      const { details } = result;
      if (details?.kind === 'read') versions.set(details.path, details.version);
      if (details?.kind === 'edit') for (const { path, version } of details.changes) version === undefined ? versions.delete(path) : versions.set(path, version);
      return result;
    },
  };
}
