/**
 * Content Security Policy of a webview: only its own script and style, nothing from elsewhere, and HTML only through
 * its two Trusted Types policies. `source`: origin of its files.
 */
export const panelPolicy = (source: string, nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    `font-src ${source}`,
    `img-src ${source} data:`,
    "connect-src 'none'",
    "frame-src 'none'",
    "worker-src 'none'",
    "object-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types dompurify waymark',
  ].join('; ');
