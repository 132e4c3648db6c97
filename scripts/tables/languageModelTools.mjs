// Writes `contributes.languageModelTools` of package.json: the read-only tools that Waymark offers to other agents in
// VS Code. Descriptions and schemas are those of the code.
//   node scripts/tables/languageModelTools.mjs          writes them
//   node scripts/tables/languageModelTools.mjs --check  exits 1 if the manifest differs from the code
import * as esbuild from 'esbuild';
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { at } from '../repository.mjs';

const icons = { read_file: '$(file)', list_files: '$(list-tree)', search_text: '$(search)' };

/** Returns the entries as they should be. */
export async function languageModelTools() {
  const {
    outputFiles: [{ text }],
  } = await esbuild.build({
    stdin: { contents: "export { knownTool } from './src/core/tools/toolsets';", resolveDir: at('.') },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    tsconfig: at('tsconfig.json'),
  });
  const { knownTool } = await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
  return Object.entries(icons).map(([name, icon]) => {
    const { description, parameters, effect } = knownTool(name);
    if (effect !== 'reads') throw new Error(`${name} does not only look, so it is not offered to others.`);
    return {
      name: `waymark_${name}`,
      displayName: `%tool.${name}%`,
      userDescription: `%tool.${name}.description%`,
      icon,
      canBeReferencedInPrompt: true,
      toolReferenceName: `waymark_${name}`,
      tags: ['workspace'],
      modelDescription: `${description} Paths are relative to the workspace folder. Files that .agentignore lists or that usually contain secrets are not shown.`,
      inputSchema: parameters,
    };
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const file = at('package.json');
  const before = fs.readFileSync(file, 'utf8');
  const manifest = JSON.parse(before);
  const { languageModelTools: _old, ...rest } = manifest.contributes;
  const after = `${JSON.stringify({ ...manifest, contributes: { ...rest, languageModelTools: await languageModelTools() } }, null, 2)}\n`;
  if (!process.argv.includes('--check')) fs.writeFileSync(file, after);
  else if (JSON.stringify(JSON.parse(after)) !== JSON.stringify(manifest)) {
    console.error(
      'package.json: the language model tools are out of date. Run node scripts/tables/languageModelTools.mjs.',
    );
    process.exitCode = 1;
  }
}
