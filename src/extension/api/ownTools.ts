import * as vscode from 'vscode';

const PREFIX = 'waymark_';

/**
 * Tools that Waymark offers to all chats of VS Code, without the prefix of their names. They only read; package.json
 * declares the rest.
 */
const ownToolNames = ['read_file', 'list_files', 'search_text'] as const;

/** True for a language model tool that Waymark itself provides. */
export const isWaymarkTool = (name: string): boolean => name.startsWith(PREFIX);

/** Registers these tools. The code that does the work is loaded on the first call. */
export function registerOwnTools(): vscode.Disposable[] {
  return ownToolNames.map((name) =>
    vscode.lm.registerTool<object>(PREFIX + name, {
      async invoke({ input }, token) {
        const { runReadingTool } = await import('./runReadingTool');
        return new vscode.LanguageModelToolResult([
          new vscode.LanguageModelTextPart(await runReadingTool(name, input, token)),
        ]);
      },
      async prepareInvocation({ input }) {
        return { invocationMessage: (await import('./runReadingTool')).summarizeCall(name, input) };
      },
    }),
  );
}
