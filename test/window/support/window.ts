import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { BrowserContext, FrameLocator, Page } from 'playwright-core';
import { launchProfile, slowDown } from '../../../scripts/host/browser.mjs';
import {
  conversation,
  extensionsLoaded,
  openConversation,
  openFolder,
  runAndAnswer,
  runCommand,
} from '../../../scripts/host/drive.mjs';
import { startServer, type Server } from '../../../scripts/host/server.mjs';
import { THEMES, UNRELATED_EXTENSIONS } from '../../../scripts/host/settings.mjs';
import { restoreWindow } from './restoreWindow';

const repository = process.env.REPOSITORY!;
const shots = path.join(repository, 'out/shots');

export type Theme = keyof typeof THEMES;

export interface WindowOptions {
  /** User settings in addition to those that keep a throw-away VS Code quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Folder to open a copy of, relative to the repository. If absent, an empty folder is opened. */
  readonly workspaceCopyOf?: string;
  /** Files to write into the workspace before it opens, by relative path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files of a second workspace folder, "second", opened beside the first. */
  readonly second?: Readonly<Record<string, string>>;
  /** The second folder is a link to a folder elsewhere. */
  readonly isSecondLink?: boolean;
  /** An OpenAI-compatible server that answers as the model. */
  readonly modelServer?: { readonly baseUrl: string };
  /** Keeps workspace trust enabled: the window opens in restricted mode. */
  readonly trust?: boolean;
  readonly theme?: Theme;
  readonly size?: { readonly width: number; readonly height: number };
  /** Additional environment variables, which the extension host inherits. */
  readonly env?: Readonly<Record<string, string>>;
  /** The open folder is the home folder of the user. */
  readonly isHome?: boolean;
  /** Folders of other extensions, relative to the repository and named "publisher.name-version". */
  readonly extensions?: readonly string[];
  /** Starts with all of VS Code's own extensions, such as the language services. */
  readonly allBuiltIn?: boolean;
  /**
   * Suites of a process with the same name here use one window, one after the other. Their options may differ in `files`
   * and `size` only.
   */
  readonly sharedAs?: string;
}

