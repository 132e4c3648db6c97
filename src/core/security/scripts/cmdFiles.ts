import type { CommandContext } from '../../shell/effects/context';
import { placeFrom } from './placeFrom';

/** Extensions that cmd.exe adds to a program's name, and those that Windows opens with a script host. */
const programExtensions: readonly string[] = ['.com', '.exe', '.bat', '.cmd', '.vbs', '.js', '.wsf', '.ps1'];

/**
 * Returns the files that a line of cmd.exe may name, by path relative to the workspace; they may not exist. cmd.exe has
 * no reliable grammar, so each word counts, in quotes or not. `undetermined`: the line computes names, or a program
 * reads its code from its input.
 */
export function cmdFiles(
  line: string,
  { variables = {}, folder = '.', workspace }: CommandContext,
): { readonly named: readonly string[]; readonly undetermined: boolean } {
  const values = new Map(Object.entries(variables).map(([name, value]) => [name.toUpperCase(), value]));
  if (workspace !== undefined) values.set('CD', workspace);
  const text = line
    .replace(/%(\w+)%/g, (written, name: string) => values.get(name.toUpperCase()) ?? written)
    .replaceAll('^', '')
    .replaceAll('\\', '/');
  const quoted = [...text.matchAll(/"([^"]*)"/g)].map(([, inside]) => inside!);
  const words = text.split(/[\s"'`&|<>(),;=@]+/);
  const named = [...new Set([...quoted, ...words])]
    .filter((word) => word !== '' && word.length < 1000)
    .flatMap((word) => (/\.\w+$/.test(word) ? [word] : [word, ...programExtensions.map((end) => word + end)]))
    .map((word) => placeFrom(word, folder, workspace))
    .filter(({ where }) => where === 'inside')
    .map(({ path }) => path);
  return { named, undetermined: /[%!<]/.test(text) };
}
