import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const root = process.env['REPOSITORY']!;

describe('the published JSON schemas', () => {
  it('match the code that reads the files', () => {
    const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'scripts/schemas.mjs'), '--check'], {
      encoding: 'utf8',
    });
    assert.deepEqual([status, stderr], [0, '']);
  });

  it('exist for every file that the manifest lists', () => {
    const { contributes } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      contributes: { jsonValidation: { fileMatch: string[]; url: string }[] };
    };
    assert.ok(contributes.jsonValidation.some(({ fileMatch }) => fileMatch.includes('**/.agent/hooks.json')));
    for (const { url } of contributes.jsonValidation) assert.ok(fs.existsSync(path.join(root, url)), url);
  });
});
