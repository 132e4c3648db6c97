import * as vscode from 'vscode';
import { scriptedModelFromText } from '../adapters/scriptedModel';
import type { Model } from '../core/model/model';

/** The scripted model of the lesson in examples/first-run: the workspace's own script, or the one that is packaged. */
export async function tutorialModel(extension: vscode.Uri): Promise<Model> {
  const text = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension, 'examples/first-run/script.jsonl'));
  return scriptedModelFromText(Buffer.from(text).toString('utf8'), { name: 'tutorial', source: 'examples/first-run/script.jsonl' });
}
