import type * as vscode from 'vscode';
import type { OtherTools } from '../api/otherTools';
import type { WindowBatch } from '../batch/windowBatch';
import type { ProblemReports } from '../common/problemReports';
import type { Consent } from '../consent/consent';
import type { TaskConsent } from '../consent/taskConsent';
import type { Composing } from '../context/composing';
import type { ContextView } from '../context/contextView';
import type { ChangeView } from '../editor/changeView';
import type { Inspectors } from '../inspector/inspectors';
import type { StepTexts } from '../inspector/stepTexts';
import type { ModelService } from '../models/modelService';
import type { PanelOutlet } from '../panel/panelOutlet';
import type { PanelSession } from '../panel/panelSession';
import type { Places } from '../panel/places';
import type { SessionTabs } from '../panel/sessionTabs';
import type { TaskStart } from '../panel/taskStart';
import type { ProvenanceView } from '../provenance/provenanceView';
import type { Controls } from '../sessions/controls';
import type { OpenSessions } from '../sessions/openSessions';
import type { ShownSession } from '../sessions/shownSession';
import type { Teaching } from '../skills/teaching';
import type { WindowReview } from '../review/windowReview';
import type { SandboxState } from './sandboxState';
import type { WindowStatus } from './windowStatus';

/** What a window is made of, for its commands. Each part has one reason to change; `WaymarkWindow` wires them. */
export interface WindowParts {
  readonly problems: ProblemReports;
  readonly models: ModelService;
  readonly sessions: OpenSessions;
  /** Where sessions are shown: in the side bar and in tabs. */
  readonly places: Places;
  readonly tabs: SessionTabs;
  /** Which session is shown in the place that is meant: the one that the person used last, if nobody says another. */
  readonly shown: ShownSession;
  /** What its panel says to that session, and where messages to that panel go. */
  readonly panel: PanelSession;
  readonly outlet: PanelOutlet;
  /** Begins sessions there, unless that is a tab that shows one. */
  readonly tasks: TaskStart;
  readonly taskConsent: TaskConsent;
  readonly controls: Controls;
  readonly consent: Consent;
  readonly composing: Composing;
  /** Shows what the next request holds. */
  readonly contextView: ContextView;
  readonly teaching: Teaching;
  readonly changes: ChangeView;
  /** What the shown session changed, and what a person does with it. */
  readonly review: WindowReview;
  /** The batch that this window shows. */
  readonly batch: WindowBatch;
  readonly texts: StepTexts;
  readonly inspectors: Inspectors;
  /** Who wrote the lines of the files that are open. */
  readonly lines: ProvenanceView;
  readonly status: WindowStatus;
  readonly sandbox: SandboxState;
  readonly otherTools: OtherTools;
  readonly output: vscode.LogOutputChannel;
  /** The same for the place that shows a session; for the side bar where none does. */
  showing(session: string): WindowParts;
  inSidebar(): WindowParts;
  /** Shows a session where it is shown already, or in the side bar. That is the place which is meant then. */
  bring(session: string): Promise<{ readonly shown: ShownSession }>;
  readonly workspaceState: vscode.Memento;
  /** The folder of the extension. */
  readonly extension: vscode.Uri;
}
