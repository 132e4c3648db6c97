// npm, run under a chosen Node and without the settings of an npm that may have started us.
import fs from 'node:fs';
import path from 'node:path';
import { must } from './processes.mjs';

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** The JavaScript behind the `npm` command, so that any Node can run it. */
export function npmProgram() {
  const onPath = (process.env.PATH ?? '').split(path.delimiter).flatMap((folder) => {
    try {
      return [fs.realpathSync(path.join(folder, 'npm'))];
    } catch {
      return [];
    }
  });
  const node = path.dirname(process.execPath);
  const places = [
    process.env.npm_execpath,
    ...onPath,
    path.join(node, '../lib/node_modules/npm/bin/npm-cli.js'),
    path.join(node, 'node_modules/npm/bin/npm-cli.js'),
  ];
  const found = places.find((place) => place?.endsWith('npm-cli.js') && fs.existsSync(place));
  if (!found)
    throw new Error(
      'npm was not found beside Node or on the PATH. Install npm 9 or later, then run the command again.',
    );
  return found;
}

/** Returns our environment without what `npm run` adds for its scripts; keeps the settings of the registry. */
export function environmentForNpm(extra = {}) {
  const entries = Object.entries(process.env).filter(
    ([name]) =>
      !/^npm_/i.test(name) || /^npm_config_(cache|registry|cafile|https?_?proxy|proxy|noproxy|userconfig)$/i.test(name),
  );
  return { ...Object.fromEntries(entries), ...extra };
}

/** Runs `npm <args>` in `cwd`, without install scripts. Throws with npm's own message. */
export function npm(args, { cwd, node = process.execPath, ...options }) {
  const PATH = `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`;
  return must(node, [npmProgram(), ...args, ...QUIET], { cwd, env: environmentForNpm({ PATH }), ...options });
}

/** Installs packages into a folder that belongs to no project. */
export async function npmInstall(cwd, packages) {
  fs.writeFileSync(path.join(cwd, 'package.json'), '{"private":true}\n');
  await npm(['install', ...packages, '--no-save', '--no-package-lock'], { cwd });
}