/** A VS Code window on its own server, with the packaged Waymark installed as a user would install it. */
export interface Window {
  readonly page: Page;
  readonly server: Server;
  /** Absolute path of the open folder. */
  readonly workspace: string;
  /** Paths of the logs that earlier suites left in this window. */
  readonly earlierLogs: ReadonlySet<string>;
  /** The frame of the conversation view, once it is shown: `webview().getByTestId('composer')`. */
  webview(): FrameLocator;
  /** The frame of the most recently opened inspector: `inspector().getByTestId('row')`. */
  inspector(): FrameLocator;
  openConversation(): Promise<void>;
  /** Runs a command from the palette by its full title, such as "Waymark: Stop". */
  runCommand(title: string): Promise<void>;
  /**
   * Adds to the user settings or, for Waymark's own settings, to the machine settings, and reloads the window, because
   * this VS Code does not watch these files.
   */
  changeSettings(settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** Whether settings were changed since the start. */
  hasOtherSettings(): boolean;
  setTheme(theme: Theme): Promise<void>;
  /** Drags the side bar to this width. */
  setPanelWidth(pixels: number): Promise<void>;
  reload(): Promise<void>;
  /** Writes out/shots/`name`.png, with animations at their end, and returns its path. */
  screenshot(name: string): Promise<string>;
  close(): Promise<void>;
}

/** Resources that scripts/window-tests.mjs gives to one process that shows windows, and then to the next. */
interface Lane {
  /** Path of the packaged Waymark. */
  readonly vsix: string;
  /** Folder for files that servers reuse from each other. */
  readonly kept: string;
  /** The folder of the browser's profile. */
  readonly profile: string;
  /** Port of every server, so that the browser can reuse VS Code's files and compiled code from its cache. */
  readonly port: number;
}

function lane(): Lane {
  const words = process.env.WAYMARK_LANE;
  if (!words) throw new Error('WAYMARK_LANE is not set. Run the tests through scripts/window-tests.mjs.');
  return JSON.parse(words) as Lane;
}

/** The browser of this process. It shows the windows one after the other. A new one replaces it if it exited. */
let browser: Promise<BrowserContext> | undefined;

after(async () => {
  await closeLeft();
  await (await browser)?.close();
});

async function launched(profile: string): Promise<BrowserContext> {
  const context = await launchProfile(profile, { viewport: { width: 1280, height: 800 } });
  context.once('close', () => (browser = undefined));
  return context;
}

/** A browser without windows. Clears the state of VS Code and its extensions, but not their cached files. */
async function emptyBrowser({ profile, port }: Lane): Promise<BrowserContext> {
  const context = await (browser ??= launched(profile));
  const [first, ...windows] = context.pages();
  for (const page of windows) await page.close();
  // This page stays empty: a browser without pages may exit.
  const session = await context.newCDPSession(first!);
  await session.send('Storage.clearDataForOrigin', {
    origin: `http://127.0.0.1:${port}`,
    storageTypes: 'cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage',
  });
  await session.detach();
  await context.clearPermissions();
  return context;
}

async function startWindow(options: WindowOptions = {}): Promise<Window> {
  await closeLeft();
  const { vsix, kept, port } = lane();
  const context = await emptyBrowser(lane());
  const workspace = makeWorkspace(options);
  const settings: Record<string, unknown> = {
    'workbench.colorTheme': THEMES[options.theme ?? 'dark'].setting,
    // Toasts would cover what a test clicks; tests about toasts turn them on.
    'waymark.notifications.approval': false,
    'waymark.notifications.question': false,
    'waymark.notifications.end': false,
    ...(options.modelServer && {
      'waymark.model.provider': 'openai',
      'waymark.model.baseUrl': options.modelServer.baseUrl,
      'waymark.model.name': 'test-model',
    }),
    ...options.settings,
  };
  const server = await startServer({
    workspace,
    ...(options.second && { workspaceFile: path.join(path.dirname(workspace), 'both.code-workspace') }),
    settings,
    extensions: [...(options.extensions ?? []).map((folder) => path.join(repository, folder)), vsix],
    trust: options.trust ?? false,
    leaveOut: options.allBuiltIn ? [] : UNRELATED_EXTENSIONS,
    env: options.env ?? {},
    ...(options.isHome && { home: workspace }),
    port,
    kept,
  });
  const close = async (): Promise<void> => {
    await emptyBrowser(lane());
    await server.stop();
    fs.rmSync(path.dirname(workspace), { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const page = await context.newPage();
    await slowDown(page);
    if (options.size) await page.setViewportSize(options.size);
    page.setDefaultTimeout(20_000);
    await openFolder(page, server);
    return { ...windowOn(page, server), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function windowOn(page: Page, server: Server): Omit<Window, 'close'> {
  const settingsAre = (): string =>
    ['User', 'Machine']
      .map((name) => fs.readFileSync(path.join(server.userData, name, 'settings.json'), 'utf8'))
      .join('\n');
  const settingsWere = settingsAre();
  const reload = async (): Promise<void> => {
    await page.reload({ timeout: 60_000 });
    await extensionsLoaded(page);
  };
  return {
    page,
    server,
    workspace: server.workspace,
    earlierLogs: new Set(),
    reload,
    webview: () => conversation(page),
    inspector: () =>
      page
        .frameLocator('iframe.webview.ready[src*="extensionId=waymark.waymark"]:not([src*="purpose=webviewView"])')
        .last()
        .frameLocator('iframe#active-frame'),
    async openConversation() {
      await openConversation(page);
      // The first view of a window takes longer than the default action timeout.
      await conversation(page).locator('[data-testid]').first().waitFor({ state: 'attached', timeout: 60_000 });
    },
    runCommand: (title) => runCommand(page, title),
    hasOtherSettings: () => settingsAre() !== settingsWere,
    async changeSettings(changes) {
      for (const name of ['User', 'Machine']) {
        const file = path.join(server.userData, name, 'settings.json');
        const mine = Object.entries(changes).filter(([key]) => key.startsWith('waymark.') === (name === 'Machine'));
        const others = await settingsIn(file);
        fs.writeFileSync(file, JSON.stringify({ ...others, ...Object.fromEntries(mine) }, null, 2));
      }
      await reload();
    },
    async setTheme(theme) {
      const { name, css } = THEMES[theme];
      await runAndAnswer(page, 'Preferences: Color Theme', name);
      await page.locator(`.monaco-workbench.${css}`).waitFor();
    },
    async setPanelWidth(pixels) {
      const bar = page.locator('.part.sidebar');
      const box = await bar.boundingBox();
      if (!box) throw new Error('The side bar is not shown.');
      const [edge, middle] = [box.x + box.width, box.y + box.height / 2];
      await page.mouse.move(edge, middle);
      await page.mouse.down();
      await page.mouse.move(box.x + pixels, middle, { steps: 4 });
      await page.mouse.up();
      await page.mouse.move(box.x + pixels + 200, middle); // Moves off the edge, which is highlighted under the pointer.
    },
    async screenshot(name) {
      fs.mkdirSync(shots, { recursive: true });
      const file = path.join(shots, `${name}.png`);
      await page.screenshot({ path: file, animations: 'disabled' });
      return file;
    },
  };
}

/** VS Code empties a file of settings before it writes it. */
async function settingsIn(file: string): Promise<object> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const text = fs.readFileSync(file, 'utf8');
    if (text !== '' || Date.now() > deadline) return JSON.parse(text) as object;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The window that a suite left to the next one with the same `sharedAs`. */
let left: { readonly name: string; readonly window: Window } | undefined;

async function closeLeft(): Promise<void> {
  const window = left?.window;
  left = undefined;
  await window?.close();
}

/** Returns the window that an earlier suite left for these options, restored. */
async function takeLeft(options: WindowOptions): Promise<Window | undefined> {
  if (left === undefined || left.name !== options.sharedAs) return undefined;
  const { window } = left;
  try {
    await restoreWindow(window, options);
    writeFiles(window.workspace, options.files ?? {});
    left = undefined;
    return { ...window, earlierLogs: new Set(logsOf(window.server)) };
  } catch (error) {
    console.log(`      A new window, because the shared one cannot be restored: ${(error as Error).message}`);
    return undefined;
  }
}

const passedOrSkipped = (suite: Mocha.Suite): boolean => {
  let all = true;
  suite.eachTest((test: Mocha.Test) => (all &&= test.state === 'passed' || test.isPending()));
  return all;
};

/**
 * Provides one window for all tests of the calling suite. At the end it is left to the next suite that shares it if all
 * tests passed and no setting was changed, otherwise closed. Returns a function, because the window only exists once the
 * tests run. A failed test leaves a screenshot.
 */
export function useWindow(options: WindowOptions | (() => WindowOptions | Promise<WindowOptions>) = {}): () => Window {
  let window: Window | undefined;
  let sharedAs: string | undefined;
  before(async function () {
    this.timeout(180_000);
    assert.ok(!this.test?.parent?.root, 'Call it in a suite: other files run in the same process.');
    const wanted = typeof options === 'function' ? await options() : options;
    sharedAs = wanted.sharedAs;
    window = (await takeLeft(wanted)) ?? (await startWindow(wanted));
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed')
      await window
        ?.screenshot(`failed-${this.currentTest.fullTitle().replace(/\W+/g, '-').slice(0, 120)}`)
        .catch(() => undefined);
  });
  after(async function () {
    this.timeout(30_000);
    const isAsStarted = passedOrSkipped(this.test!.parent!) && window?.hasOtherSettings() === false;
    if (window && sharedAs !== undefined && isAsStarted) left = { name: sharedAs, window };
    else await window?.close();
  });
  return () => window!;
}

/** Paths of the logs of all sessions. */
export function logsOf(server: Server): string[] {
  const parent = path.join(server.userData, 'User/globalStorage/waymark.waymark');
  if (!fs.existsSync(parent)) return [];
  return fs
    .readdirSync(parent, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('session.waymark.jsonl'))
    .map((name) => path.join(parent, name));
}

function makeWorkspace({ workspaceCopyOf, files = {}, second, isSecondLink }: WindowOptions): string {
  const parent = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'wm-ws-'));
  const workspace = path.join(parent, workspaceCopyOf ? path.basename(workspaceCopyOf) : 'workspace');
  fs.mkdirSync(workspace);
  if (workspaceCopyOf) fs.cpSync(path.resolve(repository, workspaceCopyOf), workspace, { recursive: true });
  writeFiles(workspace, files);
  if (second) {
    writeFiles(path.join(parent, isSecondLink ? 'target' : 'second'), second);
    if (isSecondLink) fs.symlinkSync('target', path.join(parent, 'second'));
    fs.writeFileSync(
      path.join(parent, 'both.code-workspace'),
      JSON.stringify({ folders: [{ path: path.basename(workspace) }, { path: 'second' }] }),
    );
  }
  return workspace;
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
}
