// What a person does in a window, for playwright pages.

/**
 * VS Code's own marks: it has read what extensions contribute, and has started the parts of the workbench that handle it,
 * such as the one for custom editors. It starts these when it is idle, which may be after the first mark.
 */
const READY_MARKS = ['code/didLoadExtensions', 'code/didCreateWorkbenchContributions/3'];

/** Resolves when a page of VS Code knows the commands, views and editors of its extensions. */
export const extensionsLoaded = (page, timeout = 60_000) =>
  page.waitForFunction((marks) => marks.every((mark) => performance.getEntriesByName(mark).length > 0), READY_MARKS, {
    timeout,
  });

/** Opens a server's folder in a page. */
export async function openFolder(page, server) {
  // A busy machine takes longer than the limit for actions in a page.
  await page.goto(server.folderUrl, { timeout: 60_000 });
  await extensionsLoaded(page);
}

/**
 * Runs a command from the palette by its full title, "Category: Title". If something takes the focus meanwhile, the
 * palette closes: then it is opened again.
 */
export async function runCommand(page, title) {
  const input = page.locator('.quick-input-widget input[type="text"]').first();
  const row = page
    .locator('.quick-input-list .monaco-list-row')
    .filter({ has: page.locator('.label-name', { hasText: exactly(title) }) })
    .first();
  for (let tries = 1; ; tries++) {
    await page.keyboard.press('F1');
    try {
      await input.fill(`>${title}`, { timeout: 5_000 });
      return await row.click({ timeout: 10_000 });
    } catch (error) {
      if (tries === 5) throw error;
    }
  }
}

/** Answers the open input box. */
export async function typeAnswer(page, text, options) {
  const input = page.locator('.quick-input-widget input[type="text"]').first();
  await input.fill(text, options);
  await input.press('Enter', options);
}

/** Runs a command that asks for something, and answers. If something takes the focus, both are done again. */
export async function runAndAnswer(page, title, text) {
  for (let tries = 1; ; tries++) {
    await runCommand(page, title);
    try {
      return await typeAnswer(page, text, { timeout: 5_000 });
    } catch (error) {
      if (tries === 3) throw error;
    }
  }
}

// Returns the document of Waymark's conversation view: VS Code wraps it in two frames.
export const conversation = (page) =>
  page
    .frameLocator('iframe.webview.ready[src*="extensionId=waymark.waymark"]')
    .first()
    .frameLocator('iframe#active-frame');

/** Shows the conversation view, wherever the focus was. */
export async function openConversation(page) {
  const icon = page.locator('.activitybar .action-item', { has: page.locator('a[aria-label^="Waymark"]') });
  await icon.waitFor();
  const isShown = async () => /checked/.test((await icon.getAttribute('class')) ?? '');
  // If a window is restoring the view at this moment, the click hides it.
  for (let tries = 0; tries < 5 && !(await isShown()); tries++) {
    await icon.locator('a').click();
    for (const end = Date.now() + 500; Date.now() < end && !(await isShown());) await page.waitForTimeout(50);
  }
}

export const toast = (page, text) =>
  page.locator('.notifications-toasts .notification-list-item', { hasText: text }).first();

const exactly = (text) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
