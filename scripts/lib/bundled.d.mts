interface Resolving {
  path: string
  kind: string
  importer: string
}
type Resolve = (resolving: Resolving) => { external: true; path: string } | { errors: { text: string }[] } | undefined

export const LICENSE: RegExp
export const bundlePackages: {
  name: string
  setup: (build: { onResolve: (options: { filter: RegExp }, resolve: Resolve) => Resolve }) => Resolve
}
export function licensesOf(files: string[]): string
