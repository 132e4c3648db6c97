import type * as vscode from 'vscode';
import type { OtherTools } from '../api/otherTools';
import type { WindowBatch } from '../batch/windowBatch';
import type { ProblemReports } from '../common/problemReports';
import type { Consent } from '../consent/consent';
import type { TaskConsent } from '../consent/taskConsent';
import type { Composing } from '../context/composing';
import type { ContextView } from '../context/contextView';
import type { ChangeView } from '../editor/changeView';
import type { Inspectors, StepTexts } from '../inspector/inspectors';
import type { ModelService } from '../models/modelService';
import type { PanelOutlet } from '../panel/panelOutlet';
import type { PanelSession } from '../panel/panelSession';
import type { Places } from '../panel/places';
import type { SessionTabs } from '../panel/sessionTabs';
import type { TaskStart } from '../panel/taskStart';
import type { ProvenanceView } from '../provenance/provenanceView';
import type { PinnedSessions } from '../sessions/pinnedSessions';
import type { Controls } from '../sessions/controls';
import type { OpenSessions } from '../sessions/openSessions';
import type { ShownSession } from '../sessions/shownSession';
import type { Teaching } from '../skills/teaching';
import type { WindowReview } from '../review/windowReview';
import type { SandboxState } from './sandboxState';
import type { WindowStatus } from './windowStatus';

/** The parts of a window, for its commands. `WaymarkWindow` creates and connects them. */
export interface WindowParts {
  readonly problems: ProblemReports;
  readonly models: ModelService;
  readonly sessions: OpenSessions;
  /** Places that show sessions: the side bar and tabs. */
  readonly places: Places;
  readonly tabs: SessionTabs;
  /** The session of the place that a command refers to, by default the place used last. */
  readonly shown: ShownSession;
  /** What the panel of that place sends to its session. `outlet`: messages to that panel. */
  readonly panel: PanelSession;
  readonly outlet: PanelOutlet;
  /** Starts sessions in that place, or in the side bar if the place already shows a session. */
  readonly tasks: TaskStart;
  readonly taskConsent: TaskConsent;
  readonly controls: Controls;
  readonly consent: Consent;
  readonly composing: Composing;
  /** Shows the content of the next request. */
  readonly contextView: ContextView;
  readonly teaching: Teaching;
  readonly changes: ChangeView;
  /** The changes of the session on display, and actions on them. */
  readonly review: WindowReview;
  /** The batch of this window. */
  readonly batch: WindowBatch;
  readonly texts: StepTexts;
  readonly inspectors: Inspectors;
  /** Authors of the lines in open files. */
  readonly lines: ProvenanceView;
  readonly status: WindowStatus;
  /** The sessions at the top of the list. */
  readonly pins: PinnedSessions;
  readonly sandbox: SandboxState;
  readonly otherTools: OtherTools;
  readonly output: vscode.LogOutputChannel;
  /** Returns the parts for the place that shows a session, or for the side bar if none does. */
  showing(session: string): WindowParts;
  inSidebar(): WindowParts;
  /** Shows a session in its current place, or in the side bar, and makes that place current. */
  bring(session: string): Promise<{ readonly shown: ShownSession }>;
  readonly workspaceState: vscode.Memento;
  /** Install folder of the extension. */
  readonly extension: vscode.Uri;
}
