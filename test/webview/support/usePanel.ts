import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { startPanelSite, type PanelPage, type PanelSite } from './panelSite';

interface PanelUnderTest {
  site(): PanelSite;
  /** A panel, created for each test. */
  panel(): PanelPage;
  byId(testId: string): Locator;
}

/** Provides a site for a suite whose tests open their own pages. Fails if a page made a network request. */
export function useSite(suite: Mocha.Suite): () => PanelSite {
  let site: PanelSite;
  suite.timeout(60_000);
  suite.beforeAll(async () => {
    site = await startPanelSite();
  });
  suite.afterAll(() => site.close());
  suite.afterEach(() => assert.deepEqual(site.strangers, []));
  return () => site;
}

/** Returns the problems of a page, including what its policy blocked. */
export const problemsOf = async ({ page, problems }: PanelPage): Promise<string[]> => [
  ...problems,
  ...((await page.evaluate('window.cspProblems')) as string[]),
];

/**
 * Provides a panel in Chromium for each test of a suite. Fails a test if anything went wrong, violated the content
 * policy or made a network request. `width`: in pixels; from 481 on, an approval card shows all of its buttons.
 */
export function usePanel(suite: Mocha.Suite, width = 400): PanelUnderTest {
  const site = useSite(suite);
  let panel: PanelPage;
  suite.beforeEach(async () => {
    panel = await site().open({ width });
  });
  suite.afterEach(async () => {
    assert.deepEqual(await problemsOf(panel), []);
    await panel.close();
  });
  return { site, panel: () => panel, byId: (testId) => panel.page.getByTestId(testId) };
}
