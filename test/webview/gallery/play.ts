import type { PanelPage } from '../support/panelSite';
import type { Scene } from './scenes';

/** Shows a scene in a panel, and does there what the person of the scene does. */
export async function play(panel: PanelPage, { messages, keys = [], click = [], type }: Scene): Promise<void> {
  await panel.send(...messages);
  // Buttons of a card are dead for a moment after it appears.
  await panel.page.waitForTimeout(450);
  if (keys.length > 0) await panel.leaveComposer();
  for (const key of keys) {
    await panel.page.keyboard.press(key);
    await panel.page.waitForTimeout(50);
  }
  // By keyboard, as who reads at 200 % does: what decides may lie over what is above it.
  for (const id of click) await panel.page.getByTestId(id).first().press('Enter');
  if (type !== undefined) {
    if (keys.length === 0) await panel.page.getByTestId('composer').focus();
    await panel.page.keyboard.type(type);
  }
  await panel.page.waitForTimeout(60);
}
