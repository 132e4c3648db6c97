/**
 * What a view may load and do: its own script and style, nothing from elsewhere, no HTML or script but by its two
 * policies of Trusted Types. `source`: where its files come from.
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
