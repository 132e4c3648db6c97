import * as vscode from 'vscode';
import type { BatchRow } from './batchView';
import type { WindowBatch } from './windowBatch';

interface Window {
  readonly batch: WindowBatch;
}

/** Commands for batches: command ID → handler. */
export const batchCommands = {
  'waymark.runBatch': ({ batch }: Window, given?: unknown) =>
    batch.run(given instanceof vscode.Uri ? given : undefined),
  'waymark.stopBatch': ({ batch }: Window) => batch.stop(),
  'waymark.resumeBatch': ({ batch }: Window) => batch.resume(),
  'waymark.openBatch': ({ batch }: Window, given?: unknown) =>
    batch.open(given instanceof vscode.Uri ? given : undefined),
  'waymark.openBatchReport': ({ batch }: Window) => batch.report(),
  'waymark.inspectBatchTask': ({ batch }: Window, row?: BatchRow) => batch.inspect(row),
} as const;
