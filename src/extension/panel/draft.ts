import type * as vscode from 'vscode';

/** What was typed in a place and not sent. It outlives the window. */
export interface Draft {
  readonly text: string;
  keep(text: string): Thenable<void>;
}

const SIDEBAR = 'waymark.draft';

/** The side bar has one draft, whichever session it shows. */
export const sidebarDraft = (workspaceState: vscode.Memento): Draft => ({
  get text() {
    return workspaceState.get<string>(SIDEBAR, '');
  },
  keep: (text) => workspaceState.update(SIDEBAR, text || undefined),
});
