import assert from 'node:assert/strict';
import { nearestTool } from '../../../../src/core/tools/calls/nearestTool';
import { toolsFor } from '../../../../src/core/tools/toolsFor';

describe('the nearest tool', () => {
  const names = toolsFor({ toolsets: ['default'] }).map(({ name }) => name);

  it('is the one that a wrong name clearly means', () => {
    for (const [wrong, right] of [
      ['Read_File', 'read_file'],
      ['readFile', 'read_file'],
      ['read-file', 'read_file'],
      ['reed_file', 'read_file'],
      ['functions.run_command', 'run_command'],
      ['run_comand_tool', 'run_command'],
      ['serach_text', 'search_text'],
      [' todo ', 'todo'],
    ]) {
      assert.equal(nearestTool(wrong!, names), right, wrong);
    }
  });

  it('is none where nothing is near, the name is short, or several are as near', () => {
    for (const wrong of ['browser_open', 'read', 'tod', 'x', '', 'write_text_file_now'])
      assert.equal(nearestTool(wrong, names), undefined, wrong);
    assert.equal(nearestTool('test_cats', ['test_cat', 'test_catsy', 'test_bats']), undefined);
    assert.equal(nearestTool('readFile', ['read_file', 'read-file']), undefined);
  });
});
