import { signal } from '@preact/signals';
import type { Layout } from './graph';

/** Set once the script is here. */
export const layout = signal<Layout | undefined>(undefined);

// Known only while the script itself runs.
const own = typeof document === 'undefined' ? null : (document.currentScript as HTMLScriptElement | null);
let asked = false;

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}
/** The one script that the panel may load further, where the browser asks for a policy. */
const trusted = (url: string): string =>
  (globalThis as { trustedTypes?: Policies }).trustedTypes
    ?.createPolicy('waymark', { createScriptURL: (own) => own })
    .createScriptURL(url) ?? url;

/** Loads the script that lays graphs out, beside the panel's own and under the same policy. */
export function loadLayout(): void {
  if (asked || !own) return;
  asked = true;
  const script = document.createElement('script');
  script.nonce = own.nonce;
  script.src = trusted(new URL('layout.js', own.src).href);
  script.onload = () => {
    layout.value = (globalThis as { waymarkLayout?: Layout }).waymarkLayout;
  };
  document.head.append(script);
}
