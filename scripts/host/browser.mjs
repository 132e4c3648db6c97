import { ensureChromium } from './chromium.mjs';

/** A headless Chromium with a profile of its own that is deleted when it closes. `more`: further flags. */
export async function launchBrowser(...more) {
  const { chromium } = await import('playwright-core');
  return chromium.launch(await launchOptions(...more));
}

/**
 * A headless Chromium with the profile in `folder`: what its pages load from an address is kept there, compiled. The
 * profiles in a browser of `launchBrowser` keep nothing for each other.
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
