import * as vscode from 'vscode';
import { VirtualDocuments } from '../common/virtualDocuments';

/** Steps as text, read-only, in editors of their own. */
export class StepTexts implements vscode.Disposable {
  private readonly documents = new VirtualDocuments('waymark-step');
  /** Tells one showing of a step from the next. */
  private showings = 0;

  async show(name: string, text: string): Promise<void> {
    this.showings++;
    const uri = this.documents.keep(`/${name}`, String(this.showings), text);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  dispose(): void {
    this.documents.dispose();
  }
}
