import type * as vscode from 'vscode';
import type { ToPanel } from '../../protocol/panel/panel';
import type { LiveSession } from '../sessions/liveSession';
import type { PanelPlace } from './panelPlace';

/** Where sessions are shown in a window: the side bar and the tabs. Several places may show the same one. */
export class Places implements vscode.Disposable {
  private readonly open = new Set<PanelPlace>();
  private last: PanelPlace | undefined;
  private known: PanelPlace;

  constructor(
    readonly sidebar: PanelPlace,
    /** Another place is the current one. */
    private readonly changed: () => void,
  ) {
    this.known = sidebar;
  }

  get tabs(): readonly PanelPlace[] {
    return [...this.open];
  }

  get all(): readonly PanelPlace[] {
    return [this.sidebar, ...this.open];
  }

  /** The one that the person used last, seen or not; the side bar where that was closed. */
  get current(): PanelPlace {
    return this.last ?? this.sidebar;
  }

  add(tab: PanelPlace): void {
    this.open.add(tab);
  }

  remove(tab: PanelPlace): void {
    this.open.delete(tab);
    if (this.last === tab) this.last = undefined;
    this.announceIfChanged();
  }

  /** The person works in this place now. */
  used(place: PanelPlace): void {
    this.last = place;
    this.announceIfChanged();
  }

  /** The place in which a session is shown, the current one before others. */
  of(session: string): PanelPlace | undefined {
    return [this.current, ...this.all].find(({ shown }) => shown.id === session);
  }

  /** The places in which an open session is shown. */
  showing(session: LiveSession): readonly PanelPlace[] {
    return this.all.filter(({ shown }) => shown.live === session);
  }

  /** The open sessions that a person can see. */
  get seen(): readonly LiveSession[] {
    return this.all.flatMap(({ outlet, shown }) => (outlet.isSeen && shown.live ? shown.live : []));
  }

  /** Whether a person can see the session. */
  isSeen(session: string): boolean {
    return this.all.some(({ outlet, shown }) => outlet.isSeen && shown.id === session);
  }

  /** Says something to every view that shows a session. */
  tell(session: string, message: ToPanel): void {
    for (const { shown, outlet } of this.all) if (shown.id === session) outlet.post(message);
  }

  /** Where a session is shown; where it is not yet, the side bar shows it. Commands mean that place from now on. */
  async bring(session: string): Promise<PanelPlace> {
    const known = this.of(session);
    if (!known) await this.sidebar.shown.showStored(session);
    const place = known ?? this.sidebar;
    this.used(place);
    return place;
  }

  /** The session goes, so nothing shows it any more. */
  async leave(session: string): Promise<void> {
    for (const { shown } of this.all) if (shown.id === session) await shown.show(undefined);
  }

  dispose(): void {
    for (const tab of this.open) tab.dispose();
  }

  /** Another place may be the current one. */
  private announceIfChanged(): void {
    const { current } = this;
    if (current === this.known) return;
    this.known = current;
    this.changed();
  }
}
