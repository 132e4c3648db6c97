import * as vscode from 'vscode';
import { interfaceSettings } from '../../core/settings/groups/interface';

/**
 * Returns how much of a line's origin is shown automatically; the commands always show it. Reads the setting without
 * its schema, which is loaded later.
 */
export function showsProvenance(): 'off' | 'onHover' | 'on' {
  const value = vscode.workspace.getConfiguration('waymark').get('provenance');
  return value === 'off' || value === 'on' ? value : interfaceSettings.provenance.default;
}
