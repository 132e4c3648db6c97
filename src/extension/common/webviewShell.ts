import * as vscode from 'vscode';
import { randomBytes } from 'node:crypto';
import { panelPolicy } from './panelPolicy';

/** Folder with the scripts and styles of the views. */
const mediaOf = (extension: vscode.Uri): vscode.Uri => vscode.Uri.joinPath(extension, 'dist', 'webview');

/** View type of tabs that show a session. */
export const tabType = 'waymark.session';

/** Webview options: only its own scripts may run. Everything else goes through messages. */
export const webviewOptions = (extension: vscode.Uri): vscode.WebviewOptions => ({
  enableScripts: true,
  enableForms: false,
  enableCommandUris: false,
  localResourceRoots: [mediaOf(extension)],
});

/**
 * Returns the HTML document of a view, with a strict policy. `name` selects its script and style; `bodyClass` says
 * where the view is shown.
 */
export function webviewShell(
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

/** Returns the translations for the view as inert JSON data; empty for English. */
function strings(): string {
  const { bundle } = vscode.l10n;
  return bundle
    ? `<script type="application/json" id="strings">${JSON.stringify(bundle).replaceAll('<', '\\u003c')}</script>`
    : '';
}
