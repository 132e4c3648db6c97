import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Event, EventOf, EventType } from '../../../src/protocol/events/event';
import {
  failure,
  reply,
  startModelServer,
  toolCall,
  type Answering,
  type ModelServer,
} from '../../support/modelServer';
import { logsOf, useWindow, type Window, type WindowOptions } from './window';
import { eventsIn } from '../../support/loggedEvents';
import { setTimeout as pause } from 'node:timers/promises';

export const finish = (summary: string) => toolCall('finish', { summary });
export const run = (command: string) => toolCall('run_command', { command });
export { pause };

/** A window connected to a model server, with helpers for user actions. */
export interface AgentWindow {
  readonly window: Window;
  readonly page: Page;
  readonly server: ModelServer;
  readonly view: FrameLocator;
  /** Sets the model's answers from here on. Answers of earlier tests are discarded. */
  model(...answers: Answering[]): void;
  /** Starts a task from the palette, without the mouse. */
  task(words: string): Promise<void>;
  /** Runs a command from the palette by its full title, without the mouse. */
  command(title: string): Promise<void>;
  /** Types into the input box that a command opened, and presses Enter. */
  answer(words: string): Promise<void>;
  /** Returns the events of the latest session, read from its log on disk. */
  events(): Event[];
  of<Type extends EventType>(type: Type): EventOf<Type>[];
  reaches<Type extends EventType>(type: Type, count?: number): Promise<EventOf<Type>>;
  /** Returns the content of a workspace file, or undefined if it does not exist. */
  file(name: string): string | undefined;
  finished(): Promise<void>;
  /** Presses a key in the modal dialog once it has the focus. */
  inDialog(key: 'Enter' | 'Escape'): Promise<void>;
  /**
   * Waits until the browser has persisted `text` in the extensions' workspace state. VS Code writes that a moment after
   * it reports it; reloading the window earlier loses it.
   */
  keeps(text: string): Promise<void>;
}

/** Waits until the result is neither undefined nor false. Fails with `what` on timeout. */
export async function until<Value>(
  what: string,
  ask: () => Value | undefined | false | Promise<Value | undefined | false>,
  seconds = 60,
): Promise<Value> {
  const start = Date.now();
  while (Date.now() < start + seconds * 1000) {
    const value = await ask();
    if (value !== undefined && value !== false) return value;
    // Each look costs work in several processes, so a long wait looks less often.
    await pause(Date.now() - start < 1000 ? 50 : 150);
  }
  throw new assert.AssertionError({ message: `Waited ${seconds} s in vain: ${what}` });
}

/**
 * For a suite whose tests depend on each other: skips the rest of the suite after a failure. Mocha's own `bail` would
 * also skip every other suite that uses it.
 */
export function goOnFromEachOther(suite: Mocha.Suite): void {
  let hasFailed = false;
  suite.beforeEach(function () {
    if (hasFailed) this.skip(); // an earlier test of this suite failed
  });
  suite.afterEach(function () {
    hasFailed ||= this.currentTest?.state === 'failed';
  });
}

/** The button of a card once it is enabled: presses in the first moment of a card are ignored. */
export const alive = (view: FrameLocator, id: string): Locator =>
  view.locator(`[data-testid="${id}"][aria-disabled="false"]`);

/** Clicks a button of an approval card once it is enabled. A narrow panel has the rarer ones in a menu. */
export async function pressOnCard(view: FrameLocator, id: string): Promise<void> {
  const button = alive(view, id);
  await button.waitFor({ state: 'attached' });
  if (!(await button.isVisible())) await view.getByTestId('more-answers').click();
  await button.click();
}

/** Holds an answer back until it is released. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** A visible panel: that of the side bar, or of the tab with this title in its header. */
export async function panelIn(page: Page, place: 'side bar' | 'tab', title?: string): Promise<FrameLocator> {
  const frames = page.locator('iframe.webview.ready[src*="extensionId=waymark.waymark"]');
  return until(`a ${place} that shows ${title ?? 'a session'}`, async () => {
    for (let at = 0; at < (await frames.count()); at++) {
      const inside = frames.nth(at).contentFrame().frameLocator('iframe#active-frame');
      const seen = await inside
        .locator('body')
        .evaluate((body) => ({
          place: body.classList.contains('tab') ? 'tab' : 'side bar',
          title: body.querySelector('h1.title')?.textContent.trim(),
        }))
        .catch(() => undefined);
      if (seen?.place === place && (title === undefined || seen.title === title)) return inside;
    }
    return undefined;
  });
}

