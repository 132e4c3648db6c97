import type * as vscode from 'vscode';
import type { Image } from '../../protocol/events/event';

/** Unsent text of a place. It outlives the window. */
export interface Draft {
  readonly text: string;
  /** Long pasted texts. */
  readonly pastes: readonly string[];
  /** Pasted images. They are too large for VS Code's storage, so they are lost when the place closes. */
  pictures: readonly Image[];
  keep(text: string): Thenable<void>;
  keepPastes(pastes: readonly string[]): Thenable<void>;
}

const SIDEBAR = 'waymark.draft';

/** A draft stored under a key in the workspace state. */
class KeptDraft {
  pictures: readonly Image[] = [];

  constructor(
    private readonly workspaceState: vscode.Memento,
    private readonly key: string,
  ) {}

  get text(): string {
    return this.workspaceState.get<string>(this.key, '');
  }

  get pastes(): readonly string[] {
    return this.workspaceState.get<readonly string[]>(this.pastesKey, []);
  }

  get isEmpty(): boolean {
    return this.text === '' && this.pastes.length === 0;
  }

  keep(text: string): Thenable<void> {
    return this.workspaceState.update(this.key, text || undefined);
  }

  keepPastes(pastes: readonly string[]): Thenable<void> {
    return this.workspaceState.update(this.pastesKey, pastes.length > 0 ? pastes : undefined);
  }

  async forget(): Promise<void> {
    await this.keep('');
    await this.keepPastes([]);
  }

  /** Stored separately from the text, which is saved while the user types. */
  private get pastesKey(): string {
    return `${this.key}.pastes`;
  }
}

/** Returns the draft of the side bar. It has one, whichever session it shows. */
export const sidebarDraft = (workspaceState: vscode.Memento): Draft => new KeptDraft(workspaceState, SIDEBAR);

const draftOf = (workspaceState: vscode.Memento, of: string): KeptDraft =>
  new KeptDraft(workspaceState, `${SIDEBAR}.${of}`);

/** Deletes the draft of a session that is being deleted. */
export const forgetDraft = (workspaceState: vscode.Memento, session: string): Promise<void> =>
  draftOf(workspaceState, session).forget();

/**
 * A tab stores its draft under its session, so that the draft is restored when the session is opened in a tab again.
 */
export class TabDraft implements Draft {
  /** They stay in the tab, even if it shows another session. */
  pictures: readonly Image[] = [];
  /** Distinguishes tabs without a session, starting at 1. Undefined if the tab shows a session. */
  private number: number | undefined;

  /** `session`: the session of the tab; undefined if none has started. `taken`: the numbers of the open tabs. */
  constructor(
    private readonly workspaceState: vscode.Memento,
    private session: string | undefined,
    private readonly taken = new Set<number>(),
  ) {
    this.takeNumber();
  }

  get text(): string {
    return this.current.text;
  }

  get pastes(): readonly string[] {
    return this.current.pastes;
  }

  keep(text: string): Thenable<void> {
    return this.current.keep(text);
  }

  keepPastes(pastes: readonly string[]): Thenable<void> {
    return this.current.keepPastes(pastes);
  }

  /** Moves the draft to another session, unless that has its own draft. */
  async moveTo(session: string | undefined): Promise<void> {
    if (session === this.session) return;
    const left = this.current;
    this.freeNumber();
    this.number = undefined;
    this.session = session;
    this.takeNumber();
    const { current } = this;
    if (left.isEmpty || !current.isEmpty) return;
    await current.keep(left.text);
    await current.keepPastes(left.pastes);
    await left.forget();
  }

  /** Called when the tab closes. The next tab without a session restores its draft. */
  freeNumber(): void {
    if (this.number !== undefined) this.taken.delete(this.number);
  }

  /** Takes the lowest number that no other tab uses. */
  private takeNumber(): void {
    if (this.session !== undefined) return;
    let number = 1;
    while (this.taken.has(number)) number++;
    this.taken.add(number);
    this.number = number;
  }

  private get current(): KeptDraft {
    const begun = this.number === 1 ? 'new' : `new.${this.number}`;
    return draftOf(this.workspaceState, this.session ?? begun);
  }
}
