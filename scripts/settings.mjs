// Writes the settings in package.json and package.nls.json from the table in src/core/settings.
//   node scripts/settings.mjs          writes them, and the tables of README.md
//   node scripts/settings.mjs --check  exits 1 if they differ from the table
import * as esbuild from 'esbuild';
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { at } from './repository.mjs';

const contents = `
export { settingsManifest } from './src/core/settings/manifest';
export { profiles } from './src/core/profiles/profiles';
export { providers } from './src/core/model/providers/providers';
`;

/** Returns `package.json` and `package.nls.json` as they should be, given the current ones. */
async function withSettings(manifest, strings) {
  const {
    outputFiles: [{ text }],
  } = await esbuild.build({
    stdin: { contents, resolveDir: at('.') },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    tsconfig: at('tsconfig.json'),
  });
  const { settingsManifest, profiles, providers } = await import(
    `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`
  );
  const made = settingsManifest({
    profiles: profiles.map(({ name, description }) => ({ name, words: description })),
    providers: providers.map(({ id, name }) => ({ name: id, words: name, isName: true })),
  });
  const others = Object.entries(strings).filter(([name]) => !/^settings?\./.test(name));
  const { untrustedWorkspaces } = manifest.capabilities;
  return {
    manifest: {
      ...manifest,
      capabilities: {
        ...manifest.capabilities,
        untrustedWorkspaces: { ...untrustedWorkspaces, restrictedConfigurations: made.restrictedConfigurations },
      },
      contributes: { ...manifest.contributes, configuration: made.configuration },
    },
    strings: { ...Object.fromEntries(others), ...made.strings },
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const isCheck = process.argv.includes('--check');
  const read = (name) => JSON.parse(fs.readFileSync(at(name), 'utf8'));
  const before = { 'package.json': read('package.json'), 'package.nls.json': read('package.nls.json') };
  const made = await withSettings(before['package.json'], before['package.nls.json']);
  const after = { 'package.json': made.manifest, 'package.nls.json': made.strings };
  for (const [name, content] of Object.entries(after)) {
    const isRight = JSON.stringify(content) === JSON.stringify(before[name]);
    if (isRight) continue;
    if (!isCheck) fs.writeFileSync(at(name), `${JSON.stringify(content, null, 2)}\n`);
    else {
      console.error(`${name}: the settings are not those of src/core/settings. Run node scripts/settings.mjs.`);
      process.exitCode = 1;
    }
  }
}
