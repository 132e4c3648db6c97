import * as vscode from 'vscode';

const PREFIX = 'waymark_';

/**
 * The tools that Waymark offers to all chats of VS Code, by their names there;
 * package.json says the rest. They only look.
 */
const ownToolNames = ['read_file', 'list_files', 'search_text'] as const;

export const isOwn = (name: string): boolean => name.startsWith(PREFIX);

/** Registers them. What does the work is loaded with the first call. */
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
        return { invocationMessage: (await import('./runReadingTool')).summaryOf(name, input) };
      },
    }),
  );
}
