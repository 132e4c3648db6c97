import { ensureChromium } from './chromium.mjs';

/** Starts a headless Chromium with its own profile, deleted when it closes. `more`: additional flags. */
export async function launchBrowser(...more) {
  const { chromium } = await import('playwright-core');
  return chromium.launch(await launchOptions(...more));
}

/**
 * What Playwright disables, because Chromium obeys only the last option of this name. The last one is ours: with it,
 * Chromium parses all 19 MB of VS Code at every start, even though it has them in its code cache.
 */
export const DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
  'BackgroundResourceFetch',
];

/**
 * Starts a headless Chromium with the profile in `folder`, which keeps the code cache of pages at an address. Profiles
 * in a browser of `launchBrowser` share nothing.
 */
export async function launchProfile(folder, { viewport }) {
  const { chromium } = await import('playwright-core');
  const options = await launchOptions(`--disable-features=${DISABLED_FEATURES.join(',')}`);
  return chromium.launchPersistentContext(folder, { ...options, viewport });
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

/**
 * Makes the scripts of a page run slower, by the factor in `WAYMARK_TEST_SLOWDOWN`: what waits for nothing but a fast
 * machine fails then.
 */
export async function slowDown(page) {
  const rate = Number(process.env.WAYMARK_TEST_SLOWDOWN ?? 1);
  if (rate > 1) await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate });
}
