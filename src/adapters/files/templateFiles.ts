import fs from 'node:fs/promises';
import path from 'node:path';
import type { Profile, Templates, TemplateSources } from '../../core/ports/profile';
import { profileNamed, withTemplates } from '../../core/profiles/profiles';

type TemplateName = keyof Templates;

/** The file name suffix of each template: `mini.system.jinja`. */
const endings: Readonly<Record<TemplateName, string>> = {
  system: 'system',
  instance: 'instance',
  observation: 'observation',
  formatError: 'format-error',
  timeout: 'timeout',
};

const maxBytes = 1_000_000;

interface TemplateFiles {
  readonly templates: Templates;
  readonly sources: TemplateSources;
}

/** Reads templates from the given files. Throws an `Error` with a message for people that names the file. */
export async function readTemplates(files: Readonly<Partial<Record<TemplateName, string>>>): Promise<TemplateFiles> {
  const unknown = Object.keys(files).filter((name) => !Object.hasOwn(endings, name));
  if (unknown.length > 0)
    throw new Error(`There is no template ${unknown.join(', ')}. Templates: ${Object.keys(endings).join(', ')}.`);
  const read = await Promise.all(
    (Object.entries(files) as [TemplateName, string][]).map(
      async ([name, file]) => [name, file, await readTemplate(name, file)] as const,
    ),
  );
  return {
    templates: Object.fromEntries(read.map(([name, , text]) => [name, text])),
    sources: Object.fromEntries(read.map(([name, file]) => [name, file])),
  };
}

/**
 * Reads the templates of a profile from a folder such as `.agent/profiles`, each from a file
 * `<profile>.<template>.jinja`. Returns none if the folder or the files do not exist. Throws an `Error` with a message
 * for people if a file of this profile is not a template.
 */
export async function templatesIn(folder: string, profile: string): Promise<TemplateFiles> {
  const names = await fs.readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw new Error(`The template folder ${folder} cannot be read: ${error.message}. Make it readable, or remove it.`, {
      cause: error,
    });
  });
  const files: Partial<Record<TemplateName, string>> = {};
  for (const name of names.filter((each) => each.startsWith(`${profile}.`) && each.endsWith('.jinja'))) {
    const ending = name.slice(profile.length + 1, -'.jinja'.length);
    const template = (Object.keys(endings) as TemplateName[]).find((each) => endings[each] === ending);
    if (!template)
      throw new Error(
        `${path.join(folder, name)} is not a template of the profile ${profile}. Name it ${profile}.X.jinja, where X is one of ${Object.values(endings).join(', ')}.`,
      );
    files[template] = path.join(folder, name);
  }
  return readTemplates(files);
}

/** Returns a profile with the templates from a folder. Throws an `Error` with a message for people. */
export async function profileIn(folder: string, name: string): Promise<Profile> {
  const profile = profileNamed(name);
  const { templates, sources } = await templatesIn(folder, name);
  return Object.keys(templates).length === 0 ? profile : withTemplates(profile, templates, sources);
}

async function readTemplate(name: TemplateName, file: string): Promise<string> {
  const templateError = (why: string, next: string, cause?: unknown): Error =>
    new Error(`The ${endings[name]} template ${file} cannot be read: ${why} ${next}`, { cause });
  let bytes: Buffer;
  try {
    const { size } = await fs.stat(file);
    if (size > maxBytes) throw templateError(`It has ${size} bytes.`, `Keep it below ${maxBytes}.`);
    bytes = await fs.readFile(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw code === 'ENOENT'
      ? templateError('The file does not exist.', 'Create it, or correct its path in the settings.', error)
      : templateError(`${message}.`, 'Make it a readable file.', error);
  }
  try {
    // Without a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n');
  } catch (error) {
    throw templateError('It is not UTF-8 text.', 'Save it as UTF-8.', error);
  }
}
