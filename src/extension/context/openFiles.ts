import * as vscode from 'vscode';

/** Returns the files shown in tabs; of a diff, the modified side. */
export const openFiles = (): vscode.Uri[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) => {
      const uri =
        input instanceof vscode.TabInputTextDiff
          ? input.modified
          : input instanceof vscode.TabInputText ||
              input instanceof vscode.TabInputNotebook ||
              input instanceof vscode.TabInputCustom
            ? input.uri
            : undefined;
      return uri?.scheme === 'file' ? [uri] : [];
    });
