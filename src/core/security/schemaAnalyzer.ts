import type { RiskAnalyzer } from '../ports/analyzer';
import { anyOf, sequence } from '../text/alternatives';

/** Hosts that publish common schemas. A request to them is visible to nobody else. */
const wellKnown = sequence(
  [
    /^https?:\/\//,
    anyOf([
      'json-schema.org',
      /(json|www)\.schemastore\.org/,
      'schemastore.org www.w3.org maven.apache.org www.springframework.org java.sun.com xmlns.jcp.org',
      'jakarta.ee schemas.microsoft.com developer.microsoft.com schema.management.azure.com',
      'biomejs.dev turbo.build turborepo.com docs.renovatebot.com ui.shadcn.com',
    ]),
    /(\/[^?#]*)?$/,
  ],
  'i',
);
const namesSchema = [
  /\$schema["'\\]*\s*[:=]\s*["'\\]*(https?:\/\/[^\s"'\\<>]+)/gi,
  /#:schema\s+(https?:\/\/[^\s"'\\<>]+)/gi,
  /schemaLocation=["'\\]*(?:[^\s"'\\](?:(?!schemaLocation=)\S)*\s+)??(https?:\/\/[^\s"'\\<>]+)/gi,
  /<!DOCTYPE(?:(?!<!DOCTYPE)[^>])*?["'](https?:\/\/[^\s"'\\<>]+)/gi,
];

/** Returns the addresses that an editor requests by itself when it opens such a text. */
const schemasIn = (text: string): string[] =>
  [...new Set(namesSchema.flatMap((pattern) => [...text.matchAll(pattern)].map(([, url]) => url!)))].filter(
    (url) => !wellKnown.test(url),
  );

/**
 * Requires approval for a file that names its schema: the editor requests that address without asking, and it can
 * contain any data.
 */
export const schemaAnalyzer: RiskAnalyzer = {
  name: 'schema',
  async assess({
    call: {
      touches: { adds, command, writes = [] },
    },
    environment: { files },
  }) {
    const named = schemasIn(adds ?? command ?? '');
    if (named.length === 0) return undefined;
    const before = await Promise.all(
      writes.map((path) =>
        files.read(path).then(
          ({ text }) => text,
          () => '',
        ),
      ),
    );
    const [url] = named.filter((one) => !before.some((text) => text.includes(one)));
    return url === undefined
      ? undefined
      : {
          level: 'high',
          reasons: [`Makes editors send a request to ${url} as soon as they open the file.`],
          culprit: url,
        };
  },
};
