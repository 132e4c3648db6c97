/** What keys and passwords look like. A named one keeps its name, so that a reader sees what was there. */
const shapes: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk)-[\w-]{16,}|\b(?:sk|pk|rk)_(?:live|test)_\w{16,}|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abeprs]-[\w-]{10,}|\bnpm_\w{30,}|\bhf_\w{20,}|\bA(?:KI|SI)A[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /(?<=\b(?:bearer|basic)\s+)(?=\S*\d)[\w.~+/-]{12,}=*/gi,
  /(?<=:\/\/[^\s:/@]{0,100}:)[^\s:/@]{3,}(?=@)/g,
  /(?<=(?:api[_-]?key|secret|token|passw(?:or)?d|passphrase|credentials?)["']?\s{0,3}[:=]\s{0,3}["']?)[^\s"',;]{6,}/gi,
];

/** A text without what looks like a secret. */
export const withoutSecrets = (text: string): string => shapes.reduce((masked, shape) => masked.replace(shape, '[secret]'), text);
