/** Maximum length of what a person sends at once, with pasted texts, in characters. The host drops longer messages. */
export const maxMessageCharacters = 1_000_000;
