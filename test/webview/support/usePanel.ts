import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { startPanelSite, type PanelPage, type PanelSite } from './panelSite';

export interface PanelUnderTest {
  site(): PanelSite;
  /** 400 pixels wide, fresh for each test. */
  panel(): PanelPage;
  byId(testId: string): Locator;
}

/** A site for a suite whose tests open the pages they need. Nothing may have asked the network. */
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

/** What went wrong on a page, and what its policy kept from it. */
export const problemsOf = async ({ page, problems }: PanelPage): Promise<string[]> => [
  ...problems,
  ...((await page.evaluate('window.cspProblems')) as string[]),
];

/**
 * A panel in Chromium for each test of a suite. After each nothing may have gone wrong, broken
 * the content policy or asked the network.
 */
export function usePanel(suite: Mocha.Suite): PanelUnderTest {
  const site = useSite(suite);
  let panel: PanelPage;
  suite.beforeEach(async () => {
    panel = await site().open({ width: 400 });
  });
  suite.afterEach(async () => {
    assert.deepEqual(await problemsOf(panel), []);
    await panel.page.close();
  });
  return { site, panel: () => panel, byId: (testId) => panel.page.getByTestId(testId) };
}
