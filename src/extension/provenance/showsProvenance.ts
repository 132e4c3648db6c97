import * as vscode from 'vscode';
import { interfaceSettings } from '../../core/settings/groups/interface';

/**
 * How much of who wrote a line is shown by itself; the commands show it in any case.
 * Read without the schemas, which load later.
 */
export function showsProvenance(): 'off' | 'onHover' | 'on' {
  const value = vscode.workspace.getConfiguration('waymark').get('provenance');
  return value === 'off' || value === 'on' ? value : interfaceSettings.provenance.default;
}
