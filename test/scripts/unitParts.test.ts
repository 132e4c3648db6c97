import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { longest, partsOf, shortName, waiting } from '../../scripts/stage/unitParts.mjs';

const sources = fs
  .readdirSync(path.join(process.env['REPOSITORY']!, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.test\.tsx?$/.test(name))
  .toSorted();

describe('the parts of a full test run', () => {
  it('contain every file exactly once', () => {
    const { parts, beside } = partsOf(sources, (file) => file);
    assert.deepEqual([...parts, ...beside].flat().toSorted(), sources);
  });

  it('start with the longest files, each existing and named once', () => {
    const named = [...longest, ...waiting];
    const isThere = (name: string): boolean => sources.some((source) => shortName(source) === name);
    assert.deepEqual(
      named.filter((name, index) => !isThere(name) || named.indexOf(name) !== index),
      [],
      'see scripts/stage/unitParts.mjs',
    );
    const { parts } = partsOf(sources, (file) => file);
    assert.deepEqual(shortName(parts[0]![0]!), longest[0]);
  });
});