/** A model server that gives the answers set by the running test. */
interface PlayedModel {
  readonly server: ModelServer;
  setAnswers(answers: Answering[]): void;
}

async function startPlayedModel(): Promise<PlayedModel> {
  let answers: Answering[] = [];
  const server = await startModelServer((request, index) => {
    if (String(request.body.messages.at(-1)?.content).startsWith('<record>')) return reply('What was said so far.'); // request of the condenser
    const next = answers.shift() ?? failure(400, 'The test has no answer left.');
    return typeof next === 'function' ? next(request, index) : next;
  });
  return {
    server,
    setAnswers: (next) => {
      answers = next;
    },
  };
}

const agentWindowSize = { width: 1200, height: 800 };

/** Like `useWindow`, with a model server that gives the answers set by the running test. */
export function useAgentWindow(options: WindowOptions = {}): () => AgentWindow {
  let model: PlayedModel | undefined;
  const window = useWindow(async () => {
    model = await startPlayedModel();
    return { modelServer: model.server, size: agentWindowSize, ...options };
  });
  after(() => model?.server.stop());
  return agentWindowOf(window, () => model!);
}

/** Settings of the windows that suites share, by name. */
const SHARED = {
  asking: {},
  unattended: { 'waymark.confirmation': 'never' },
} as const;

/** The model of the windows that suites of this process share. */
let sharedModel: PlayedModel | undefined;
after(() => sharedModel?.server.stop());

/**
 * Like `useAgentWindow`, for a suite that may follow another one in its window: one that changes no setting, expects no
 * list of sessions without others, and does not test what a window does once. scripts/window-tests.mjs runs files with
 * the same name here in one process.
 */
export function useSharedWindow(
  name: keyof typeof SHARED,
  options: Pick<WindowOptions, 'files' | 'size'> = {},
): () => AgentWindow {
  const window = useWindow(async () => {
    sharedModel ??= await startPlayedModel();
    sharedModel.setAnswers([]);
    const { server: modelServer } = sharedModel;
    return { modelServer, size: agentWindowSize, ...options, settings: SHARED[name], sharedAs: name };
  });
  before(() => sharedModel!.server.forget());
  return agentWindowOf(window, () => sharedModel!);
}

function agentWindowOf(window: () => Window, model: () => PlayedModel): () => AgentWindow {
  before(() => window().setPanelWidth(350 + 48)); // the activity bar is 48 pixels wide
  return () => agentWindow(window(), model());
}

