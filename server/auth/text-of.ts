/** An unchecked field of a body as text; `String` would call an object's own `toString`. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
