import type { Judge } from '../../calls/manual';
import { flags, type Options, optionTable, readArguments, values } from '../../calls/options';
import { drop, type Scope } from '../../effects/scope';
import { refuseMoved } from '../files/changing';
import type { Value } from '../../syntax/value';

/** Options of `venv` and `virtualenv`. */
export const environmentOptions = [
  flags('-q --quiet --version --clear -v --verbose --system-site-packages --no-download --copies --symlinks -h --help'),
  values('-p --python --prompt'),
];

/** Usual names of a folder that contains an environment, and nothing that a person wrote. */
const usualName = /(?:^|\/)\.?(?:v|virtual)?env(?:[-\d][\w.-]*)?\/?$/;

/** With `--clear`, the whole content of the folder is deleted before the environment is created. */
export function clearsEnvironment(words: readonly Value[], options: Options, scope: Scope, whole: string): void {
  if (!words.some(({ text }) => /^--cl/.test(text) || text === '-c')) return;
  const { operands } = readArguments(words, optionTable(options), 'letters');
  for (const folder of operands) {
    if (!usualName.test(folder.text)) drop(scope, folder, { recursive: true });
    refuseMoved(folder, scope, whole);
  }
}

export const judgeNewEnvironment: Judge = ({ words, scope, manual, whole }) => {
  clearsEnvironment(words, manual.options ?? [], scope, whole);
  return undefined;
};
