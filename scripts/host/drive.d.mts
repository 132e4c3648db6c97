import type { FrameLocator, Locator, Page } from 'playwright-core';
export function extensionsLoaded(page: Page, timeout?: number): Promise<unknown>;
export function openFolder(page: Page, server: { readonly folderUrl: string }): Promise<void>;
export function runCommand(page: Page, title: string): Promise<void>;
export function typeAnswer(page: Page, text: string, options?: { readonly timeout: number }): Promise<void>;
export function runAndAnswer(page: Page, title: string, text: string): Promise<void>;
export function conversation(page: Page): FrameLocator;
export function openConversation(page: Page): Promise<void>;
export function toast(page: Page, text: string): Locator;
