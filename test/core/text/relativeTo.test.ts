import assert from 'node:assert/strict';
import { relativeTo } from '../../../src/core/text/relativeTo';

describe('a path inside a folder', () => {
  it('is relative to it, and one outside stays absolute', () => {
    assert.equal(relativeTo('/home/me/app', '/home/me/app'), '.');
    assert.equal(relativeTo('/home/me/app', '/home/me/app/src/a.ts'), 'src/a.ts');
    assert.equal(relativeTo('/home/me/app', '/home/me/app/..a'), '..a');
    assert.equal(relativeTo('/home/me/app', '/home/me/apple'), '/home/me/apple');
    assert.equal(relativeTo('/home/me/app', '/home/me'), '/home/me');
  });

  it('has slashes on Windows, and keeps backslashes of names elsewhere', () => {
    assert.equal(relativeTo('C:\\app', 'C:\\app\\src\\a.ts'), 'src/a.ts');
    assert.equal(relativeTo('C:\\app', 'D:\\a.ts'), 'D:/a.ts');
    assert.equal(relativeTo('/app', '/app/a\\b'), 'a\\b');
  });
});
