import * as vscode from 'vscode';

/**
 * Opens a link from a conversation after showing the full address. Only web and mail addresses without a user name or
 * password are accepted.
 */
export async function openLink(url: string): Promise<void> {
  const uri = URL.canParse(url) ? new URL(url) : undefined;
  if (!uri || !['http:', 'https:', 'mailto:'].includes(uri.protocol) || uri.username || uri.password) {
    throw new Error(vscode.l10n.t('Link not opened: {0}. Only plain web and mail addresses can be opened.', url));
  }
  const open = vscode.l10n.t('Open');
  const picked = await vscode.window.showInformationMessage(
    vscode.l10n.t('Open this address from the conversation?'),
    { modal: true, detail: `${uri.host}\n\n${uri.href}` },
    open,
  );
  if (picked === open) await vscode.env.openExternal(vscode.Uri.parse(uri.href, true));
}
