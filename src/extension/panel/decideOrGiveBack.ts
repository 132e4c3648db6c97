import * as vscode from 'vscode';
import type { PanelOutlet } from './panelOutlet';

/**
 * Resolves to whether a decision with a typed note was made. If not, puts the note back into the composer with the
 * reason; the caller reports nothing.
 */
export async function decideOrGiveBack(
  note: string,
  decision: Promise<boolean>,
  outlet: Pick<PanelOutlet, 'giveBack'>,
): Promise<boolean> {
  try {
    if (await decision) return true;
    throw new Error(vscode.l10n.t('The question is closed. Send the text as a message instead.'));
  } catch (error) {
    outlet.giveBack(note, error);
    return false;
  }
}
