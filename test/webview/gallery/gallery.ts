import fs from 'node:fs';
import path from 'node:path';
import { axeViolations, closeBrowser, startPanelSite } from '../support/panelSite';
import { themes, type Theme } from '../support/themes';
import { drawInspector } from './inspectorScenes';
import { play } from './play';
import { scenes } from './scenes';

/**
 * Draws every scene in every theme at two widths and checks each with axe and the content security policy. Returns the
 * findings.
 * `language`: a language of `l10n/` for the panel.
 */
export async function drawGallery(
  folder: string,
  { only = '', theme = '', axe = true, language = 'en' } = {},
): Promise<string[]> {
  fs.mkdirSync(folder, { recursive: true });
  const site = await startPanelSite();
  const found: string[] = [];
  try {
    for (const [name, scene] of Object.entries(scenes)) {
      if (!name.includes(only)) continue;
      for (const look of Object.keys(themes) as Theme[]) {
        if (theme && look !== theme) continue;
        for (const width of [280, 600]) {
          const where = `${name} ${look} ${width} ${language}`;
          const panel = await site.open({ theme: look, width, height: 760, language });
          await play(panel, scene);
          await panel.page.screenshot({
            path: path.join(folder, `${name}-${look}-${width}${language === 'en' ? '' : `-${language}`}.png`),
          });
          const sideways = (await panel.page.evaluate(
            '[...document.querySelectorAll("html, body, .feed, .header, .composer, .card")].filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.className || one.tagName)',
          )) as string[];
          if (sideways.length) found.push(`${where}: scrolls sideways: ${[...new Set(sideways)].join(', ')}`);
          if (axe)
            for (const violation of await axeViolations(panel.page))
              found.push(
                `${where}: ${violation.id}: ${violation.nodes
                  .map((node) => `${node.html.slice(0, 160)} ${node.failureSummary?.split('\n')[1] ?? ''}`)
                  .slice(0, 2)
                  .join(' | ')}`,
              );
          found.push(
            ...panel.problems.map((problem) => `${where}: ${problem}`),
            ...((await panel.page.evaluate('window.cspProblems')) as string[]).map(
              (problem) => `${where}: policy: ${problem}`,
            ),
          );
          await panel.close();
        }
      }
    }
    found.push(...(await drawInspector(site, folder, { only, theme, axe })));
    found.push(...site.strangers.map((url) => `request: ${url}`));
  } finally {
    await site.close();
    await closeBrowser();
  }
  return found;
}
