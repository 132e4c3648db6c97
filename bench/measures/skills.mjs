// @ts-check
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { median } from '../statistics.mjs';
import { bundled } from '../../scripts/build/bundled.mjs';

/** Modules under test. */
const load = () =>
  bundled({
    'src/adapters/skills/skillFiles': ['SkillFiles'],
    'src/core/skills/skillsPrompt': ['skillsPrompt'],
  });

const all = 20_000;
const skills = 1_000;

/**
 * Measures finding 1,000 skills among 20,000 files, and what 100 skills add to the prompt. Each attempt is the first
 * call of a new process, but with a warm disk cache.
 */
export async function measureSkills({ quick }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-bench-skills-'));
  try {
    const repository = plant(path.join(folder, 'repository'));
    const { SkillFiles, skillsPrompt } = await load();
    const places = { folders: [repository], home: path.join(folder, 'home') };
    const first = /** @type {number[]} */ ([]);
    const changed = /** @type {number[]} */ ([]);
    let used;
    for (let round = 0; round < (quick ? 3 : 7); round++) {
      const files = new SkillFiles(places);
      const began = performance.now();
      used = await files.listUsed('');
      first.push(performance.now() - began);
      fs.appendFileSync(path.join(repository, '.agent/skills/skill-1/SKILL.md'), 'One more line.\n');
      const again = performance.now();
      files.changed();
      await files.listUsed('');
      changed.push(performance.now() - again);
    }
    if (used.length !== skills) throw new Error(`${used.length} of ${skills} skills were found.`);
    const hundred = used.filter(({ kind }) => kind === 'skill').slice(0, 100);
    const prompt = (count) => skillsPrompt(hundred.slice(0, count), { useSkill: true, delegate: false });
    const bytes = Buffer.byteLength(prompt(100));
    return [
      { measure: 'Find 1,000 skills among 20,000 files (median)', unit: 'ms', aim: 300, value: median(first) },
      { measure: 'Find them again after one changed (median)', unit: 'ms', value: median(changed) },
      { measure: 'Prompt for 100 skills', unit: 'bytes', value: bytes },
      { measure: 'Prompt per skill, at 4 bytes per token', unit: 'tokens', aim: 60, value: bytes / 100 / 4 },
    ];
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Creates a repository of 20,000 files: skills in several places, and sources around them. Descriptions are as long as
 * those of published skills.
 */
function plant(repository) {
  const put = (file, text) => {
    const place = path.join(repository, file);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.writeFileSync(place, text);
  };
  for (let index = 0; index < skills; index++) {
    const name = `skill-${index}`;
    const description = `Extract text and tables from documents of kind ${index}, fill in forms and merge files. Use when the person works with such documents or speaks of them.`;
    if (index % 4 === 3)
      put(
        `packages/p${index % 200}/${name}.agent.md`,
        `---\nname: ${name}\ndescription: ${description}\ntriggers: [word${index}]\n---\n${body(index)}`,
      );
    else
      put(
        `${index % 4 === 0 ? '.agents' : '.agent'}/skills/${name}/SKILL.md`,
        `---\nname: ${name}\ndescription: ${description}\n---\n${body(index)}`,
      );
  }
  for (let index = skills; index < all; index++)
    put(`packages/p${index % 200}/src/d${index % 17}/file${index}.ts`, `export const value${index} = ${index};\n`);
  execFileSync('git', ['init', '-q'], { cwd: repository, stdio: 'ignore' });
  return repository;
}

const body = (index) => `Do this with kind ${index}, then that.\n`.repeat(20);
