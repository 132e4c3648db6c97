import * as vscode from 'vscode';
import { providerNamed } from '../../core/model/providers/rulesFor';
import { readSettings, writeSetting } from '../common/settings';

/**
 * Further headers and fields of the settings belong to the server that the settings name: a gateway's secret must not
 * reach another server because a person chose another model.
 */
export function furtherPartsAreFor(baseUrl: string): boolean {
  const origin = chosenOrigin();
  // A model without an address of its own uses the address from the settings.
  if (baseUrl === '' || origin === undefined) return true;
  return URL.canParse(baseUrl) && new URL(baseUrl).origin === origin;
}

/** The server that the settings name; undefined where they name none. */
function chosenOrigin(): string | undefined {
  const { baseUrl, provider } = readSettings();
  const address = baseUrl || (providerNamed(provider)?.baseUrl ?? '');
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

/** Asks what becomes of further headers and fields when another server is chosen. False when the person backed out. */
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
        new URL(chosenOrigin()!).host,
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
