import { ensureChromium } from './chromium.mjs';

/** A headless Chromium with a profile of its own that is deleted when it closes. `more`: further flags. */
export async function launchBrowser(...more) {
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    ...(await ensureChromium()),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--force-prefers-reduced-motion',
      ...more,
    ],
  });
}
