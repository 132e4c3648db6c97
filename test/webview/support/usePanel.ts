import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { startPanelSite, type PanelPage, type PanelSite } from './panelSite';

export interface PanelUnderTest {
  site(): PanelSite;
  /** 400 pixels wide, fresh for each test. */
  panel(): PanelPage;
  byId(testId: string): Locator;
}

/**
 * A panel in Chromium for each test of a suite. After each nothing may have gone wrong, broken
 * the content policy or asked the network.
 */
export function usePanel(suite: Mocha.Suite): PanelUnderTest {
  let site: PanelSite;
  let panel: PanelPage;
  suite.timeout(60_000);
  suite.beforeAll(async () => {
    site = await startPanelSite();
  });
  suite.afterAll(() => site.close());
  suite.beforeEach(async () => {
    panel = await site.open({ width: 400 });
  });
  suite.afterEach(async () => {
    assert.deepEqual(
      [...panel.problems, ...((await panel.page.evaluate('window.cspProblems')) as string[]), ...site.strangers],
      [],
    );
    await panel.page.close();
  });
  return { site: () => site, panel: () => panel, byId: (testId) => panel.page.getByTestId(testId) };
}
