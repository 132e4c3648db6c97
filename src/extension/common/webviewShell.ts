import * as vscode from 'vscode';
import { randomBytes } from 'node:crypto';
import { panelPolicy } from './panelPolicy';

/** Where the scripts and styles of the views are. */
const mediaOf = (extension: vscode.Uri): vscode.Uri => vscode.Uri.joinPath(extension, 'dist', 'webview');

/** Of tabs that show a session. */
export const tabType = 'waymark.session';

/** What a view may do: run its own script. Everything else goes through messages. */
export const webviewOptions = (extension: vscode.Uri): vscode.WebviewOptions => ({
  enableScripts: true,
  enableForms: false,
  enableCommandUris: false,
  localResourceRoots: [mediaOf(extension)],
});

/** The document of a view under a strict policy. `name` names its script and style, `bodyClass` says where it is shown. */
export function shellOf(
  webview: vscode.Webview,
  extension: vscode.Uri,
  name: 'panel' | 'inspector',
  bodyClass = '',
): string {
  const nonce = randomBytes(16).toString('base64url');
  const source = webview.cspSource;
  const file = (part: string) => webview.asWebviewUri(vscode.Uri.joinPath(mediaOf(extension), part)).toString();
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${panelPolicy(source, nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${file(`${name}.css`)}">
<title>Waymark</title>
</head>
<body class="${bodyClass}"><div id="root"></div>${strings()}<script nonce="${nonce}" src="${file(`${name}.js`)}"></script></body>
</html>`;
}

/**
 * The translations of this language, for the view to look its words up in; none for English.
 * As data, so that nothing in them can act.
 */
function strings(): string {
  const { bundle } = vscode.l10n;
  return bundle
    ? `<script type="application/json" id="strings">${JSON.stringify(bundle).replaceAll('<', '\\u003c')}</script>`
    : '';
}
