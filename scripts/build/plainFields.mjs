import fs from 'node:fs';

/** How markdown-it's build sets a field with a simple value: `_defineProperty(this, /** … *\/ "level", 0);` */
const definedField = /_defineProperty\(\s*this,\s*(?:\/\*\*(?:(?!\*\/)[^])*\*\/\s*)?"(\w+)",\s*([^();]*?)\s*\);/g;

/**
 * esbuild plugin: markdown-it sets fields by assignment. Its own build calls a helper for each field of each token,
 * which makes it two to four times slower.
 */
export const plainFields = {
  name: 'plain-fields',
  setup(build) {
    build.onLoad({ filter: /[\\/]markdown-it[\\/]dist[\\/]markdown-it\.mjs$/ }, ({ path: file }) => {
      const source = fs.readFileSync(file, 'utf8');
      const contents = source.replace(definedField, 'this.$1 = $2;');
      if (contents === source)
        throw new Error(`${file} has no fields to rewrite. Remove scripts/build/plainFields.mjs.`);
      return { contents, loader: 'js' };
    });
  },
};
