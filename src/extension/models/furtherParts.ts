import * as vscode from 'vscode';
import { chosenAddress } from '../../core/model/providers/rulesFor';
import { readSettings, writeSetting } from '../common/settings';

/**
 * Returns whether the additional headers and body fields of the settings apply to a server. They belong to the server
 * in the settings: a gateway's secret must not reach another server because the user chose another model.
 */
export function furtherPartsAreFor(baseUrl: string): boolean {
  const origin = originChosen();
  // A model without its own address uses the one from the settings.
  if (baseUrl === '' || origin === undefined) return true;
  return URL.canParse(baseUrl) && new URL(baseUrl).origin === origin;
}

/** Returns the origin of the server in the settings, or undefined if none is set. */
function originChosen(): string | undefined {
  const { baseUrl, provider } = readSettings();
  const address = chosenAddress(baseUrl, provider) ?? '';
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

/**
 * Asks what to do with additional headers and fields when another server is chosen. Returns false if the user
 * cancelled.
 */
export async function settleFurtherParts(baseUrl: string): Promise<boolean> {
  const { headers, extraBody } = readSettings();
  const names = [...Object.keys(headers), ...Object.keys(extraBody)];
  if (names.length === 0 || furtherPartsAreFor(baseUrl)) return true;
  const [keep, remove] = [vscode.l10n.t('Send Them'), vscode.l10n.t('Remove from Settings')];
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Also send the extra headers and fields from your settings to {0}?', new URL(baseUrl).host),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Set for {1}: {0}. The test ran without them.',
        names.join(', '),
        new URL(originChosen()!).host,
      ),
    },
    remove,
    keep,
  );
  if (answer === remove) {
    await writeSetting('model.headers', undefined);
    await writeSetting('model.extraBody', undefined);
  }
  return answer !== undefined;
}
