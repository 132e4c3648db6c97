import type * as vscode from 'vscode';
import type { ToPanel } from '../../protocol/panel/panel';
import type { LiveSession } from '../sessions/liveSession';
import type { PanelPlace } from './panelPlace';

/** The places that show sessions in a window: the side bar and the tabs. Several places may show the same session. */
export class Places implements vscode.Disposable {
  private readonly open = new Set<PanelPlace>();
  private last: PanelPlace | undefined;
  private lastUsed: PanelPlace;
  /** The tab that became the active editor after a place was used. */
  private chosen: PanelPlace | undefined;

  constructor(
    readonly sidebar: PanelPlace,
    /** Called when another place becomes current. */
    private readonly changed: () => void,
  ) {
    this.lastUsed = sidebar;
  }

  get tabs(): readonly PanelPlace[] {
    return [...this.open];
  }

  get all(): readonly PanelPlace[] {
    return [this.sidebar, ...this.open];
  }

  /** The place that the user used last, visible or not. If it was closed, the side bar. */
  get current(): PanelPlace {
    return this.last ?? this.sidebar;
  }

  add(tab: PanelPlace): void {
    this.open.add(tab);
  }

  remove(tab: PanelPlace): void {
    this.open.delete(tab);
    if (this.last === tab) this.last = undefined;
    if (this.chosen === tab) this.chosen = undefined;
    this.announceIfChanged();
  }

  /** Makes a place the current one. */
  makeCurrent(place: PanelPlace): void {
    this.last = place;
    this.chosen = undefined;
    this.announceIfChanged();
  }

  /** Called when a tab becomes the active editor. */
  activated(tab: PanelPlace): void {
    this.chosen = tab;
  }

  /**
   * Called when a place keeps a focus that came without a key or pointer in it. Makes it the current one, unless it is a
   * tab that was the active editor before: VS Code focuses that one whenever a palette closes, and the command of the
   * palette refers to where the user was before.
   */
  keptFocus(place: PanelPlace): void {
    if (place === this.sidebar || place === this.chosen) this.makeCurrent(place);
  }

  /** Returns a place that shows the session, preferring the current one. */
  placeShowing(session: string): PanelPlace | undefined {
    return [this.current, ...this.all].find(({ shown }) => shown.id === session);
  }

  /** Returns the places that show an open session. */
  showing(session: LiveSession): readonly PanelPlace[] {
    return this.all.filter(({ shown }) => shown.live === session);
  }

  /** The open sessions that the user can see. */
  get visible(): readonly LiveSession[] {
    return this.all.flatMap(({ outlet, shown }) => (outlet.isSeen && shown.live ? shown.live : []));
  }

  /** Returns whether the user can see the session. */
  isSeen(session: string): boolean {
    return this.all.some(({ outlet, shown }) => outlet.isSeen && shown.id === session);
  }

  /** Sends a message to every view that shows the session. */
  postTo(session: string, message: ToPanel): void {
    for (const { shown, outlet } of this.all) if (shown.id === session) outlet.post(message);
  }

  /** Returns a place that shows the session and makes it current. If there is none, the side bar shows the session. */
  async bring(session: string): Promise<PanelPlace> {
    const known = this.placeShowing(session);
    if (!known) await this.sidebar.shown.showStored(session);
    const place = known ?? this.sidebar;
    this.makeCurrent(place);
    return place;
  }

  /** Removes a session from all places, because it is being deleted. */
  async leave(session: string): Promise<void> {
    for (const { shown } of this.all) if (shown.id === session) await shown.show(undefined);
  }

  dispose(): void {
    for (const tab of this.open) tab.dispose();
  }

  /** Notifies the listener if another place is current. */
  private announceIfChanged(): void {
    const { current } = this;
    if (current === this.lastUsed) return;
    this.lastUsed = current;
    this.changed();
  }
}
