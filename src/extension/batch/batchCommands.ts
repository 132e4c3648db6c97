import * as vscode from 'vscode';
import type { BatchRow } from './batchView';
import type { WindowBatch } from './windowBatch';

interface Window {
  readonly batch: WindowBatch;
}

/** Commands for batches: command ID → handler. */
export const batchCommands = {
  'waymark.runBatch': ({ batch }: Window, resource?: unknown) =>
    batch.run(resource instanceof vscode.Uri ? resource : undefined),
  'waymark.stopBatch': ({ batch }: Window) => batch.stop(),
  'waymark.resumeBatch': ({ batch }: Window) => batch.resume(),
  'waymark.openBatch': ({ batch }: Window, resource?: unknown) =>
    batch.open(resource instanceof vscode.Uri ? resource : undefined),
  'waymark.openBatchReport': ({ batch }: Window) => batch.report(),
  'waymark.inspectBatchTask': ({ batch }: Window, row?: BatchRow) => batch.inspect(row),
} as const;
