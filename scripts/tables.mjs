// Writes the tables of SECURITY.md and of the pages in docs/ from the manifest and the sources they describe.
//   node scripts/tables.mjs          writes them
//   node scripts/tables.mjs --check  exits 1 if a table is out of date
import * as esbuild from 'esbuild';
import fs from 'node:fs';
import { at } from './repository.mjs';
import { permissionSources, permissionTables } from './tables/permissions.mjs';
import { floorDrawings } from './tables/floors.mjs';
import { providerSources, providerTable } from './tables/providers.mjs';

const manifest = JSON.parse(fs.readFileSync(at('package.json'), 'utf8'));
const words = JSON.parse(fs.readFileSync(at('package.nls.json'), 'utf8'));
const say = (text) => text.replace(/^%(.+)%$/, (_all, key) => words[key] ?? text);
const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

const { commands, configuration, keybindings } = manifest.contributes;
/** Replaces links of the settings editor to a page by links of a page in docs/reference, and those to a setting by its name. */
const linkedPages = (text) =>
  text.replace(/\(command:waymark\.openDocs\?%22([\w/.-]+)%22\)/g, '(../$1)').replace(/`#(waymark\.[\w.]+)#`/g, '`$1`');
/** True for a variant of another command for a side bar button. */
const isForOneButton = (command) => command.startsWith('waymark.sidebar.');
const settings = configuration.flatMap(({ properties }) => Object.entries(properties));

/** Lists from code, not from the manifest. */
const {
  outputFiles: [{ text: code }],
} = await esbuild.build({
  stdin: {
    contents: `export { profiles } from './src/core/profiles/profiles'; export { knownToolsets } from './src/core/tools/toolsets'; export { skillLocations } from './src/core/skills/locations'; export { settingFlags } from './src/core/settings/flags'; export { exitCodes } from './src/cli/output/exitCodes'; export { eventWords } from './src/protocol/events/eventWords';${permissionSources}${providerSources}`,
    resolveDir: at('.'),
  },
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  logLevel: 'error',
  tsconfig: at('tsconfig.json'),
});
const found = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
const { profiles, knownToolsets, skillLocations, eventWords, settingFlags, exitCodes } = found;
const flagsOf = (key) => settingFlags.filter((flag) => flag.key === key).map((flag) => flag.name);
const knownCodes = [...new Set(Object.values(exitCodes).flatMap(Object.keys))].sort((a, b) => a - b);
const limits = ({ steps, cost, seconds }) =>
  [steps && `${steps} steps`, cost && `$${cost}`, seconds && `${seconds} s`].filter(Boolean).join(', ') || 'none';
const formats = {
  tool_calls: () => 'tool calls',
  fenced: ({ label }) => `a block marked \`${label}\``,
  tagged: ({ tag }) => `\`<${tag}>\``,
  workgraph: ({ syntax }) => `structured ${syntax.toUpperCase()}`,
};
const reads = { rules: 'rules', instructions: 'instructions', skill: 'an Agent Skill', persona: 'a persona' };
const effects = {
  reads: 'reads',
  writes: 'changes files',
  executes: 'runs commands',
  delegates: 'starts subsessions',
  notes: 'takes notes',
  asks: 'asks you',
  ends: 'ends the task',
};
const besides = { above: 'parent folders, up to the top of the repository', home: 'home folder' };

/** Toolsets with Waymark's own tools; the others contain those of other agents. */
const ownToolsets = knownToolsets.filter(({ name }) => ['default', 'notebook', 'editor', 'web'].includes(name));

const whatItNeeds = { code: 'only in VS Code', web: 'asks for each site; only in trusted folders' };

function toolCells({ name, description, parameters, effect, needs }) {
  const { properties, required = [] } = parameters;
  const named = Object.keys(properties).map((each) => `\`${each}\`${required.includes(each) ? '' : '?'}`);
  const doing = [effects[effect], ...(needs === undefined ? [] : [whatItNeeds[needs]])].join('; ');
  return [`\`${name}\``, named.join(', '), description.trim(), doing];
}

