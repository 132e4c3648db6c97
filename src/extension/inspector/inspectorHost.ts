import type * as vscode from 'vscode';
import type { ProblemReports } from '../common/problemReports';
import type { ChangeView } from '../editor/changeView';
import type { Inspectors } from './inspectors';
import type { TrajectorySources } from './pickTrajectory';
import type { StepTexts } from './stepTexts';

/** What inspectors need from their window. */
export interface InspectorHost extends TrajectorySources {
  readonly changes: ChangeView;
  readonly texts: StepTexts;
  readonly inspectors: Inspectors;
  readonly problems: ProblemReports;
  /** Install folder of the extension. */
  readonly extension: vscode.Uri;
}
