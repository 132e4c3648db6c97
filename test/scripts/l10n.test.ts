import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { english } from '../../webview-ui/base/english';
import { bundleText, fixedParts, languagesOf, translationsOf } from '../../scripts/l10n.mjs';

describe('the file for translators', () => {
  it('contains every text of the extension and the panel (update it with `node scripts/l10n.mjs`)', () => {
    const text = bundleText(process.env.REPOSITORY!);
    assert.ok(text.includes('"Run in sandbox"') && text.includes('"Run Agent on Task"'));
    assert.equal(fs.readFileSync(path.join(process.env.REPOSITORY!, 'l10n/bundle.l10n.json'), 'utf8'), text);
  });
});

describe('the English texts', () => {
  it('have curly apostrophes, except titles of commands, which are typed', () => {
    const [texts, manifest] = translationsOf(process.env.REPOSITORY!, 'de');
    const all = [
      ...Object.keys(texts!.english),
      ...Object.entries(manifest!.english).flatMap(([key, text]) => (key.startsWith('command.') ? [] : [text])),
    ];
    assert.deepEqual(
      all.filter((text) => /[A-Za-z]'[a-z]\b/.test(text)),
      [],
    );
  });
});

describe('the texts of the panel', () => {
  it('are all used, by their name or through a template', () => {
    const folder = path.join(process.env.REPOSITORY!, 'webview-ui');
    const sources = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && path.basename(name) !== 'english.ts')
      .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'))
      .join('\n');
    const named = new Set([...sources.matchAll(/["']([\w.]+)["']/g)].map(([, name]) => name));
    const templates = [...sources.matchAll(/`([\w.]+\.)\$\{/g)].map(([, start]) => start!);
    // A counted text has one form for one and one for more.
    const isUsed = (key: string): boolean =>
      named.has(key) ||
      named.has(key.replace(/\.(one|other)$/, '')) ||
      templates.some((start) => key.startsWith(start));
    assert.deepEqual(
      Object.keys(english).filter((key) => !isUsed(key)),
      [],
    );
  });
});

describe('translations', () => {
  const root = process.env.REPOSITORY!;

  it('exist in six languages besides English', () =>
    assert.deepEqual(languagesOf(root), ['de', 'es', 'fr', 'ja', 'pt-br', 'zh-cn']));

  for (const language of languagesOf(root)) {
    for (const { file, english, translated } of translationsOf(root, language)) {
      it(`have exactly the texts of ${file}`, () => {
        assert.deepEqual(Object.keys(translated).sort(), Object.keys(english).sort());
        const empty = Object.keys(translated).filter((key) => !translated[key]?.trim());
        assert.deepEqual(empty, []);
      });
      it(`keep placeholders, code and URLs in ${file}`, () => {
        for (const [key, text] of Object.entries(english))
          assert.deepEqual(fixedParts(translated[key]!), fixedParts(text), key);
      });
    }
  }

  it('name a command by its translated title', () => {
    for (const language of languagesOf(root)) {
      const [texts, titles] = translationsOf(root, language);
      for (const [key, title] of Object.entries(titles!.english)) {
        if (!key.startsWith('command.')) continue;
        for (const [text, translation] of Object.entries(texts!.translated)) {
          const isNamed = text.includes(`"${title}"`) || text.includes(`“Waymark: ${title}”`);
          if (isNamed) assert.ok(translation.includes(titles!.translated[key]!), `${language}: ${translation}`);
        }
      }
    }
  });
});
