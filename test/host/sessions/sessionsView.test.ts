import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { sessionsView } from '../../../src/extension/sessions/sessionsView';

describe('the list of sessions', () => {
  it('reads no log while it is hidden', () => {
    const { window } = vscode;
    const real = window.createTreeView.bind(window);
    // The window uses a list under the real name; this one is never visible.
    const unseen: typeof real = (_name, options) => real('waymark.unseenSessions', options);
    Object.defineProperty(window, 'createTreeView', { value: unseen, configurable: true, writable: true });
    let looks = 0;
    const rows = (): [] => {
      looks++;
      return [];
    };
    try {
      const list = sessionsView({ rows, isRunning: () => false, pinned: () => [] });
      list.refresh();
      list.dispose();
    } finally {
      Object.defineProperty(window, 'createTreeView', { value: real, configurable: true, writable: true });
    }
    assert.equal(looks, 0);
  });
});