function agentWindow(window: Window, { server, setAnswers }: PlayedModel): AgentWindow {
  const { page } = window;
  const quickInput = page.locator('.quick-input-widget input[type="text"]').first();
  const command = async (title: string): Promise<void> => {
    await until(`"${title}" in the palette`, async () => {
      await page.keyboard.press('F1');
      // Anything that takes the focus in that moment, such as a view with new content, closes the palette.
      const isOpen = await quickInput.fill(`>${title}`, { timeout: 3000 }).then(
        () => true,
        () => false,
      );
      if (isOpen && (await focusRow(title)) && (await entersInQuickInput(page))) return true;
      // F1 does not refresh an open palette, which shows the commands that were enabled when it opened.
      if (await quickInput.isVisible()) await quickInput.press('Escape', { timeout: 3000 }).catch(() => undefined);
      return false;
    });
    // The command ends by focusing the composer. That loses earlier key presses and closes an open list.
    if (title === 'Waymark: New Session') await focusInComposer();
  };
  /** Moves down to the row with that label. Returns true if Enter would take it. */
  const focusRow = async (label: string): Promise<boolean> => {
    const rows = page.locator('.quick-input-list .monaco-list-row');
    const labelsOf = (which: Locator): Promise<string[]> =>
      which
        .locator('.label-name')
        .allTextContents()
        .then((labels) => labels.map((each) => each.trim()))
        .catch(() => []);
    for (let look = 0; look < 40; look++) {
      const [labels, [focused]] = [await labelsOf(rows), await labelsOf(rows.and(page.locator('.focused')))];
      if (focused === label) return true;
      // The list moves the focus itself while it is being filled, so check again after each key.
      if (focused !== undefined && labels.includes(label)) await page.keyboard.press('ArrowDown');
      await pause(50);
    }
    return false;
  };
  const answer = async (words: string): Promise<void> => {
    // The palette uses the same input box and closes before this one opens.
    await until('an empty box', async () => (await quickInput.isVisible()) && (await quickInput.inputValue()) === '');
    // After a palette closes, VS Code focuses the active editor 50 ms later. A tab with a session handles that in another
    // process, so it can take the focus from a box that opened meanwhile. The box stays open. Like a click, `fill` focuses it.
    await until(`"${words}" entered`, async () => {
      await quickInput.fill(words);
      return entersInQuickInput(page);
    });
  };
  const focusInComposer = (): Promise<unknown> =>
    until('the composer to have the focus', () =>
      window
        .webview()
        .getByTestId('composer')
        .evaluate((box) => box.ownerDocument.hasFocus() && box.ownerDocument.activeElement === box)
        .catch(() => false),
    );
  const events = (): Event[] => {
    const log = newestLog(window);
    return log === undefined ? [] : eventsIn(log);
  };
  const of = <Type extends EventType>(type: Type): EventOf<Type>[] =>
    events().filter((event): event is EventOf<Type> => event.type === type);
  return {
    window,
    page,
    server,
    command,
    answer,
    events,
    of,
    view: window.webview(),
    model: (...next) => setAnswers(next),
    async task(words) {
      const before = newestLog(window);
      await command('Waymark: Run Agent on Task');
      await answer(words);
      await until('a new log', () => newestLog(window) !== before);
    },
    reaches: (type, count = 1) =>
      until(`event ${type} (${count})`, () => of(type)[count - 1]).catch((error: Error) => {
        throw new Error(`${error.message}\n${JSON.stringify(events().slice(1), null, 1).slice(-3000)}`);
      }),
    file: (name) => {
      const full = path.join(window.workspace, name);
      return fs.existsSync(full) ? fs.readFileSync(full, 'utf8') : undefined;
    },
    finished: () => window.webview().getByTestId('finished').last().waitFor(),
    async inDialog(key) {
      await page.locator('.monaco-dialog-box :focus').waitFor();
      await page.keyboard.press(key);
    },
    async keeps(text) {
      await until(`${text} in what the browser keeps`, async () =>
        (await keptRecords(page)).some((record) => record.includes(text)),
      );
    },
  };
}

/**
 * Presses Enter. Returns false if the key did not reach the palette, list or box on display, because something took the
 * focus in that moment. If it took it before, the key is not pressed: the composer would send what it contains.
 */
export async function entersInQuickInput(page: Page): Promise<boolean> {
  const hasFocus = await page.evaluate(`(() => {
    window.enteredInQuickInput = false;
    window.notesEnter ??= !window.addEventListener('keydown', event => {
      if (event.key === 'Enter' && event.isTrusted) window.enteredInQuickInput = event.target.closest?.('.quick-input-widget') != null;
    }, true);
    return document.activeElement.closest('.quick-input-widget') !== null;
  })()`);
  if (hasFocus !== true) return false;
  await page.keyboard.press('Enter');
  return (await page.evaluate('window.enteredInQuickInput')) === true;
}

/** The records the browser stores for VS Code, including the workspace state. */
async function keptRecords(page: Page): Promise<string[]> {
  const records = await page.evaluate(`(async () => {
    const answer = request => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const records = [];
    for (const { name } of await indexedDB.databases()) {
      const database = await answer(indexedDB.open(name));
      for (const store of database.objectStoreNames) records.push(...await answer(database.transaction(store).objectStore(store).getAll()));
      database.close();
    }
    return records;
  })()`);
  return (records as unknown[]).filter((record) => typeof record === 'string');
}

/** Path of the log of the latest session that this suite began. */
export const newestLog = ({ server, earlierLogs }: Window): string | undefined =>
  logsOf(server)
    .filter((log) => !earlierLogs.has(log))
    .sort((a, b) => fs.statSync(a).birthtimeMs - fs.statSync(b).birthtimeMs)
    .at(-1);
