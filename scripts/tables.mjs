// Writes the tables of README.md and SECURITY.md from the manifest and the sources they describe.
//   node scripts/tables.mjs          writes them
//   node scripts/tables.mjs --check  exits 1 where a table does not tell the truth
import fs from 'node:fs';
import { at } from './repository.mjs';

const manifest = JSON.parse(fs.readFileSync(at('package.json'), 'utf8'));
const words = JSON.parse(fs.readFileSync(at('package.nls.json'), 'utf8'));
const say = text => text.replace(/^%(.+)%$/, (_all, key) => words[key] ?? text);
const cell = text => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
const table = (head, rows) => [head, head.map(() => '---'), ...rows].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n');

const { commands, configuration, keybindings } = manifest.contributes;
const settings = Object.entries(configuration.properties).sort(([, a], [, b]) => a.order - b.order);

export const tables = {
  settings: table(['Setting', 'Default', 'Scope', 'What it does'], settings.map(([name, { default: value, scope, markdownDescription, enum: values }]) =>
    [`\`${name}\``, `\`${JSON.stringify(value)}\``, scope, `${say(markdownDescription)}${values ? ` One of ${values.map(each => `\`${each}\``).join(', ')}.` : ''}`])),
  commands: table(['Command', 'Id', 'Key'], commands.map(({ command, title, category }) =>
    [`${category}: ${say(title)}`, `\`${command}\``, keybindings.filter(binding => binding.command === command).map(({ key }) => `\`${key}\``).join(' ')])),
};

const FILES = ['README.md'];
const filled = text => text.replace(/(<!-- table:(\w+) -->\n)[\s\S]*?(<!-- \/table -->)/g, (_all, open, name, close) => `${open}\n${tables[name]}\n\n${close}`);

let wrong = 0;
for (const name of FILES) {
  const text = fs.readFileSync(at(name), 'utf8');
  if (text === filled(text)) continue;
  wrong++;
  if (process.argv.includes('--check')) console.error(`${name}: a table is out of date. Run node scripts/tables.mjs.`);
  else fs.writeFileSync(at(name), filled(text));
}
process.exitCode = process.argv.includes('--check') && wrong > 0 ? 1 : 0;
