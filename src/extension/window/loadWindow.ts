import { turn } from '../common/turn';
import type { WaymarkWindow } from './waymarkWindow';

/**
 * What the window is made of, in dependency order: each part contains what those before it do not. Each must also be
 * listed in `windowParts` of esbuild.js, or its code is in many files, which VS Code loads slowly.
 */
const parts: readonly (() => Promise<unknown>)[] = [
  () => import('../../protocol/events/event'),
  () => import('../../core/tools/toolsets'),
  () => import('../../core/security/analyzers'),
  () => import('../../core/session/sessionAgent'),
  () => import('../../core/session/openSession'),
  () => import('../../adapters/sandbox/findSandbox'),
  () => import('../../adapters/checkpoints/recording/sessionCheckpoints'),
  () => import('../../adapters/sessions/sessions'),
  () => import('../editor/editorFiles'),
  () => import('../models/modelService'),
  () => import('../sessions/openSessions'),
  () => import('../review/windowReview'),
  () => import('../panel/panelPlace'),
];

/**
 * Loads the code of the window. Yields to the event loop after each part: loading everything at once would block all
 * extensions, and the view that a person has just opened would get its document only after that.
 */
export async function loadWindow(): Promise<typeof WaymarkWindow> {
  await turn();
  for (const load of parts) {
    await load();
    await turn();
  }
  const loaded = await import('./waymarkWindow');
  await turn();
  return loaded.WaymarkWindow;
}
