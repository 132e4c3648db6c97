import type * as vscode from 'vscode';
import type { Image } from '../../protocol/events/event';

/** What was typed in a place and not sent. It outlives the window. */
export interface Draft {
  readonly text: string;
  /** Long texts that were pasted beside it. */
  readonly pastes: readonly string[];
  /** Pictures that were pasted beside it. They are too large for what VS Code keeps, and are gone with the place. */
  pictures: readonly Image[];
  keep(text: string): Thenable<void>;
  keepPastes(pastes: readonly string[]): Thenable<void>;
}

const SIDEBAR = 'waymark.draft';

/** A draft under a key of the workspace's state. */
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

  /** Apart from the words, which are kept while somebody types. */
  private get pastesKey(): string {
    return `${this.key}.pastes`;
  }
}

/** The side bar has one draft, whichever session it shows. */
export const sidebarDraft = (workspaceState: vscode.Memento): Draft => new KeptDraft(workspaceState, SIDEBAR);

const draftOf = (workspaceState: vscode.Memento, of: string): KeptDraft =>
  new KeptDraft(workspaceState, `${SIDEBAR}.${of}`);

/** The session is deleted, and with it what was typed for it. */
export const forgetDraft = (workspaceState: vscode.Memento, session: string): Promise<void> =>
  draftOf(workspaceState, session).forget();

/** A tab keeps its words with the session that it shows, so that who closes it finds them when they open it again. */
export class TabDraft implements Draft {
  /** They stay in the tab, whatever it shows. */
  pictures: readonly Image[] = [];
  /** Tells tabs in which no session has begun apart, from 1. A tab that shows a session has none. */
  private number: number | undefined;

  /** `session`: what the tab shows; undefined where none has begun. `taken`: the numbers of the open tabs. */
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

  /** The tab shows this session from now on. What was typed goes along, unless other words wait there. */
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

  /** The tab is closed: the next one in which nothing has begun finds its words. */
  freeNumber(): void {
    if (this.number !== undefined) this.taken.delete(this.number);
  }

  /** The lowest that no other tab has. */
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
