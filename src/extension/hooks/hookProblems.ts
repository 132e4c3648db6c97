import * as vscode from 'vscode';
import { problemsTold } from '../common/problemsTold';
import type { WindowHooks } from './windowHooks';

/** What is wrong with the files of hooks, in the Problems panel. */
export const hookProblems = (hooks: Pick<WindowHooks, 'files'>, changes: vscode.Event<void>): vscode.Disposable =>
  problemsTold('waymark-hooks', changes, async () =>
    (await hooks.files()).map(({ absolute, problems }) => [vscode.Uri.file(absolute), problems] as const),
  );
