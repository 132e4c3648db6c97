// Builds the documentation site into out/docs; fails if a link is dead or a page was not rendered.
//   node scripts/build/docs.mjs
import fs from 'node:fs';
import { build, resolveConfig } from 'vitepress';
import { at } from '../repository.mjs';

await build(at('docs'));
const { pages, rewrites, srcDir } = await resolveConfig(at('docs'), 'build');
const unrendered = pages.filter((page) => {
  const [, heading] = /^# (.+)$/m.exec(fs.readFileSync(`${srcDir}/${page}`, 'utf8')) ?? [];
  const address = rewrites.map[page] ?? page;
  const rendered = at('out/docs', address.replace(/\.md$/, '.html'));
  return !heading || !fs.existsSync(rendered) || !fs.readFileSync(rendered, 'utf8').includes('<h1 ');
});
// The builder only prints a page that cannot be rendered, and continues.
if (unrendered.length > 0) {
  console.error(`These pages were not rendered: ${unrendered.join(', ')}.`);
  process.exitCode = 1;
}
console.log(`${pages.length} pages`);
