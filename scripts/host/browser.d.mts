import type { Browser, BrowserContext } from 'playwright-core';
export function launchBrowser(): Promise<Browser>;
export function launchProfile(
  folder: string,
  options: { readonly viewport: { readonly width: number; readonly height: number } },
): Promise<BrowserContext>;
