/** A call from within a call: without these the library wraps the answer for a router that is not there. */
export function inner<C extends object>(ctx: C) {
  return { ...ctx, asResponse: false as const, returnHeaders: false as const, returnStatus: false as const }
}
