import { signal } from '@preact/signals';
import type { Draughtsman } from './graph';

/** Set once the script is loaded. */
export const draughtsman = signal<Draughtsman | undefined>(undefined);

// Only available while the script itself runs.
const own = typeof document === 'undefined' ? null : (document.currentScript as HTMLScriptElement | null);
let isRequested = false;

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}
/** The only further script that the panel may load, for browsers that require a Trusted Types policy. */
const trusted = (url: string): string =>
  (globalThis as { trustedTypes?: Policies }).trustedTypes
    ?.createPolicy('waymark', { createScriptURL: (own) => own })
    .createScriptURL(url) ?? url;

/**
 * Loads the script that draws plans and diagrams. It is next to the panel's own script and subject to the same policy.
 */
export function loadLayout(): void {
  if (isRequested || !own) return;
  isRequested = true;
  const script = document.createElement('script');
  script.nonce = own.nonce;
  script.src = trusted(new URL('layout.js', own.src).href);
  script.onload = () => {
    draughtsman.value = (globalThis as { waymarkDraws?: Draughtsman }).waymarkDraws;
  };
  document.head.append(script);
}
