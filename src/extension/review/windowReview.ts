import type * as vscode from 'vscode';
import { ChangesView } from './changesView';
import { ReviewEditors } from './reviewEditors';
import { SessionReview, type ReviewParts } from './sessionReview';

/** The review of what the shown session changed: the list, the editors, and what a person does with them. */
export class WindowReview implements vscode.Disposable {
  readonly changes: SessionReview;
  readonly view: ChangesView;
  readonly editors: ReviewEditors;

  constructor(parts: ReviewParts) {
    this.changes = new SessionReview(parts);
    this.view = new ChangesView(this.changes);
    this.editors = new ReviewEditors(this.changes);
  }

  dispose(): void {
    for (const part of [this.view, this.editors, this.changes]) part.dispose();
  }
}
