import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import * as vscode from 'vscode';

describe('activation', () => {
  it('is measured from the request to the end of activate()', async () => {
    const extension = vscode.extensions.getExtension('waymark.waymark');
    assert.ok(extension, 'the extension is not there');
    assert.equal(extension.isActive, false, 'it was active before it was measured');
    const started = performance.now();
    await extension.activate();
    fs.writeFileSync(process.env['WAYMARK_BENCH_RESULT']!, JSON.stringify({ activateMs: performance.now() - started }));
  });
});
