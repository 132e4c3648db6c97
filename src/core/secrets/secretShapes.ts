/** What stands where a secret stood. */
export const MASK = '[masked secret]';

/** Tokens that say by their beginning whose they are. Each is anchored, so that no ordinary word is one. */
const tokens: readonly string[] = [
  // Models
  'sk-ant-[\\w-]{16,}',
  'sk-(?:proj|svcacct|admin|or-v1|lf)-[\\w-]{16,}',
  '(?:sk|pk|rk)-(?=[\\w-]{0,200}?\\d)[\\w-]{16,}',
  'gsk_[A-Za-z0-9]{20,}',
  'xai-[A-Za-z0-9]{20,}',
  'pplx-[A-Za-z0-9]{20,}',
  'hf_[A-Za-z0-9]{20,}',
  'r8_[A-Za-z0-9]{30,}',
  'nvapi-[\\w-]{20,}',
  'tvly-[\\w-]{16,}',
  'fw_[A-Za-z0-9]{20,}',
  // Clouds
  'A(?:KI|SI)A[A-Z0-9]{16}\\b',
  'AIza[\\w-]{30,}',
  'ya29\\.[\\w-]{20,}',
  'GOCSPX-[\\w-]{20,}',
  'do[opr]_v1_[a-f0-9]{40,}',
  'dapi[a-f0-9]{32}\\b',
  'hv[sbr]\\.[\\w-]{20,}',
  'tskey-[a-z]+-[\\w-]{16,}',
  'AGE-SECRET-KEY-1[A-Z0-9]{50,}',
  // Code and packages
  'gh[pousr]_\\w{20,}',
  'github_pat_\\w{20,}',
  'gl(?:pat|dt|rt|cbt|ptt|soat)-[\\w-]{16,}',
  'ATATT3[\\w=-]{20,}',
  'ATBB\\w{24,}',
  'npm_[A-Za-z0-9]{30,}',
  'pypi-AgE[\\w-]{16,}',
  'rubygems_[a-f0-9]{40,}',
  'dckr_pat_[\\w-]{20,}',
  'sbp_[a-f0-9]{40}\\b',
  // Services
  'xox[abeoprs]-[\\w-]{10,}',
  'xapp-\\d-[\\w-]{16,}',
  '(?:sk|pk|rk)_(?:live|test)_\\w{16,}',
  'whsec_[A-Za-z0-9+/]{20,}',
  'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
  'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}',
  'sq0(?:atp|csp|idp)-[\\w-]{20,}',
  'key-[a-f0-9]{32}\\b',
  '[a-f0-9]{32}-us\\d{1,2}\\b',
  'SK[a-f0-9]{32}\\b',
  'lin_api_\\w{30,}',
  'ntn_[A-Za-z0-9]{30,}',
  'figd_[\\w-]{30,}',
  'sntry[su]_[\\w+/=-]{30,}',
  'glsa_\\w{30,}',
  'NRAK-[A-Z0-9]{20,}',
  'PMAK-[a-f0-9-]{30,}',
  '\\d{8,10}:AA[\\w-]{33}',
  '[MNO][\\w-]{23}\\.[\\w-]{6}\\.[\\w-]{27,}',
  // Signed
  'eyJ(?:(?![_-]eyJ)[\\w-]){8,}\\.[\\w-]{8,}\\.[\\w-]*',
];

const named =
  'api[_-]?key|access[_-]?key|account[_-]?key|secret(?:[_-]?key)?|token|passw(?:or)?d|passphrase|credentials?';

const anchored: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  new RegExp(`(?<![A-Za-z0-9])(?:${tokens.join('|')})`, 'g'),
  /(?<=\s)(?=[\w.~+/-]{12})(?<=\b(?:bearer|basic)\s+)(?=\S*\d)[\w.~+/-]{12,}=*/gi,
  /(?<=:\/\/[^\s:/@]{0,100}:)[^\s:/@]{3,}(?=@)/g,
  /(?<=hooks\.slack\.com\/services\/)[\w/]{20,}/g,
];

/** What is called a key or a password. Code says such words all the time, so the value must look drawn by lot. */
const assigned = new RegExp(`(?<=(?:${named})["']?\\s{0,3}[:=]\\s{0,3}["']?)[^\\s"'\`,;(){}<>[\\]\\\\]{12,200}`, 'gi');

/** The same for short texts that nobody works with: any value will do. */
const anyAssigned = new RegExp(`(?<=(?:${named})["']?\\s{0,3}[:=]\\s{0,3}["']?)[^\\s"',;]{6,}`, 'gi');

const withoutShapes = (text: string): string => anchored.reduce((masked, shape) => masked.replace(shape, MASK), text);

/** A text without what looks like a secret by itself; what only might be one, such as code about passwords, stays. */
export const maskShapes = (text: string): string =>
  withoutShapes(text).replace(assigned, (value) => (looksRandom(value) ? MASK : value));

/**
 * A text without anything that may be a secret, for excerpts of other conversations. A named one keeps its
 * name, so that a reader sees what was there.
 */
export const withoutSecrets = (text: string): string =>
  withoutShapes(text).replace(anyAssigned, (value) => (MASK.startsWith(value) ? value : MASK));

/** Where the end of a text may be the beginning of a secret, which only what comes next can show. */
const unfinished = new RegExp(
  `-----[A-Z][A-Z ]*-*$|-{1,5}$|:\\/\\/[^\\s:/@]{0,100}:[^\\s/@]*$|(?:bearer|basic)\\s+\\S*$|(?:${named})["']?\\s{0,3}(?:[:=]\\s{0,3}["']?[^\\s"',;]*)?$`,
  'i',
);

/** The length of the part of a text that is surely no half of a secret. */
export function finishedLength(text: string, most = 4096): number {
  const from = Math.max(0, text.length - most);
  const at = text.slice(from).search(unfinished);
  return Math.min(at < 0 ? text.length : from + at, lastWord(text, from));
}

/** Where the word begins that the text ends with; the text's length where it ends with none. */
function lastWord(text: string, from: number): number {
  let word = text.length;
  for (let at = text.length - 1; at >= from && /[\w.~+/=:@-]/.test(text[at]!); at--)
    if (/[A-Za-z0-9]/.test(text[at]!)) word = at;
  return word;
}

/** Letters and digits mixed, and hardly a letter twice. */
function looksRandom(value: string): boolean {
  if (
    !/\d/.test(value) ||
    !/[A-Za-z]/.test(value) ||
    value.startsWith('$') ||
    /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(value)
  )
    return false;
  return bitsPerLetter(value) >= 3.2;
}

/** Shannon entropy. */
function bitsPerLetter(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => bits - (count / text.length) * Math.log2(count / text.length), 0);
}
