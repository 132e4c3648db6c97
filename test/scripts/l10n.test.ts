import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { bundleText } from '../../scripts/l10n.mjs';

describe('what translators get', () => {
  it('is every text of the extension and the panel (write it anew with `node scripts/l10n.mjs`)', () => {
    const text = bundleText(process.env.REPOSITORY!);
    assert.ok(text.includes('"Run in sandbox"') && text.includes('"Run Agent on Task"'));
    assert.equal(fs.readFileSync(path.join(process.env.REPOSITORY!, 'l10n/bundle.l10n.json'), 'utf8'), text);
  });
});
