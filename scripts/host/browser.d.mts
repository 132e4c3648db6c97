import type { Browser, BrowserContext, Page } from 'playwright-core';
export function launchBrowser(...more: readonly string[]): Promise<Browser>;
export function launchProfile(
  folder: string,
  options: { readonly viewport: { readonly width: number; readonly height: number } },
): Promise<BrowserContext>;
export function slowDown(page: Page): Promise<void>;
