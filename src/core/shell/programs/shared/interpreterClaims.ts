import { claim, type Claims } from '../../calls/claims';

const languageNames: Readonly<Record<string, string>> = {
  python: 'Python',
  python3: 'Python',
  py: 'Python',
  node: 'JavaScript',
  deno: 'JavaScript',
  bun: 'JavaScript',
  tsx: 'TypeScript',
  'ts-node': 'TypeScript',
  perl: 'Perl',
  ruby: 'Ruby',
  php: 'PHP',
  lua: 'Lua',
  r: 'R',
  rscript: 'R',
  awk: 'AWK',
  osascript: 'AppleScript',
};

const inlineOption = /^(-e|-c|-p|-pe|-ep|-ne|-pie?|-r|-E|--eval|--print|eval)$/;

/** Claims about code in the command, by language. */
export const claimsOfInterpreter: Claims = ({ program, all, plain }) => {
  const language = languageNames[program.replace(/(?<![\d.])[\d.]+$/, '')] ?? program;
  if (all.some((word) => inlineOption.test(word) || /^-[a-zA-Z]*[ce]$/.test(word)))
    return claim('unusual', `Runs ${language} code that is written in the command.`);
  return plain.every((word) => word === '-')
    ? claim('unusual', `Runs ${language} code that it gets as input.`)
    : undefined;
};
