import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { skillLocations } from '../../src/core/skills/locations';

const root = process.env.REPOSITORY!;
const read = (name: string): string => fs.readFileSync(path.join(root, name), 'utf8');
const filesIn = (folder: string, ending: RegExp): string[] =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => `${folder}/${name}`);

/** Returns the prose of a page: without code, and without the quoted names of tests. */
const prose = (page: string): string =>
  read(page)
    .replace(/^( *)```[\s\S]*?^\1```$/gm, '')
    .replace(/`[^`\n]*`/g, '')
    .replace(/“[^”\n]*”/g, '');

/** Returns the pieces of text in a source file that contain a space: names and ids have none. */
function sentences(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isText && node.text.trim().includes(' ')) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest));
  return found;
}

describe('the words that people see', () => {
  it('call an approval by one name', () => {
    const pages = ['README.md', 'SECURITY.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...filesIn('docs', /\.md$/)];
    const texts = [
      ...pages.map((page) => [page, prose(page)]),
      ...Object.entries(JSON.parse(read('package.nls.json')) as Record<string, string>),
      ...['src', 'webview-ui'].flatMap((folder) =>
        filesIn(folder, /\.tsx?$/).flatMap((file) => sentences(file).map((text) => [file, text])),
      ),
    ];
    assert.ok(texts.length > 4000);
    const other = /(?<![\w-])consent(?:s|ed)?\b/i;
    const found = texts.flatMap(([where, text = '']) => {
      const at = other.exec(text)?.index;
      return at === undefined ? [] : [`${where}: ${text.slice(Math.max(0, at - 40), at + 40)}`];
    });
    assert.deepEqual(found, [], 'say approval, approve and approved');
  });

  it('of the empty Skills view name every place of skills, in each language', () => {
    const places = skillLocations.flatMap(({ where }) =>
      where.split(', ').map((file) => file.replace(/^~\//, '').split('/')[0]!),
    );
    assert.ok(places.includes('.cursor') && places.includes('GEMINI.md'));
    for (const manifest of fs.readdirSync(root).filter((name) => /^package\.nls(?:\.[\w-]+)?\.json$/.test(name))) {
      const { 'welcome.skills': words = '' } = JSON.parse(read(manifest)) as Record<string, string>;
      const isNamed = (place: string): boolean =>
        [place, place.replace(/^\.|rules$|\.md$/g, '')].some((name) =>
          words.toLowerCase().includes(name.toLowerCase()),
        );
      assert.deepEqual(
        places.filter((place) => !isNamed(place)),
        [],
        manifest,
      );
    }
  });
});
