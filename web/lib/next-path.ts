import { paths } from './paths.ts'

/** The path to open after signing in; anything but a path of this site falls back to `home`. */
export function nextPath(path: string | null, home: string): string {
  if (!path || !isLocal(path)) return home
  const url = new URL(path, location.origin)
  // Resolving dot segments may turn a harmless path into `//other.site`.
  return url.origin === location.origin && isLocal(url.pathname) ? url.pathname + url.search + url.hash : home
}

const isLocal = (path: string) => /^\/(?![/\\])/.test(path)

const KEY = 'wanted'

/** Remembers the page that a person was sent from to the sign-in form; for this tab only. */
export function rememberWantedPath(path: string | null): void {
  if (path) sessionStorage.setItem(KEY, path)
  else sessionStorage.removeItem(KEY)
}

export const wantedPath = () => nextPath(sessionStorage.getItem(KEY), paths.home())
