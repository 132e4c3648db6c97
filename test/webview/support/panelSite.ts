import type { AddressInfo } from 'node:net';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type BuildOptions } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { FromPanel, ToPanel } from '../../../src/protocol/panel/panel';
import { panelPolicy } from '../../../src/extension/common/panelPolicy';
import { asOfNow } from './events';
import { themes, type Theme } from './themes';

const root = process.env.REPOSITORY!;
const load = async (file: string): Promise<Record<string, unknown>> =>
  (await import(pathToFileURL(path.join(root, file)).href)) as Record<string, unknown>;

/**
 * The shipped bundle of the panel under the content security policy of VS Code. Two lists of messages stand in for the
 * host.
 */
export interface PanelSite {
  readonly browser: Browser;
  /** Size of each shipped file, in bytes. */
  readonly sizes: Record<string, number>;
  /** Requests for anything outside the panel. */
  readonly strangers: string[];
  open(options?: {
    view?: 'panel' | 'inspector';
    theme?: Theme;
    width?: number;
    height?: number;
    fontSize?: number;
    reduceMotion?: boolean;
    language?: string;
    strings?: Readonly<Record<string, string>>;
    /** Loads axe with the page: Chromium compiles it only once for all pages of a site. */
    axe?: boolean;
  }): Promise<PanelPage>;
  close(): Promise<void>;
}

export interface PanelPage {
  readonly page: Page;
  /** Policy violations, script errors and console errors. */
  readonly problems: string[];
  send(...messages: ToPanel[]): Promise<void>;
  /** Moves the focus out of the composer, which is focused initially, so that the conversation receives key presses. */
  leaveComposer(): Promise<void>;
  posted(): Promise<FromPanel[]>;
  /** Waits until the buttons of an approval card, which ignore clicks at first, are enabled. */
  answersEnabled(): Promise<void>;
  /** Waits until the feed has stopped moving. */
  rests(): Promise<void>;
  /** Waits until the panel has posted such a message, and returns the first one. */
  reports<Type extends FromPanel['type']>(
    type: Type,
    isWanted: (message: Extract<FromPanel, { type: Type }>) => boolean,
  ): Promise<Extract<FromPanel, { type: Type }>>;
  /** Messages caused by the user, without those the panel sends by itself. */
  chosen(): Promise<FromPanel[]>;
  /** Posted messages of one type. */
  postedOf<Type extends FromPanel['type']>(type: Type): Promise<Extract<FromPanel, { type: Type }>[]>;
  /** Ends the panel. The next one may load its own document in the same tab, which takes half the time of a new tab. */
  close(): Promise<void>;
}

/** A tab of the browser, which shows one panel after another. */
interface Tab {
  readonly page: Page;
  /** Problems of the panel that it shows. */
  problems: string[];
}

/** Messages that the panel posts without user action. */
const ofItself: readonly FromPanel['type'][] = ['ready', 'focused', 'draft', 'preview', 'past_changes'];

/** Styles that VS Code injects into every webview. */
const standing =
  '@layer vscode-default { code { color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px; } pre code { padding: 0; } blockquote { background: var(--vscode-textBlockQuote-background); border-color: var(--vscode-textBlockQuote-border); } }\n';

const harness = `
  window.posted = []; window.cspProblems = [];
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    window.cspProblems.push(violatedDirective + ' ' + blockedURI + ' ' + sample));
  // Kept when the page is loaded again, but not by the next panel in the same tab.
  window.keptAs = 'panel ' + new URLSearchParams(location.search).get('number');
  let kept = JSON.parse(sessionStorage.getItem(window.keptAs) ?? 'null') ?? undefined;
  window.acquireVsCodeApi = () => ({
    postMessage: message => {
      const copy = JSON.parse(JSON.stringify(message));
      window.posted.push(copy);
      window.toHost?.(copy);
    },
    getState: () => kept,
    setState: state => {
      kept = state;
      sessionStorage.setItem(window.keptAs, JSON.stringify(state));
    },
  });
`;

const cached = { 'cache-control': 'max-age=86400' };

