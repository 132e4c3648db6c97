import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { AttributeFiles } from '../../../src/adapters/git/attributeFiles';
import { Chance } from '../../chaos/chance';

describe('attribute files', () => {
  let root: string;
  const at = (place: string): string => path.join(root, place);

  beforeEach(() => {
    root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'attributes-')));
  });

  afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

  it('are listed with their text, outer folders first, without those of packages and behind links', async () => {
    for (const folder of ['src/deep', 'node_modules/package', 'empty', 'a/b/c/d/e'])
      fs.mkdirSync(at(folder), { recursive: true });
    for (const folder of ['.', 'src', 'src/deep', 'node_modules/package', 'a/b/c/d', 'a/b/c/d/e'])
      fs.writeFileSync(at(`${folder}/.gitattributes`), `of ${folder}`);
    fs.symlinkSync('src', at('link'));
    fs.mkdirSync(at('empty/.gitattributes'));
    assert.deepEqual(await new AttributeFiles(root).read(), [
      ['.gitattributes', 'of .'],
      ['empty/.gitattributes', '?'],
      ['src/.gitattributes', 'of src'],
      ['src/deep/.gitattributes', 'of src/deep'],
      ['a/b/c/d/.gitattributes', 'of a/b/c/d'],
    ]);
  });

  it('are found again after any change as if nobody had looked before', async function () {
    this.timeout(60_000);
    const random = new Chance(20261130);
    const kept = new AttributeFiles(root);
    for (let round = 0; round < 30; round++) {
      // What was read this long ago is remembered.
      await wait(110);
      await kept.read();
      for (let step = 0; step < 4; step++) {
        change(random);
        assert.deepEqual(await kept.read(), await new AttributeFiles(root).read(), `round ${round}, step ${step}`);
      }
    }
  });

  const names = ['a', 'b', 'c', '.gitattributes', 'node_modules'];

  /** Creates, changes, replaces, moves or deletes something at random. */
  function change(random: Chance): void {
    const place = (): string =>
      at(path.join(...Array.from({ length: 1 + random.below(5) }, () => random.oneOf(names))));
    const here = place();
    try {
      switch (random.below(6)) {
        case 0:
          return fs.rmSync(here, { recursive: true });
        case 1:
          return fs.renameSync(here, place());
        case 2:
          return fs.symlinkSync(random.happens(0.5) ? place() : 'a', here);
        case 3:
          return void fs.mkdirSync(here, { recursive: true });
        default:
          return fs.writeFileSync(path.join(path.dirname(here), '.gitattributes'), `text ${random.below(3)}`);
      }
    } catch {
      // What is there does not allow this change.
    }
  }
});
