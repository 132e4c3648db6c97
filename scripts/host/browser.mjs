import { ensureChromium } from './chromium.mjs';

/** Starts a headless Chromium with its own profile, deleted when it closes. `more`: additional flags. */
export async function launchBrowser(...more) {
  const { chromium } = await import('playwright-core');
  return chromium.launch(await launchOptions(...more));
}

/**
 * Starts a headless Chromium with the profile in `folder`, which keeps the code cache of pages at an address. Profiles
 * in a browser of `launchBrowser` share nothing.
 */
export async function launchProfile(folder, { viewport }) {
  const { chromium } = await import('playwright-core');
  return chromium.launchPersistentContext(folder, { ...(await launchOptions()), viewport });
}

async function launchOptions(...more) {
  return {
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
  };
}
