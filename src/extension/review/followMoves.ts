import fs from 'node:fs';
import type * as vscode from 'vscode';
import { reopenMoved } from '../editor/editorFiles';
import type { SessionReview } from './sessionReview';

/**
 * Lets tabs follow files that a command moved, or that an undo or redo moved back. VS Code would show them as deleted.
 */
export function followMoves(changes: SessionReview): vscode.Disposable {
  /** Where each moved file was, by where it is. */
  let known = new Map<string, string>();
  let following: Promise<unknown> = Promise.resolve();
  return changes.onDidChange(() => {
    const moved = new Map(
      changes.files.flatMap(({ from, path, isHeld }) => (from === undefined || isHeld ? [] : [[path, from] as const])),
    );
    const moves = [
      ...[...moved].filter(([path]) => !known.has(path)).map(([path, from]) => ({ from, to: path })),
      ...[...known].filter(([path]) => !moved.has(path)).map(([path, from]) => ({ from: path, to: from })),
    ];
    known = moved;
    for (const { from, to } of moves)
      if (!fs.existsSync(from) && fs.existsSync(to))
        following = following.then(() => reopenMoved(from, to)).catch(() => undefined); // the file moved, whether or not its tab follows
  });
}
