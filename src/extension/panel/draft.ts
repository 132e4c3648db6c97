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

/** The session is deleted, and with it what was typed for it. */
export const forgetDraft = (workspaceState: vscode.Memento, session: string): Thenable<void> =>
  workspaceState.update(`${SIDEBAR}.${session}`, undefined);

/** A tab keeps its words with the session that it shows, so that who closes it finds them when they open it again. */
export class TabDraft implements Draft {
  /** `session`: what the tab shows; undefined where none has begun. */
  constructor(
    private readonly workspaceState: vscode.Memento,
    private session: string | undefined,
  ) {}

  get text(): string {
    return this.workspaceState.get<string>(this.key, '');
  }

  keep(text: string): Thenable<void> {
    return this.workspaceState.update(this.key, text || undefined);
  }

  /** The tab shows this session from now on. What was typed goes along, unless other words wait there. */
  async moveTo(session: string | undefined): Promise<void> {
    if (session === this.session) return;
    const { text } = this;
    const left = this.key;
    this.session = session;
    if (text === '' || this.text !== '') return;
    await this.keep(text);
    await this.workspaceState.update(left, undefined);
  }

  private get key(): string {
    return `${SIDEBAR}.${this.session ?? 'new'}`;
  }
}
