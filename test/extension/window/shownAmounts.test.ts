import assert from 'node:assert/strict';
import { tabTitle } from '../../../src/extension/common/tabTitle';
import { costWords, roundedDollars } from '../../../src/protocol/plain/amounts';

describe('short texts of the window', () => {
  it('never show a cost below a cent as free', () => {
    assert.deepEqual([0, 0.0004, 0.0099, 0.01, 1.239].map(roundedDollars), [
      '$0',
      '<\u00a0$0.01',
      '<\u00a0$0.01',
      '$0.01',
      '$1.24',
    ]);
    assert.deepEqual([null, 0, 0.004, 2].map(costWords), ['', '', '<\u00a0$0.01', '$2.00']);
  });

  it('say that the title of a tab was cut off', () => {
    assert.equal(tabTitle('Short'), 'Short');
    assert.equal(tabTitle('x'.repeat(40)), 'x'.repeat(40));
    assert.equal(tabTitle(`${'x'.repeat(38)} word`), `${'x'.repeat(38)}…`);
    assert.equal(tabTitle('😀'.repeat(50)), `${'😀'.repeat(39)}…`);
  });
});
