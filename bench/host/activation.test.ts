import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import * as vscode from 'vscode';

describe('activation', () => {
  it('is measured from the request to the end of activate()', async () => {
    const { WAYMARK_BENCH_EXTENSION: id, WAYMARK_BENCH_RESULT: file } = process.env;
    const extension = vscode.extensions.getExtension(id!);
    assert.ok(extension, `${id} is not installed`);
    assert.equal(extension.isActive, false, 'it was active before it was measured');
    const started = performance.now();
    await extension.activate();
    fs.writeFileSync(file!, JSON.stringify({ activateMs: performance.now() - started }));
  });
});
