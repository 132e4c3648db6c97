import { strict as assert } from 'node:assert';
import type { Stats } from 'node:fs';
import type { FileNode } from '../../../src/adapters/checkpoints/folderIndex/indexTree';
import { MovedFiles } from '../../../src/adapters/checkpoints/folderIndex/movedFiles';

describe('files that replaced others', () => {
  const { platform } = process;
  afterEach(() => Object.defineProperty(process, 'platform', { value: platform }));

  const replacesOn = (system: string, stat: Partial<Stats>): boolean => {
    Object.defineProperty(process, 'platform', { value: system });
    const moved = new MovedFiles(() => []);
    const node = { kind: 'file', state: { kind: 'file', hash: 'aa' } } as FileNode;
    const known: FileNode = { ...node, ino: 6 };
    moved.beginScan();
    moved.noteArrival('/a.txt', { nlink: 1, ino: 7, ...stat } as Stats, node, known);
    moved.endScan();
    return moved.origin('/a.txt', { replaced: true }) === 'elsewhere';
  };

  it('are not those that are written anew on Windows, which get the creation time of the former ones', () => {
    const hourAgo = Date.now() - 3_600_000;
    assert.equal(replacesOn('win32', { birthtimeMs: hourAgo, mtimeMs: Date.now() }), false);
    assert.equal(replacesOn('win32', { birthtimeMs: hourAgo, mtimeMs: hourAgo }), true);
    assert.equal(replacesOn('linux', { birthtimeMs: hourAgo, mtimeMs: Date.now() }), true);
  });
});
