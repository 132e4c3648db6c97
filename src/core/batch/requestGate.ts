/** Limits the number of requests per minute to model endpoints. */
export interface RequestGate {
  /** Resolves when another request may be sent to the endpoint. */
  pass(endpoint: string): Promise<void>;
}
