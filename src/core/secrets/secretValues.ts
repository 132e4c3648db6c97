import { anyOf, exactlyOneOf, sequence } from '../text/alternatives';

const secretName = anyOf(
  [
    'token secret passw passphrase passcode',
    /(?:^|_)pass(?:$|_)/,
    /_pwd$/,
    'credential',
    /(?:^|_)(?:api|access|private|signing|encryption|master|account|auth)?_?key(?:$|_)/,
    'apikey',
    /(?:^|_)auth(?:$|_)/,
    /(?:^|_)pat$/,
    /dsn$/,
  ],
  'i',
);
/** Names of locations, numbers and switches related to secrets. */
const publicName = sequence(
  [
    anyOf([
      sequence([
        /_/,
        anyOf([
          'path file dir folder sock socket id name url host port user type ttl age len length limit count',
          'fingerprint algorithm',
        ]),
      ]),
      'sock xauthority askpass',
    ]),
    /$/,
  ],
  'i',
);

/** Returns the values of environment variables whose names suggest a secret. */
export const secretsOfEnvironment = (environment: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && secretName.test(name) && !publicName.test(name) ? [value] : [],
  );

/**
 * Returns the secret values of a file such as `.env`: all values with secret names, and values of other names that are
 * not ordinary words.
 */
export function secretsOfDotenv(text: string): string[] {
  const found: string[] = [];
  const line =
    /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*[=:][ \t]*(?:"((?:[^"\\]|\\[\s\S])*)"[ \t]*$|'([^']*)'[ \t]*$|`([^`]*)`[ \t]*$|([^\r\n]*))/gm;
  for (const [, name = '', double, single, back, bare] of text.matchAll(line)) {
    const value =
      double?.replaceAll('\\n', '\n').replaceAll('\\"', '"') ?? single ?? back ?? withoutComment(bare ?? '');
    if (!secretName.test(name) && isOrdinary(value)) continue;
    found.push(value, ...(double === undefined ? [] : [double]), ...passwordIn(value));
  }
  return found;
}

function withoutComment(value: string): string {
  const comment = value.search(/[ \t]#/);
  return (comment < 0 ? value : value.slice(0, comment)).trimEnd();
}

/** Words with small numbers such as `us-east-1`, numbers, URLs without a password, email addresses, paths, references. */
const ordinary = exactlyOneOf([
  /\.?[A-Za-z]+(?:[ ._/-](?:[A-Za-z]+|\d{1,2}[a-z]?))*/,
  /[\d.,:]+/,
  /[a-z][\w+.-]*:\/\/[^@?]*/,
  /\.{0,2}\/.*/,
  /[\w.-]+@[\w-]+\.[\w.-]+/,
  // A password may begin with a dollar sign, but is hardly in capitals only.
  /\$[A-Z_][A-Z\d_]*/,
  /\$\{[A-Za-z_]\w*\}/,
]);

const isOrdinary = (value: string): boolean => ordinary.test(value.trim());

const passwordIn = (value: string): string[] => /:\/\/[^:@/\s]*:([^@/\s]+)@/.exec(value)?.slice(1) ?? [];

/** Returns whether a file contains environment settings. Example files contain no secrets. */
export const isDotenv = (path: string): boolean =>
  /(?:^|[\\/])\.(?:env(?:rc)?|dev\.vars)(?:\.(?!example$|sample$|template$|dist$)[\w.-]+)?$/i.test(path);
