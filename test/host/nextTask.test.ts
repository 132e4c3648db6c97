import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { writeSetting } from '../../src/extension/common/settings';
import { NextTaskFacts } from '../../src/extension/sessions/nextTask';
import { until } from './support/session';

describe('settings of the next task', () => {
  it('are read again only after a setting changed', async () => {
    const { globalValue } = vscode.workspace.getConfiguration('waymark').inspect('mode') ?? {};
    const facts = new NextTaskFacts();
    try {
      const before = facts.current;
      assert.equal(facts.current, before);
      const other = before.mode === 'plan' ? 'confirm' : 'plan';
      await writeSetting('mode', other);
      await until('the other mode', () => facts.current.mode === other);
      assert.equal(facts.current, facts.current);
    } finally {
      facts.dispose();
      await writeSetting('mode', globalValue);
    }
  });
});
