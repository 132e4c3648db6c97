import * as vscode from 'vscode';
import type { Model, SkillSource, Tool } from '../../../api/waymark';
import type { ExtensionName } from './callingExtension';
import { SessionEvents } from './sessionEvents';

/** Something that an extension contributed, with the name of that extension. */
export interface Contribution<Value> {
  readonly by: ExtensionName;
  readonly value: Value;
}

/** All contributions of one kind that have not been disposed. */
export class Contributed<Value> implements vscode.Disposable {
  private readonly registered = new Set<Contribution<Value>>();
  private readonly changes = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changes.event;

  get all(): readonly Contribution<Value>[] {
    return [...this.registered];
  }

  add(by: ExtensionName, value: Value): vscode.Disposable {
    const contribution = { by, value };
    this.registered.add(contribution);
    this.changes.fire();
    return new vscode.Disposable(() => {
      if (this.registered.delete(contribution)) this.changes.fire();
    });
  }

  /** Fires `onDidChange`; the extension reports that its contribution changed. */
  changed(): void {
    this.changes.fire();
  }

  dispose(): void {
    this.changes.dispose();
  }
}

/** Contributions of other extensions, and their event listeners. Exists before anything heavy is loaded. */
export class Contributions implements vscode.Disposable {
  readonly tools = new Contributed<Tool>();
  readonly models = new Contributed<Model>();
  readonly skills = new Contributed<SkillSource>();
  readonly events = new SessionEvents();

  dispose(): void {
    for (const contributed of [this.tools, this.models, this.skills]) contributed.dispose();
  }
}
