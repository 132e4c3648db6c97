/** A prompt that a server offers, with its arguments. */
export interface Prompt {
  readonly name: string;
  readonly description: string;
  readonly inputs: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
}

/** A resource that a server can read. */
export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mediaType: string;
}

/** Resources with variables in their URI: "note://{id}". */
export interface ResourceTemplate {
  readonly template: string;
  readonly name: string;
  readonly description: string;
}
