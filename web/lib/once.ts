/** Creates a value on first use: each Intl formatter takes milliseconds, which would delay the first screen. */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}
