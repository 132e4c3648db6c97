import type { PanelPage } from '../support/panelSite';
import type { Scene } from './scenes';

/** Shows a scene in a panel and performs its user actions. */
export async function play(panel: PanelPage, { messages, keys = [], click = [], type }: Scene): Promise<void> {
  await panel.send(...messages);
  // Buttons of a new card are disabled for a moment.
  await panel.page.waitForTimeout(450);
  if (keys.length > 0) await panel.leaveComposer();
  for (const key of keys) {
    await panel.page.keyboard.press(key);
    await panel.page.waitForTimeout(50);
  }
  // By keyboard, as at 200 % zoom: the decision buttons may cover the content above them.
  for (const id of click) {
    const [button, menu] = [panel.page.getByTestId(id).first(), panel.page.getByTestId('more-answers')];
    // Only a narrow panel has the rarer answers in a menu.
    if (id === 'more-answers' && !(await menu.isVisible())) continue;
    if (!(await button.isVisible())) {
      await menu.press('Enter');
      await panel.page.waitForTimeout(450);
    }
    await button.press('Enter');
  }
  // So are those that a click leads to.
  if (click.length > 0) await panel.page.waitForTimeout(450);
  if (type !== undefined) {
    if (keys.length === 0) await panel.page.getByTestId('composer').focus();
    await panel.page.keyboard.type(type);
  }
  await panel.page.waitForTimeout(60);
}
