import * as vscode from 'vscode';
import { problemsTold } from '../problemsTold';
import { diagnosticOf } from '../skills/skillProblems';
import type { WindowHooks } from './windowHooks';

/** What is wrong with the files of hooks, in the Problems panel. */
export const hookProblems = (hooks: Pick<WindowHooks, 'files'>, changes: vscode.Event<void>): vscode.Disposable => problemsTold('waymark-hooks', changes, async collection => {
  const files = await hooks.files();
  collection.clear();
  for (const { absolute, problems } of files) collection.set(vscode.Uri.file(absolute), problems.map(diagnosticOf));
});
