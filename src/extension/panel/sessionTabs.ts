import * as vscode from 'vscode';
import { tabTitle } from '../common/tabTitle';
import { tabType, webviewOptions } from '../common/webviewShell';
import type { ProblemReports } from '../common/problemReports';
import type { OpenSessions } from '../sessions/openSessions';
import { TabDraft } from './draft';
import { drawPanel } from './panelView';
import type { PanelPlace, PlaceKind } from './panelPlace';
import type { Places } from './places';

/** What tabs are created with. */
interface TabParts {
  readonly extension: vscode.Uri;
  readonly workspaceState: vscode.Memento;
  readonly sessions: OpenSessions;
  readonly places: Places;
  readonly problems: ProblemReports;
  place(kind: PlaceKind): PanelPlace;
}

/** Sessions in the editor area, each in its own tab. Closing a tab does not affect the session. */
export class SessionTabs {
  /** Numbers of the open tabs without a session. */
  private readonly numbers = new Set<number>();

  constructor(private readonly parts: TabParts) {}

  /** Shows a session in its existing tab or a new one. Without a session, opens a tab to start one. */
  async open(session: string | undefined): Promise<void> {
    const known = this.parts.places.tabs.find(({ shown }) => shown.id === session);
    if (known) {
      this.parts.places.makeCurrent(known);
      return void (await known.outlet.reveal());
    }
    const tab = vscode.window.createWebviewPanel(
      tabType,
      tabTitleOrNew(''),
      vscode.ViewColumn.Active,
      webviewOptions(this.parts.extension),
    );
    await this.draw(tab, session, { isWanted: true });
  }

  /** Restores a tab after a reload of the window, from the state of its panel. */
  async restore(tab: vscode.WebviewPanel, state: unknown): Promise<void> {
    const session = sessionIn(state);
    const isKnown = this.parts.sessions.list().some(({ id }) => id === session);
    await this.draw(tab, isKnown ? session : undefined);
  }

  /** `isWanted`: the user requested the tab. A restored tab does not become the current place. */
  private async draw(tab: vscode.WebviewPanel, session: string | undefined, { isWanted = false } = {}): Promise<void> {
    const { extension, workspaceState, places, problems } = this.parts;
    const draft = new TabDraft(workspaceState, session, this.numbers);
    let isClosed = false;
    const place = this.parts.place({
      draft,
      reveal: async ({ preserveFocus } = { preserveFocus: false }) => tab.reveal(undefined, preserveFocus),
      titleChanged: (id, title) => {
        if (isClosed) return;
        tab.title = tabTitleOrNew(title);
        draft.moveTo(id).then(undefined, (problem: unknown) => problems.note(problem));
      },
    });
    places.add(place);
    tab.iconPath = {
      light: vscode.Uri.joinPath(extension, 'media', 'tab-light.svg'),
      dark: vscode.Uri.joinPath(extension, 'media', 'tab-dark.svg'),
    };
    let wasActive = tab.active;
    const activating = tab.onDidChangeViewState(() => {
      if (tab.active && !wasActive) places.activated(place);
      wasActive = tab.active;
    });
    const closing = tab.onDidDispose(() => {
      draft.freeNumber();
      isClosed = true;
      places.remove(place);
      place.dispose();
      this.parts.sessions.closeHiddenSoon();
      for (const each of [activating, closing]) each.dispose();
    });
    if (isWanted) places.makeCurrent(place);
    try {
      if (session !== undefined) await place.shown.showStored(session);
    } catch (error) {
      problems.report(error);
    }
    // The tab may have been closed while its session was being read.
    if (isClosed) return;
    const look = { onDidChangeVisibility: tab.onDidChangeViewState, bodyClass: 'tab' } as const;
    await drawPanel(tab, look, extension, () => Promise.resolve(place));
  }
}

const tabTitleOrNew = (title: string): string => (title === '' ? vscode.l10n.t('New Session') : tabTitle(title));

const sessionIn = (state: unknown): string | undefined =>
  typeof state === 'object' && state !== null && 'session' in state && typeof state.session === 'string'
    ? state.session
    : undefined;
