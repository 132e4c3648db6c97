/**
 * Replaces the package punycode in markdown-it (see esbuild.js): the browser converts host names itself. A link shows
 * the host as it is requested, so that letters of another script cannot imitate one.
 */
export default {
  toASCII: (host: string): string => new URL(`http://${host}`).hostname,
  toUnicode: (host: string): string => host,
};
