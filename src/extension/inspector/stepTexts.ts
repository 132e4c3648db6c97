import * as vscode from 'vscode';
import { VirtualDocuments } from '../common/virtualDocuments';

/** Opens steps as read-only text in editors. */
export class StepTexts implements vscode.Disposable {
  private readonly documents = new VirtualDocuments('waymark-step');
  /** Makes the URI of each opened step unique. */
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
