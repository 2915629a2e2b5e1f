interface Resolving {
  path: string
  kind: string
  importer: string
}
type Resolved =
  | { external: true; path: string }
  | { namespace: string; path: string }
  | { errors: { text: string }[] }
  | undefined
export type Resolve = (resolving: Resolving) => Resolved
export type Load = (loading: { path: string }) => { contents: string; resolveDir: string }

export const LICENSE: RegExp
export const bundlePackages: {
  name: string
  setup: (build: {
    onResolve: (options: { filter: RegExp }, resolve: Resolve) => void
    onLoad: (options: { filter: RegExp; namespace: string }, load: Load) => void
  }) => void
}
export function licensesOf(files: string[]): string

interface OutputFile {
  type: 'chunk' | 'asset'
  moduleIds?: string[]
  originalFileNames?: string[]
}
export function modulesIn(output: OutputFile[]): string[]
