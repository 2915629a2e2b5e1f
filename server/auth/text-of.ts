/** A field of a body that nobody has checked yet: `String` would run what an object calls its `toString`. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
