import { doubt, note, refuse, touch } from '../scope';
import type { Special } from './all';

const plainText = /"(?:[^"\\]|\\[^])*("|\\?$)/g;
const dangerous =
  /\b(system|getline|close|fflush|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARGV|ARGC|extension|nextfile)\b|@|(^|[^|])\|([^|]|$)|\b(?:print|printf)\b(?:(?!\bprintf?\b)[^;}\n])*>|[^=!<>]>>/;

/** Programs that only compute and print. */
export const awk: Special = ({ words, scope, whole }) => {
  note(scope, 'low', whole);
  let at = 0;
  for (; at < words.length; at++) {
    const { text, kind } = words[at]!;
    if (kind === 'unknown' && text === '') break;
    if (text === '--') {
      at++;
      break;
    }
    if (!/^-./.test(text)) break;
    if (/^-F.|^-v.+/.test(text)) continue;
    if (/^(-F|-v)$/.test(text)) at++;
    else if (!/^(--version|--posix|--traditional|--csv|-k)$/.test(text))
      refuse(scope, text, 'This option makes "awk" do more than print.');
  }
  const [program, ...files] = words.slice(at);
  if (!program) return 'done';
  if (program.kind !== 'literal') doubt(scope, program.source, 'The program is only known when it runs.');
  else if (
    program.text.includes('/inet') ||
    dangerous.test(program.text.replace(plainText, (found, end: string) => (end === '"' ? '""' : found)))
  )
    refuse(scope, program.source, 'The program can run commands or write files.');
  for (const file of files) if (!/^[A-Za-z_]\w*=/.test(file.text)) touch(scope, 'reads', file);
  return 'done';
};
