import type { PanelPage } from '../support/panelSite';
import type { Scene } from './scenes';

/** As in `webview-ui/base/hooks.ts`. */
const ignoreClicksMs = 400;

/** Shows a scene in a panel and performs its user actions. */
export async function play(panel: PanelPage, { messages, keys = [], click = [], type }: Scene): Promise<void> {
  await panel.send(...messages);
  await answersEnabled(panel);
  if (keys.length > 0) await panel.leaveComposer();
  for (const key of keys) {
    await panel.page.keyboard.press(key);
    await panel.send();
  }
  // By keyboard, as at 200 % zoom: the decision buttons may cover the content above them.
  for (const id of click) {
    const [button, menu] = [panel.page.getByTestId(id).first(), panel.page.getByTestId('more-answers')];
    // Only a narrow panel has the rarer answers in a menu.
    if (id === 'more-answers' && !(await menu.isVisible())) continue;
    if (!(await button.isVisible())) {
      await menu.press('Enter');
      await answersEnabled(panel);
    }
    await button.press('Enter');
  }
  if (click.length > 0) await answersEnabled(panel);
  if (type !== undefined) {
    if (keys.length === 0) await panel.page.getByTestId('composer').focus();
    await panel.page.keyboard.type(type);
  }
  await panel.send();
}

/** Waits until the buttons of a card, which ignore clicks at first, are enabled or can only be disabled for good. */
async function answersEnabled(panel: PanelPage): Promise<void> {
  await panel.send();
  if ((await panel.page.locator('.decision').count()) === 0) return;
  await panel.page
    .locator('.decision [aria-disabled=false]')
    .first()
    .waitFor({ state: 'attached', timeout: ignoreClicksMs + 50 })
    .catch(() => undefined);
}
