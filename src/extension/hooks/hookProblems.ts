import * as vscode from 'vscode';
import { diagnosticOf } from '../skills/skillProblems';
import type { WindowHooks } from './windowHooks';

/** What is wrong with the files of hooks, in the Problems panel. */
export class HookProblems implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('waymark-hooks');
  private readonly registrations: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly hooks: Pick<WindowHooks, 'files'>, changes: vscode.Event<void>) {
    this.registrations = [this.collection, changes(() => this.later()), vscode.workspace.onDidGrantWorkspaceTrust(() => this.later())];
    this.later();
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const registration of this.registrations) registration.dispose();
  }

  /** Several changes of one moment are one. */
  private later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.tell(), 200);
  }

  private async tell(): Promise<void> {
    const files = await this.hooks.files();
    this.collection.clear();
    for (const { absolute, problems } of files) this.collection.set(vscode.Uri.file(absolute), problems.map(diagnosticOf));
  }
}
