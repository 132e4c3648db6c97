import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { isCountable } from '../../src/core/model/prices';

const root = process.env.REPOSITORY!;
const read = (name: string): string => fs.readFileSync(path.join(root, name), 'utf8');

const docs = fs
  .readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const pages = ['README.md', 'SECURITY.md', 'AGENTS.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...docs];
/** The pages for users of Waymark. */
const guides = ['README.md', 'docs/README.md', ...docs.filter((page) => page.startsWith('docs/use/'))];

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly title: string; readonly category: string }[];
    readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
  };
}
const manifest = JSON.parse(read('package.json')) as Manifest;
const strings = JSON.parse(read('package.nls.json')) as Record<string, string>;

/** Returns the anchors that GitHub creates for the headings of a page. */
function anchorsOf(page: string): string[] {
  const headings = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Returns the text of a page without its generated tables. */
const written = (page: string): string => read(page).replace(/<!-- table:\w+ -->[\s\S]*?<!-- \/table -->/g, '');

describe('the documentation pages', () => {
  it('link to existing files and headings', () => {
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target]) => ({ page, target: target! })),
    );
    assert.ok(links.length > 100);
    const isDead = ({ page, target }: { page: string; target: string }): boolean => {
      const [file = '', anchor] = target.split('#');
      const linked = file === '' ? page : path.join(path.dirname(page), file);
      if (!fs.existsSync(path.join(root, linked))) return true;
      return anchor !== undefined && linked.endsWith('.md') && !anchorsOf(linked).includes(anchor);
    };
    assert.deepEqual(links.filter(isDead), []);
  });

  it('are all linked from the list of pages', () => {
    const list = read('docs/README.md');
    const unlisted = docs.filter(
      (page) => /^docs\/(?:use|reference|extend)\//.test(page) && !list.includes(page.slice(5)),
    );
    assert.deepEqual(unlisted, []);
  });

  it('begin with a README of at most 90 lines', () => {
    assert.ok(read('README.md').split('\n').length <= 90);
  });

  it('name commands that are in the Command Palette', () => {
    const titles = manifest.contributes.commands.map(({ title, category }) => {
      const words = title.replace(/^%(.+)%$/, (_all, key: string) => strings[key] ?? '');
      return `${category}: ${words}`;
    });
    const named = guides.flatMap((page) =>
      [...written(page).matchAll(/\*\*(Waymark: [^*]+)\*\*/g)].map(([, title]) => title!),
    );
    assert.ok(named.length > 20);
    assert.deepEqual(
      named.map((title) => title.replace(/\s+/g, ' ')).filter((title) => !titles.includes(title)),
      [],
    );
  });

  it('exist where the extension links to them, and are packaged', () => {
    const sources = fs
      .readdirSync(path.join(root, 'src/extension'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => read(`src/extension/${name}`));
    const texts = [read('package.nls.json'), ...sources].join('\n');
    const linked = [...texts.matchAll(/waymark\.openDocs(?:\?%22|', ')([^'%]+)/g)].map(([, page]) => page!);
    assert.ok(linked.length > 10, linked.join(', '));
    assert.deepEqual(
      linked.filter((page) => !docs.includes(`docs/${page}`)),
      [],
    );
    const shipped = read('.vscodeignore').split('\n');
    assert.ok(shipped.includes('!docs/**'));
    const besides = [...read('docs/README.md').matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, page]) => page!);
    assert.deepEqual(
      besides.filter((page) => !shipped.includes(`!${page}`)),
      [],
    );
  });

  it('are linked from every step of the walkthrough', () => {
    const steps = Object.entries(strings).filter(([key]) => /^walkthrough\.\w+\.description$/.test(key));
    assert.ok(steps.length >= 4);
    assert.deepEqual(
      steps.filter(([, words]) => !words.includes('(command:waymark.openDocs?')).map(([key]) => key),
      [],
    );
  });

  it('name settings that exist', () => {
    const settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
    const named = guides.flatMap((page) =>
      [...written(page).matchAll(/`(waymark\.[\w.]+)`/g)].map(([, name]) => name!),
    );
    assert.ok(named.length > 5);
    assert.deepEqual(
      named.filter((name) => !settings.includes(name)),
      [],
    );
  });

  it('contain no markup of the settings editor and no empty code', () => {
    const odd = docs.flatMap((page) =>
      (read(page).match(/#waymark\.[\w.]+#|(?<!`)``(?!`)[,.]/g) ?? []).map((text) => `${page}: ${text}`),
    );
    assert.deepEqual(odd, []);
  });

  it('name models with a known price in commands with a cost limit, which would not start otherwise', () => {
    const limited = guides.flatMap(
      (page) => read(page).match(/^ {4}.*--(?:batch-)?max-cost .*\n(?:^ {6,}.*\n)*/gm) ?? [],
    );
    const names = limited.map((lines) => /(?:--model |WAYMARK_MODEL: )(\S+)/.exec(lines)?.[1] ?? lines);
    assert.ok(names.length > 1, names.join(', '));
    assert.deepEqual(
      names.filter((name) => !isCountable({ name })),
      [],
    );
  });

  it('name flags that the command line accepts', function () {
    this.timeout(120_000);
    const help = (...args: string[]): string =>
      spawnSync(process.execPath, [path.join(root, 'dist/cli.js'), ...args, '--help'], { encoding: 'utf8' }).stdout;
    const commands = [...help().matchAll(/^ {2}([a-z][a-z-]*)\b/gm)].map(([, name]) => name!);
    assert.ok(commands.includes('run') && commands.includes('undo'));
    const known = new Set(commands.flatMap((command) => help(command).match(/--[a-z][\w-]*/g) ?? []));
    // Flags of other programs on these pages, and spellings of another agent.
    const others = new Set(['--run', '--check', '--max_turns', '--global']);
    const unknown = guides.flatMap((page) =>
      [...new Set(written(page).match(/(?<![\w-])--[a-z][\w-]*/g) ?? [])]
        .filter((flag) => !known.has(flag) && !others.has(flag))
        .map((flag) => `${page}: ${flag}`),
    );
    assert.deepEqual(unknown, []);
  });
});