/** Translations as the host would send them: those that a test passes, or all of the language. */
function translations(url: URL): string {
  const given = url.searchParams.get('strings') ?? '{}';
  const bundle = path.join(root, `l10n/bundle.l10n.${url.searchParams.get('language')}.json`);
  if (given !== '{}' || !fs.existsSync(bundle)) return given;
  return fs.readFileSync(bundle, 'utf8').replaceAll('<', '\\u003c');
}

/** Files of the panel by address: those that `scripts/unit.mjs` built for the whole test run, or freshly built ones. */
async function panelFiles(): Promise<Map<string, Buffer>> {
  const folder = process.env['WAYMARK_TEST_PANEL'];
  if (folder !== undefined)
    return new Map(fs.readdirSync(folder).map((name) => [`/${name}`, fs.readFileSync(path.join(folder, name))]));
  const { webview } = (await load('esbuild.js')) as { webview: BuildOptions };
  const built = await build({ ...webview, write: false, outdir: path.join(root, 'out/panel-site') });
  return new Map(built.outputFiles.map((file) => [`/${path.basename(file.path)}`, Buffer.from(file.contents)]));
}

/** Shared by all sites of this process, because starting a browser takes longer than most tests. */
let browserOfAll: Promise<Browser> | undefined;

/**
 * All pages share one process and its compiled code, like the views of one window. With a limit, Chromium starts no
 * process for the blank page that each page is at first.
 */
const oneProcess = ['--process-per-site', '--renderer-process-limit=1'];

type BrowserScripts = typeof import('../../../scripts/host/browser.mjs');
const browserScripts = async (): Promise<BrowserScripts> => (await load('scripts/host/browser.mjs')) as BrowserScripts;

async function sharedBrowser(): Promise<Browser> {
  const { launchBrowser } = await browserScripts();
  return (browserOfAll ??= launchBrowser(...oneProcess));
}

/** Closes the shared browser. Tests leave that to the end of their process. */
export async function closeBrowser(): Promise<void> {
  const browser = browserOfAll;
  browserOfAll = undefined;
  await (await browser)?.close();
}

