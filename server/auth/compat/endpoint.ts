/** Context for calling one endpoint from another; without these flags the library builds a Response. */
export function innerContext<C extends object>(ctx: C) {
  return { ...ctx, asResponse: false as const, returnHeaders: false as const, returnStatus: false as const }
}

/** An unchecked field of a body as text; `String` would call an object's own `toString`. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