export const tables = {
  ...floorDrawings(),
  ...(await permissionTables(
    found,
    knownToolsets.flatMap(({ tools }) => tools),
    table,
  )),
  providers: providerTable(found, table),
  profiles: table(
    ['Profile', 'How it works', 'Actions written as', 'Toolset', 'Limits'],
    profiles.map(({ name, description, format, toolsets, limits: most }) => [
      `\`${name}\``,
      description,
      formats[format.kind]?.(format) ?? `\`${format.kind}\``,
      toolsets.map((each) => `\`${each}\``).join(' '),
      limits(most),
    ]),
  ),
  toolsets: table(
    ['Toolset', 'Purpose', 'Tools'],
    knownToolsets.map(({ name, description, tools, includes = [] }) => [
      `\`${name}\``,
      description,
      [...tools.map((tool) => `\`${tool.name}\``), ...includes.map((other) => `all of \`${other}\``)].join(' '),
    ]),
  ),
  ownTools: table(
    ['Tool', 'Arguments', 'Description for the model', 'What it does', 'Toolset'],
    ownToolsets.flatMap(({ name: toolset, tools }) => tools.map((tool) => [...toolCells(tool), `\`${toolset}\``])),
  ),
  skills: table(
    ['#', 'File', 'Kind', 'Also searched'],
    skillLocations.map(({ where, reads: kind, family, also = [] }, index) => [
      index + 1,
      where
        .split(', ')
        .map((each) => `\`${each}\``)
        .join(', '),
      `${reads[kind]}${family ? ` for ${family[0]} models; for all models if there is no AGENTS.md beside it` : ''}`,
      also.map((root) => besides[root]).join('; '),
    ]),
  ),
  events: table(
    ['Type', 'Meaning'],
    Object.entries(eventWords).map(([type, words]) => [`\`${type}\``, words]),
  ),
  exitCodes: table(
    ['Command', ...knownCodes],
    Object.entries(exitCodes).map(([name, meanings]) => [
      `\`${name}\``,
      ...knownCodes.map((code) => meanings[code] ?? ''),
    ]),
  ),
  settings: table(
    ['Setting', 'Flag', 'Default', 'Scope', 'What it does'],
    settings.map(([name, { default: value, scope, markdownDescription, enum: values }]) => [
      `\`${name}\``,
      flagsOf(name.replace(/^waymark\./, ''))
        .map((flag) => `\`${flag}\``)
        .join(' ') || 'none',
      `\`${JSON.stringify(value)}\``,
      scope,
      `${linkedPages(say(markdownDescription))}${values ? ` One of ${values.map((each) => `\`${each || '""'}\``).join(', ')}.` : ''}`,
    ]),
  ),
  commands: table(
    ['Command', 'Id', 'Key'],
    commands
      .filter(({ command }) => !isForOneButton(command))
      .map(({ command, title, category }) => [
        `${category}: ${say(title)}`,
        `\`${command}\``,
        keybindings
          .filter((binding) => binding.command === command)
          .map(({ key }) => `\`${key}\``)
          .join(' '),
      ]),
  ),
};

const pages = fs.readdirSync(at('docs'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
const FILES = ['SECURITY.md', ...pages.map((name) => `docs/${name}`)];
const filled = (text) =>
  text.replace(
    /(<!-- table:(\w+) -->\n)[\s\S]*?(<!-- \/table -->)/g,
    (_all, open, name, close) => `${open}\n${tables[name]}\n\n${close}`,
  );

const nowhere = Object.keys(tables).filter(
  (name) => !FILES.some((file) => fs.readFileSync(at(file), 'utf8').includes(`<!-- table:${name} -->`)),
);
for (const name of nowhere) console.error(`No page contains the table "${name}".`);

let wrong = nowhere.length;
for (const name of FILES) {
  const text = fs.readFileSync(at(name), 'utf8');
  if (text === filled(text)) continue;
  wrong++;
  if (process.argv.includes('--check')) console.error(`${name}: a table is out of date. Run node scripts/tables.mjs.`);
  else fs.writeFileSync(at(name), filled(text));
}
process.exitCode = process.argv.includes('--check') && wrong > 0 ? 1 : 0;