export async function startPanelSite(): Promise<PanelSite> {
  const files = await panelFiles();
  const strangers: string[] = [];

  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const origin = `http://${request.headers.host}`;
    const theme = (url.searchParams.get('theme') ?? 'dark') as Theme;
    const view = url.searchParams.get('view');
    const send = (type: string, body: string | Buffer, headers = {}): void => {
      response.writeHead(200, { 'content-type': type, ...headers });
      response.end(body);
    };
    if (url.pathname === '/') {
      send(
        'text/html',
        `<!DOCTYPE html><html lang="${url.searchParams.get('language')}"><head><meta charset="utf-8"><title>Waymark</title><link rel="stylesheet" href="/${view}.css"><link rel="stylesheet" href="/theme.css?theme=${theme}&size=${url.searchParams.get('size') ?? '13'}"></head><body class="${themes[theme].bodyClass}"><div id="root"></div><script type="application/json" id="strings">${translations(url)}</script><script nonce="panel" src="/harness.js"></script>${url.searchParams.has('axe') ? '<script nonce="panel" src="/axe.js"></script>' : ''}<script nonce="panel" src="/${view}.js"></script></body></html>`,
        { 'content-security-policy': panelPolicy(origin, 'panel') },
      );
    } else if (url.pathname === '/theme.css')
      send(
        'text/css',
        `${standing}html { ${Object.entries({
          ...themes[theme].variables,
          '--vscode-font-size': `${url.searchParams.get('size')}px`,
        })
          .map(([name, value]) => `${name}: ${value};`)
          .join(' ')} }`,
      );
    else if (url.pathname === '/harness.js') send('text/javascript', harness);
    else if (url.pathname === '/axe.js') send('text/javascript', axeSource(), cached);
    else if (files.has(url.pathname))
      send(
        { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' }[path.extname(url.pathname)] ??
          'text/plain',
        files.get(url.pathname)!,
        cached,
      );
    else {
      if (url.pathname !== '/favicon.ico') strangers.push(url.pathname);
      response.writeHead(404);
      response.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await sharedBrowser();
  const context = await browser.newContext();
  // An open page keeps the site's process, with its compiled code, alive.
  await (await context.newPage()).goto(`${origin}/harness.js`);

  let spareTab: Tab | undefined;
  const newTab = async (): Promise<Tab> => {
    const tab: Tab = { page: await context.newPage(), problems: [] };
    await (await browserScripts()).slowDown(tab.page);
    tab.page.on('pageerror', (error) => tab.problems.push(String(error)));
    tab.page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('favicon')) tab.problems.push(message.text());
    });
    tab.page.on('request', (request) => {
      if (!request.url().startsWith(origin)) strangers.push(request.url());
    });
    return tab;
  };
  const takeTab = async (): Promise<Tab> => {
    const spare = spareTab;
    spareTab = undefined;
    return spare && !spare.page.isClosed() ? spare : newTab();
  };
  const giveBack = async (tab: Tab): Promise<void> => {
    if (spareTab || tab.page.isClosed()) return tab.page.close();
    spareTab = tab;
    // Outside, so that the next panel shows nothing as hovered.
    await tab.page.mouse.move(-1, -1);
  };
  let opened = 0;

  return {
    browser,
    strangers,
    sizes: Object.fromEntries([...files].map(([name, content]) => [name.slice(1), content.length])),
    async open({
      view = 'panel',
      theme = 'dark',
      width = 600,
      height = 800,
      fontSize = 13,
      reduceMotion = true,
      language = 'en',
      strings = {},
      axe = false,
    } = {}) {
      const tab = await takeTab();
      const problems: string[] = (tab.problems = []);
      const { page } = tab;
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ reducedMotion: reduceMotion ? 'reduce' : 'no-preference' });
      await page.goto(
        `${origin}/?number=${++opened}&view=${view}&theme=${theme}&size=${fontSize}&language=${language}&strings=${encodeURIComponent(JSON.stringify(strings))}${axe ? '&axe' : ''}`,
      );
      await page.evaluate('document.fonts.load("16px codicon")');
      const posted = (): Promise<FromPanel[]> => page.evaluate('window.posted');
      const drawn = (): Promise<unknown> =>
        page.evaluate(
          'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30))))',
        );
      return {
        page,
        problems,
        posted,
        chosen: async () => (await posted()).filter(({ type }) => !ofItself.includes(type)),
        async send(...messages) {
          for (const message of messages)
            await page.evaluate(`window.postMessage(${JSON.stringify(asOfNow(message))}, '*')`);
          await drawn();
        },
        async answersEnabled() {
          await page.locator('.decision [aria-disabled=false]').first().waitFor({ state: 'attached' });
        },
        async leaveComposer() {
          await page.evaluate('document.activeElement.blur()');
        },
        async postedOf(type) {
          return (await posted()).filter((message): message is never => message.type === type);
        },
        async rests() {
          const place = (): Promise<string> =>
            page.evaluate(
              'JSON.stringify([...document.querySelectorAll(".feed article")].map((row) => row.getBoundingClientRect()))',
            );
          // Rows that come into view are measured a moment later, which moves others once more.
          for (let before = '', unchanged = 0; unchanged < 4; await drawn()) {
            const now = await place();
            unchanged = now === before ? unchanged + 1 : 0;
            before = now;
          }
        },
        async reports(type, isWanted) {
          for (const end = Date.now() + 20_000; ; await page.waitForTimeout(10)) {
            const sent = (await posted()).filter((message): message is never => message.type === type);
            const found = sent.find(isWanted);
            if (found !== undefined) return found;
            if (Date.now() > end) throw new Error(`The panel has not posted it: ${JSON.stringify(sent).slice(-2000)}`);
          }
        },
        close: () => giveBack(tab),
      };
    },
    async close() {
      await context.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const axeSource = (): string => fs.readFileSync(path.join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

interface AxeViolation {
  readonly id: string;
  readonly nodes: { html: string; failureSummary?: string }[];
}

/** Returns axe violations. The landmark rule is off, because webview pages have no landmarks. */
export async function axeViolations(page: Page): Promise<AxeViolation[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeSource());
  // Passing nodes are not reported, because describing each one takes most of the time.
  const options = { rules: { region: { enabled: false } }, resultTypes: ['violations'] };
  return (
    (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as {
      violations: AxeViolation[];
    }
  ).violations;
}
