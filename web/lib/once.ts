/** Made with its first use. Formats of Intl take milliseconds each, which the first screen would wait for. */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
}
